import type { OperationReply } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/service.ts'
import { boundsOf, type ChartRange } from './chart-range.ts'
import { appendPoint, NO_POINTS, type Points } from './points.ts'

const PAGE = 10_000
const REPORT_PAGE = 1000
/** More than anyone can read on a chart. */
const MAX_REPORTS = 5000
const REFRESH_MS = 300_000
/** The longest override: a hold at the start of the range began at most this long before. */
const LONGEST_OVERRIDE_MS = 24 * 3_600_000

interface HistoryQuery {
  orgId: string
  deviceId: string
  datapointId: string
  range: ChartRange
  timeZone: string
  /** By the clock of the controller. */
  now: number
}

const keyOf = ({ orgId, deviceId, datapointId, range, timeZone }: HistoryQuery) => [
  orgId,
  deviceId,
  datapointId,
  range.kind === 'day' ? range.day : range.kind,
  timeZone,
]

const CACHE = { staleTime: 60_000, gcTime: 60_000, refetchOnWindowFocus: false } as const

/** Loads all archived values of the range; `loaded` counts them meanwhile. */
export function useArchive(query: HistoryQuery, enabled: boolean) {
  const { orgId, deviceId, datapointId, range } = query
  const [loaded, setLoaded] = useState(0)
  const archive = useQuery({
    queryKey: ['measurements', ...keyOf(query)],
    enabled,
    ...CACHE,
    refetchInterval: range.kind === 'day' ? false : REFRESH_MS,
    queryFn: async ({ signal }) => {
      const { from, to } = boundsOf(range, query)
      const points = { at: [] as number[], value: [] as number[] }
      let gaps: OperationReply<'listMeasurements'>['gaps'] = []
      const page = (cursor: string | undefined) =>
        api.listMeasurements({
          orgId,
          deviceId,
          datapointId,
          query: { from: iso(from), to: iso(to), limit: PAGE, cursor },
        })
      for await (const { measurements, gaps: listed } of pages(page)) {
        signal.throwIfAborted()
        for (const { at, value } of measurements) {
          points.at.push(Date.parse(at))
          points.value.push(value)
        }
        gaps = listed
        setLoaded(points.at.length)
      }
      return { points: points as Points, gaps }
    },
  })
  return { archive, loaded }
}

/** The audit entries behind the holds of a chart. */
export interface LoadedHolds {
  entries: ReportEntry[]
  since: number
  /** True when there were too many to load. */
  isCut: boolean
}

/** Loads the audit entries of the range and of the day before it. */
export function useHolds(query: HistoryQuery) {
  const { orgId, deviceId, datapointId, range } = query
  return useQuery({
    queryKey: ['reports', ...keyOf(query), 'chart'],
    ...CACHE,
    staleTime: 5000,
    refetchInterval: range.kind === 'day' ? false : 15_000,
    queryFn: async ({ signal }): Promise<LoadedHolds> => {
      const { from, to } = boundsOf(range, query)
      const since = from - LONGEST_OVERRIDE_MS
      const entries: ReportEntry[] = []
      const filters = { deviceId, datapointId, from: iso(since), limit: REPORT_PAGE }
      const until = range.kind === 'day' ? { to: iso(to) } : {}
      for await (const { reports } of pages((cursor) =>
        api.listReports({ orgId, query: { ...filters, ...until, cursor } }),
      )) {
        signal.throwIfAborted()
        entries.push(...reports)
        if (entries.length >= MAX_REPORTS) return { entries, since, isCut: true }
      }
      return { entries, since, isCut: false }
    },
  })
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Collects values that arrive while the component is mounted. Mount it under a key of the datapoint. */
export function useLivePoints(value: DatapointValue | undefined): Points {
  const [points, setPoints] = useState(NO_POINTS)
  const at = value && Date.parse(value.timestamp)
  const number = value?.value
  useEffect(() => {
    if (at === undefined || Number.isNaN(at) || typeof number !== 'number') return
    setPoints((before) => appendPoint(before, at, number))
  }, [at, number])
  return points
}
