/** The base of relative hrefs: a lobby, a watch or a point is a folder, with or without a slash at the end. */
export function folderOf(address: URL): URL {
  const folder = new URL(address)
  if (!folder.pathname.endsWith('/')) folder.pathname += '/'
  folder.search = ''
  folder.hash = ''
  return folder
}

/** Resolves an href. `undefined`: it is not an address. */
export function resolveHref(href: string, base: URL): URL | undefined {
  return URL.canParse(href, base.href) ? new URL(href, base.href) : undefined
}

/**
 * The path and query of an href on the server of `base`. `undefined` where it leads to another server, which must not
 * get our credentials.
 */
export function pathOn(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.origin === base.origin ? requestPath(address) : undefined
}

export const requestPath = ({ pathname, search }: URL) => pathname + search

/**
 * The same key for all hrefs of one object. Servers write them with or without a host, with any name that they have for
 * themselves, and with or without a slash at the end.
 */
export function sameObjectKey(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.pathname.replace(/\/+$/, '') + address.search
}

/** The base of the hrefs inside an object. Ignores the object's own address where it names another server. */
export function homeOf(ownHref: string | undefined, asked: URL): URL {
  const own = resolveHref(ownHref ?? '', asked)
  return folderOf(own && own.origin === asked.origin ? own : asked)
}
