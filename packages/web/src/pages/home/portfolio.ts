import type { SiteOverview, SitePower } from '@plantroom/contract/portfolio'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { LOCALE } from '../../texts/language.ts'

/** A site as the portfolio shows it. */
export interface SiteRow {
  orgId: string
  organization: string
  id: string
  name: string
  /** `undefined` until it is loaded. */
  facts: SiteOverview | undefined
}

export const SORTS = ['urgency', 'name', 'power'] as const
export type Sort = (typeof SORTS)[number]

/** Which sites are shown: those where something is so. Each but the last has a tile. */
export const TILES = ['held', 'trouble', 'alerts', 'offline', 'requests'] as const
export const FILTERS = [...TILES, 'limited'] as const
export type Filter = (typeof FILTERS)[number]

/** What the address says about the list. */
export interface PortfolioView {
  sort: Sort
  filter: Filter | undefined
  /** Only sites with this tag. */
  tag: string | undefined
  text: string
}

export function readView(parameters: URLSearchParams): PortfolioView {
  return {
    sort: SORTS.find((sort) => sort === parameters.get('sort')) ?? 'urgency',
    filter: FILTERS.find((filter) => filter === parameters.get('show')) ?? undefined,
    tag: parameters.get('tag') || undefined,
    text: parameters.get('q') ?? '',
  }
}

/** Returns the parameters with a changed view. Usual values are left out, and other parameters stay. */
export function writeView(parameters: URLSearchParams, changes: Partial<PortfolioView>): URLSearchParams {
  const { sort, filter, tag, text } = { ...readView(parameters), ...changes }
  const written = new URLSearchParams(parameters)
  const set = (name: string, value: string) => (value === '' ? written.delete(name) : written.set(name, value))
  set('sort', sort === 'urgency' ? '' : sort)
  set('show', filter ?? '')
  set('tag', tag ?? '')
  set('q', text)
  return written
}

/** How many of the things that a filter is about a site has. */
const COUNT: Readonly<Record<Filter, (facts: SiteOverview) => number>> = {
  held: ({ held }) => held,
  trouble: ({ troubled }) => troubled,
  alerts: ({ alerts }) => alerts,
  offline: ({ controllers }) => controllers.offline,
  requests: ({ openRequests }) => openRequests ?? 0,
  limited: ({ powerLimits }) => (powerLimits.length > 0 ? 1 : 0),
}

/** The sites of an organization, by the session until the overview is loaded. */
export function rowsOf(organization: SignedInOrganization, overview: readonly SiteOverview[] | undefined): SiteRow[] {
  const facts = new Map(overview?.map((site) => [site.id, site]))
  return organization.sites.map(({ id, name }) => ({
    orgId: organization.id,
    organization: organization.name,
    id,
    name,
    facts: facts.get(id),
  }))
}

/** True when the view shows only some sites. */
export const isNarrowed = ({ filter, tag, text }: PortfolioView): boolean =>
  filter !== undefined || tag !== undefined || text.trim() !== ''

/** The rows that match. */
export function matchingRows(rows: readonly SiteRow[], { filter, tag, text }: PortfolioView): SiteRow[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (filter && (row.facts === undefined || COUNT[filter](row.facts) === 0)) return false
    if (tag !== undefined && !row.facts?.tags.includes(tag)) return false
    if (words.length === 0) return true
    const searched = searchedIn(row)
    return words.every((word) => searched.includes(word))
  })
}

/** The rows that match, in order. */
export const shownRows = (rows: readonly SiteRow[], view: PortfolioView): SiteRow[] =>
  matchingRows(rows, view).sort(ORDER[view.sort])

/** What a site is called: its name, its organization and its tags. */
const namesOf = ({ name, organization, facts }: Pick<SiteRow, 'name' | 'organization' | 'facts'>): string =>
  [name, organization, ...(facts?.tags ?? [])].join('\n')

const searchedIn = ({ name, organization, facts }: SiteRow): string =>
  [namesOf({ name, organization, facts }), ...(facts?.controllers.names ?? [])].join('\n').toLocaleLowerCase()

/** The controllers that a search has found, when neither the site, its tags nor the organization are called so. */
export function foundControllers(row: SiteRow, text: string): string[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const missing = words.filter((word) => !namesOf(row).toLocaleLowerCase().includes(word))
  if (missing.length === 0) return []
  const has = (controller: string, word: string) => controller.toLocaleLowerCase().includes(word)
  const names = row.facts?.controllers.names ?? []
  const best = names.filter((controller) => missing.every((word) => has(controller, word)))
  return best.length > 0 ? best : names.filter((controller) => missing.some((word) => has(controller, word)))
}

// Made once: a thousand names are compared ten thousand times.
const collator = new Intl.Collator(LOCALE, { numeric: true })
const byName = (a: SiteRow, b: SiteRow) => collator.compare(a.name, b.name)
/** A site with an unknown power comes after all others. */
const powerIn = ({ facts }: SiteRow) => kilowatts(facts?.power) ?? Number.NEGATIVE_INFINITY

const ORDER: Readonly<Record<Sort, (a: SiteRow, b: SiteRow) => number>> = {
  name: byName,
  power: (a, b) => Math.sign(powerIn(b) - powerIn(a)) || byName(a, b),
  urgency(a, b) {
    for (const filter of ['trouble', 'alerts', 'offline', 'held'] as const) {
      const of = ({ facts }: SiteRow) => (facts ? COUNT[filter](facts) : 0)
      if (of(a) !== of(b)) return of(b) - of(a)
    }
    return byName(a, b)
  },
}

function kilowatts(power: SitePower | null | undefined): number | undefined {
  return power?.unit === 'kW' && power.value !== null ? power.value : undefined
}

export type Totals = Readonly<Record<Filter, number>> & {
  /** The sum of all sites whose power is known; `undefined` when none is. */
  kilowatts: number | undefined
  /** Sites that have meters and whose power is not in the sum. */
  powerUnknown: number
}

export function totalsOf(rows: readonly SiteRow[]): Totals {
  const known = rows.flatMap(({ facts }) => facts ?? [])
  const total = (filter: Filter) => known.reduce((sum, facts) => sum + COUNT[filter](facts), 0)
  const powers = known.flatMap(({ power }) => power ?? [])
  const summed = powers.flatMap((power) => kilowatts(power) ?? [])
  return {
    held: total('held'),
    trouble: total('trouble'),
    alerts: total('alerts'),
    offline: total('offline'),
    requests: total('requests'),
    limited: total('limited'),
    kilowatts: summed.length > 0 ? summed.reduce((sum, value) => sum + value, 0) : undefined,
    powerUnknown: powers.length - summed.length,
  }
}
