import { collectItems, pages } from '@plantroom/client/pages'
import { type MeasurementSteps, pageOf, stepsOf } from '@plantroom/contract/api'
import type { ReportEntry } from '@plantroom/contract/reports'
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './service.ts'
import { useSite } from './use-site.ts'

/** A day of one value per minute is drawn as it is. Longer periods need fewer points, so that they load quickly. */
const MANY_POINTS = 1500
const FEW_POINTS = 1000
const LONGEST_EXACT_MS = 27 * 3_600_000
const RETRY_MS = 15_000
const REPORT_PAGE = 1000
/** More than anyone can read on a chart. */
const MAX_REPORTS = 5000
/** The longest override: a hold at the start of the period began at most this long before. */
const LONGEST_OVERRIDE_MS = 24 * 3_600_000

const CACHE = { staleTime: 60_000, gcTime: 60_000, refetchOnWindowFocus: false } as const

/** A datapoint of a controller. */
export interface HistoryOf {
  deviceId: string
  datapointId: string
}

/** What to load. A period that ends now keeps its key while its bounds move. */
export interface HistoryPeriod {
  key: string
  bounds: () => { from: number; to: number }
  /** How often to load it again; false for the past. */
  refreshMs: number | false
}

export const historyKey = ({ deviceId, datapointId }: HistoryOf) => `${deviceId}/${datapointId}`

/** The archived values of several datapoints of one period. */
export interface LoadedMeasurements {
  /** The period that was asked for, in milliseconds. */
  from: number
  to: number
  /** By `historyKey`. */
  steps: ReadonlyMap<string, MeasurementSteps>
  errors: ReadonlyMap<string, Error>
}

/**
 * Loads the archived values of a period, downsampled to what a chart can show: one call per datapoint. The values of
 * the period before stay, marked as placeholders, until those of another one arrive.
 */
export function useMeasurements(of: readonly HistoryOf[], period: HistoryPeriod) {
  const { orgId } = useSite()
  const client = useQueryClient()
  return useQuery({
    queryKey: ['chart', orgId, period.key, ...of.map(historyKey)],
    enabled: of.length > 0,
    ...CACHE,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.error ? RETRY_MS : untilNextLoad(state.data, period.refreshMs)),
    queryFn: async (): Promise<LoadedMeasurements> => {
      const { from, to } = period.bounds()
      const found = await Promise.allSettled(of.map((each) => loadSteps(client, orgId, each, { ...period, from, to })))
      const steps = new Map<string, MeasurementSteps>()
      const errors = new Map<string, Error>()
      for (const [at, result] of found.entries()) {
        const key = historyKey(of[at] as HistoryOf)
        if (result.status === 'fulfilled') steps.set(key, result.value)
        else errors.set(key, result.reason instanceof Error ? result.reason : new Error(String(result.reason)))
      }
      const [first] = errors.values()
      // One datapoint must not hide the others, but without any value the query has failed.
      if (first && steps.size === 0) throw first
      return { from, to, steps, errors }
    },
  })
}

/**
 * Returns how long to wait before values are loaded again. A datapoint that failed is loaded again soon, and so is one of a
 * new controller, which has no values yet; the others are still fresh then.
 */
export function untilNextLoad(
  loaded: Pick<LoadedMeasurements, 'steps' | 'errors'> | undefined,
  refreshMs: number | false,
): number | false {
  if (!loaded) return refreshMs
  if (loaded.errors.size > 0) return RETRY_MS
  const isEmpty = [...loaded.steps.values()].some(({ points }) => points.length === 0)
  return isEmpty && refreshMs !== false ? Math.min(RETRY_MS, refreshMs) : refreshMs
}

/** Loads one datapoint, unless the same period was loaded a moment ago: adding a line loads only that line. */
function loadSteps(
  client: QueryClient,
  orgId: string,
  of: HistoryOf,
  { key, from, to, refreshMs }: { key: string; from: number; to: number; refreshMs: number | false },
): Promise<MeasurementSteps> {
  const points = to - from > LONGEST_EXACT_MS ? FEW_POINTS : MANY_POINTS
  return client.fetchQuery({
    queryKey: ['measurements', orgId, historyKey(of), key],
    gcTime: CACHE.gcTime,
    // A datapoint that fails must not keep the others waiting.
    retry: false,
    staleTime: refreshMs === false ? CACHE.staleTime : Math.min(refreshMs / 2, RETRY_MS - 1),
    queryFn: async () => {
      const query = { from: iso(from), to: iso(to), points }
      return stepsOf(await api.listMeasurements({ orgId, ...of, query }))
    },
  })
}

/** Loads every archived value of a period, page by page, up to `most`. */
export function loadValues(orgId: string, of: HistoryOf, period: { from: number; to: number }, most: number) {
  const query = { from: iso(period.from), to: iso(period.to), limit: 10_000 }
  return collectItems(
    async (cursor) => pageOf(await api.listMeasurements({ orgId, ...of, query: { ...query, cursor } })),
    ({ measurements }) => measurements,
    most,
  )
}

/** The audit entries behind the holds of a chart. */
export interface LoadedHolds {
  entries: ReportEntry[]
  since: number
  /** True when there were too many to load. */
  isCut: boolean
}

/** Loads the audit entries of a period and of the day before it: of some datapoints, or of the whole site. */
export function useHoldEntries(of: readonly HistoryOf[] | 'site', period: HistoryPeriod) {
  const { orgId, siteId } = useSite()
  return useQuery(holdEntries(orgId, siteId, of, period))
}

function holdEntries(orgId: string, siteId: string, of: readonly HistoryOf[] | 'site', period: HistoryPeriod) {
  return queryOptions({
    queryKey: ['listReports', { orgId }, 'chart', siteId, period.key, of === 'site' ? of : of.map(historyKey)],
    enabled: of.length > 0,
    ...CACHE,
    staleTime: 5000,
    placeholderData: keepPreviousData,
    refetchInterval: period.refreshMs === false ? false : of === 'site' ? 60_000 : 15_000,
    queryFn: async ({ signal }): Promise<LoadedHolds> => {
      const { from, to } = period.bounds()
      const since = from - LONGEST_OVERRIDE_MS
      // An entry of this second belongs to it, too.
      const time = { from: iso(since), ...(period.refreshMs === false && { to: iso(to) }) }
      const filters = of === 'site' ? [{ siteId }] : of.map(({ deviceId, datapointId }) => ({ deviceId, datapointId }))
      const most = of === 'site' ? REPORT_PAGE : MAX_REPORTS
      const found = await Promise.all(filters.map((each) => loadEntries(orgId, { ...each, ...time }, most, signal)))
      return { entries: found.flatMap(({ entries }) => entries), since, isCut: found.some(({ isCut }) => isCut) }
    },
  })
}

async function loadEntries(
  orgId: string,
  filters: { from: string; to?: string },
  most: number,
  signal: AbortSignal,
): Promise<Pick<LoadedHolds, 'entries' | 'isCut'>> {
  const entries: ReportEntry[] = []
  for await (const { reports, nextCursor } of pages((cursor) =>
    api.listReports({ orgId, query: { ...filters, limit: REPORT_PAGE, cursor } }),
  )) {
    signal.throwIfAborted()
    entries.push(...reports)
    if (entries.length >= most) return { entries, isCut: nextCursor !== null }
  }
  return { entries, isCut: false }
}

const iso = (ms: number) => new Date(ms).toISOString()
