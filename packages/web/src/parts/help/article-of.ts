/** The articles about pages of the console: `docs/console/LANGUAGE/NAME.md`. */
const ARTICLES = [
  'account',
  'activity',
  'alert-rules',
  'alerts',
  'calendar',
  'charts',
  'convert',
  'devices',
  'dispatches',
  'keys',
  'limits',
  'members',
  'openadr',
  'outbox',
  'overview',
  'packages',
  'people',
  'reports',
  'requests',
  'schedules',
  'sign-in',
  'site',
  'sites',
  'systems',
] as const
export type Article = (typeof ARTICLES)[number]

/** Parts of addresses whose article has another name. */
const OTHER_NAMES: Readonly<Record<string, Article>> = {
  '': 'sites',
  s: 'overview',
  setup: 'sign-in',
  reset: 'sign-in',
  welcome: 'sign-in',
  'alert-settings': 'alert-rules',
  'openadr/events': 'openadr',
  'openadr/reports': 'openadr',
  mapping: 'openadr',
  record: 'systems',
  commission: 'systems',
}

/** The article of a part of an address, which may depend on the part before it. */
export const articleOfPart = (before: string | undefined, part: string): Article | undefined =>
  OTHER_NAMES[`${before}/${part}`] ?? OTHER_NAMES[part] ?? ARTICLES.find((name) => name === part)

/** The article about the page at an address: that of its last part that has one, because the others are ids. */
export function articleOf(path: string): Article {
  const parts = path.split('/').slice(1)
  const places = parts.map((part, place) => articleOfPart(parts[place - 1], part))
  return places.findLast((article) => article !== undefined) ?? 'sites'
}
