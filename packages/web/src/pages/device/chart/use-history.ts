import { pages } from '@plantroom/client/pages'
import { type MeasurementSteps, stepsOf } from '@plantroom/contract/api'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/service.ts'
import { boundsOf, type ChartRange } from './chart-range.ts'
import { appendPoint, NO_POINTS, type Points } from './points.ts'

/** A day of one value per minute is drawn as it is. Longer periods need fewer points, so that they load quickly. */
const MANY_POINTS = 1500
const FEW_POINTS = 1000
const LONGEST_EXACT_MS = 25 * 3_600_000
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

/** What the archive has for a chart. */
export interface LoadedArchive {
  points: Points
  /** Seconds that a point stands for. */
  step: number
  gaps: MeasurementSteps['gaps']
}

/** Loads the archived values of the range in one call, downsampled to what a chart can show. */
export function useArchive(query: HistoryQuery, enabled: boolean) {
  const { orgId, deviceId, datapointId, range } = query
  return useQuery({
    queryKey: ['measurements', ...keyOf(query)],
    enabled,
    ...CACHE,
    refetchInterval: range.kind === 'day' ? false : REFRESH_MS,
    queryFn: async (): Promise<LoadedArchive> => {
      const { from, to } = boundsOf(range, query)
      const points = to - from > LONGEST_EXACT_MS ? FEW_POINTS : MANY_POINTS
      const period = { from: iso(from), to: iso(to), points }
      const found = stepsOf(await api.listMeasurements({ orgId, deviceId, datapointId, query: period }))
      return { points: toPoints(found), step: found.step, gaps: found.gaps }
    },
  })
}

function toPoints({ points }: MeasurementSteps): Points {
  return {
    at: points.map(({ at }) => Date.parse(at)),
    value: points.map(({ mean }) => mean),
    low: points.map(({ min }) => min),
    high: points.map(({ max }) => max),
    count: points.map(({ count }) => count),
  }
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
