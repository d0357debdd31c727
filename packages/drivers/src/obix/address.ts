/** What relative hrefs start from: a lobby, a watch or a point is a folder, with or without the slash at its end. */
export function folderOf(address: URL): URL {
  const folder = new URL(address)
  if (!folder.pathname.endsWith('/')) folder.pathname += '/'
  folder.search = ''
  folder.hash = ''
  return folder
}

/** What an href means at `base`. `undefined`: it is no address. */
export function resolveHref(href: string, base: URL): URL | undefined {
  return URL.canParse(href, base.href) ? new URL(href, base.href) : undefined
}

/**
 * The path and query to ask for on the server of `base`. `undefined` where an href leads elsewhere: what we send there
 * would carry our credentials.
 */
export function pathOn(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.origin === base.origin ? requestPath(address) : undefined
}

export const requestPath = ({ pathname, search }: URL) => pathname + search

/**
 * What two hrefs of the same object have in common. Servers name an object with or without the host, by whatever name
 * they have for themselves, and with or without the slash at the end.
 */
export function sameObjectKey(href: string, base: URL): string | undefined {
  const address = resolveHref(href, base)
  return address && address.pathname.replace(/\/+$/, '') + address.search
}

/** What the hrefs in an object start from. A server that calls itself by another name than we do is still where it is. */
export function homeOf(ownHref: string | undefined, asked: URL): URL {
  const own = resolveHref(ownHref ?? '', asked)
  return folderOf(own && own.origin === asked.origin ? own : asked)
}
