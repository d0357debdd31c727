const MAX_LENGTH = 512
/** Any origin does: only whether a path leaves it counts. */
const OWN = 'https://own.invalid'

/**
 * The page of our own that a caller names, as a path; `/` for anything else. A sign-in must not send people to another
 * site or back to the API.
 */
export function ownPage(path: string | undefined): string {
  if (path === undefined || path.length > MAX_LENGTH || !path.startsWith('/') || !URL.canParse(path, OWN)) return '/'
  const { origin, pathname, search, hash } = new URL(path, OWN)
  // Checked as the browser will read it: dots, tabs and backslashes are resolved by now.
  if (origin !== OWN || /^\/[/\\]/.test(pathname) || /^\/api(\/|$)/.test(pathname)) return '/'
  return pathname + search + hash
}
