import type { Client } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import type { FleetLimit, LimitOutcome, SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { table } from '../../output.ts'

const PAGE = 1000
const QUARTER_MS = 900_000

/** The columns of the proof. */
export const INTERVAL_COLUMNS = [
  ...(['from', 'to', 'deviceId', 'direction', 'limitKw', 'meanKw', 'marginKw', 'coverage'] as const),
  ...(['state', 'kept', 'moved', 'limitId', 'limitedBy', 'limitedByKw', 'limitedByLimitId'] as const),
]

/** Loads the intervals of a limit at all of its sites, the oldest first. */
export async function intervalsOf(
  client: Client,
  orgId: string,
  { from, to, outcomes }: FleetLimit & { outcomes: readonly LimitOutcome[] },
): Promise<SiteLimitInterval[]> {
  const sites = new Set(outcomes.filter(({ limitId }) => limitId !== null).map(({ siteId }) => siteId))
  // The clock of a controller may be behind.
  const query = { from: new Date(Date.parse(from) - QUARTER_MS).toISOString(), to, limit: PAGE }
  const found: SiteLimitInterval[] = []
  for (const siteId of sites) {
    const intervals = await collectItems(
      (cursor) => client.listLimitIntervals({ orgId, siteId, query: { ...query, cursor } }),
      ({ intervals: page }) => page,
    )
    found.push(...intervals)
  }
  return ownIntervals(found, outcomes)
}

/** Returns the intervals that belong to these outcomes, the oldest first. */
export function ownIntervals(
  intervals: readonly SiteLimitInterval[],
  outcomes: readonly Pick<LimitOutcome, 'deviceId' | 'limitId'>[],
): SiteLimitInterval[] {
  const key = ({ deviceId, limitId }: Pick<LimitOutcome, 'deviceId' | 'limitId'>) => `${deviceId} ${limitId}`
  const own = new Set(outcomes.filter(({ limitId }) => limitId !== null).map(key))
  return intervals.filter((one) => own.has(key(one))).toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
}

const keptOf = ({ kept }: SiteLimitInterval) => (kept === null ? 'unknown' : kept ? 'yes' : 'no')

/** What limited an interval: a placed limit by its id, where it is for the caller, and other sources by their names. */
const limitedByOf = ({ limitedBy }: SiteLimitInterval) => {
  if (!limitedBy) return 'unknown'
  const { source, kw, limitId } = limitedBy
  return `${limitId ?? source} (${kw} kW)`
}

export function intervalsTable(intervals: readonly SiteLimitInterval[]): string {
  const rows = intervals.map((one) => [
    ...[one.from, one.direction, String(one.limitKw), one.meanKw === null ? '' : String(one.meanKw)],
    ...[
      one.marginKw === null ? '' : String(one.marginKw),
      `${one.coverage} %`,
      one.state,
      limitedByOf(one),
      keptOf(one),
    ],
    ...[one.moved.join(' ')],
  ])
  return table(
    ['FROM', 'DIRECTION', 'LIMIT KW', 'MEAN KW', 'MARGIN KW', 'READ', 'STATE', 'LIMITED BY', 'KEPT', 'MOVED'],
    rows,
    'no intervals under a limit',
  )
}

/** Ids, words and numbers only, so nothing needs quotes. */
export function intervalsCsv(intervals: readonly SiteLimitInterval[]): string {
  const rows = intervals.map((one) => INTERVAL_COLUMNS.map((name) => cellOf(one, name)))
  return [INTERVAL_COLUMNS, ...rows].join('\n')
}

function cellOf(interval: SiteLimitInterval, name: (typeof INTERVAL_COLUMNS)[number]): string | number | boolean {
  const { limitedBy, moved } = interval
  if (name === 'moved') return moved.join(' ')
  if (name === 'limitedBy') return limitedBy?.source ?? ''
  if (name === 'limitedByKw') return limitedBy?.kw ?? ''
  if (name === 'limitedByLimitId') return limitedBy?.limitId ?? ''
  return interval[name] ?? ''
}
