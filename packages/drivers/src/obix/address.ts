/** Returns the base for relative hrefs: a lobby, watch or point is a folder, with or without a trailing slash. */
export function folderOf(address: URL): URL {
  const folder = new URL(address)
  if (!folder.pathname.endsWith('/')) folder.pathname += '/'
  folder.search = ''
  folder.hash = ''
  return folder
}

/** Resolves an href. Returns `undefined` if it is not a valid address. */
export function resolveHref(href: string, base: URL): URL | undefined {
  return URL.canParse(href, base.href) ? new URL(href, base.href) : undefined
}

/**
 * Returns the path and query of an href on the server of `base`; `undefined` if it is on another server, which must not
 * receive our credentials.
 */
export function pathOn(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.origin === base.origin ? requestPath(address) : undefined
}

export const requestPath = ({ pathname, search }: URL) => pathname + search

/**
 * Returns a key that is equal for all hrefs of one object. Servers write hrefs with or without a host, with any of their
 * own names, and with or without a trailing slash.
 */
export function sameObjectKey(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.pathname.replace(/(?<!\/)\/+$/, '') + address.search
}

/** Returns the base of the hrefs inside an object. Ignores the object's own address if it is on another server. */
export function homeOf(ownHref: string | undefined, asked: URL): URL {
  const own = resolveHref(ownHref ?? '', asked)
  return folderOf(own && own.origin === asked.origin ? own : asked)
}
