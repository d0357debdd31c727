import { type MeasurementPage, pages } from '@plantroom/client/history'
import type { ReportEntry } from '@plantroom/contract/reports'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { administration } from '../../../api/service.ts'
import { boundsOf, type ChartRange } from './chart-range.ts'
import type { Points } from './points.ts'

const PAGE = 10_000
const REPORT_PAGE = 1000
/** Nobody reads more on a chart. */
const MAX_REPORTS = 5000
const REFRESH_MS = 300_000
/** A window lasts no longer: whoever held a datapoint at the start took it over within this time before. */
const LONGEST_WINDOW_MS = 24 * 3_600_000

interface Stretch {
  orgId: string
  deviceId: string
  datapointId: string
  range: ChartRange
  timeZone: string
  /** By the clock of the device. */
  now: number
}

const keyOf = ({ orgId, deviceId, datapointId, range, timeZone }: Stretch) => [
  orgId,
  deviceId,
  datapointId,
  range.kind === 'day' ? range.day : range.kind,
  timeZone,
]

const asked = { staleTime: 60_000, gcTime: 60_000, refetchOnWindowFocus: false } as const

/** The archived values of the range, all of them, and how many there are while they come. */
export function useArchive(stretch: Stretch, enabled: boolean) {
  const { orgId, deviceId, datapointId, range } = stretch
  const [loaded, setLoaded] = useState(0)
  const query = useQuery({
    queryKey: ['measurements', ...keyOf(stretch)],
    enabled,
    ...asked,
    refetchInterval: range.kind === 'day' ? false : REFRESH_MS,
    queryFn: async ({ signal }) => {
      const { from, to } = boundsOf(range, stretch)
      const points = { at: [] as number[], value: [] as number[] }
      let gaps: MeasurementPage['gaps'] = []
      const page = (cursor: string | undefined) =>
        administration.measurements(orgId, deviceId, datapointId, { from: iso(from), to: iso(to), limit: PAGE, cursor })
      for await (const { measurements, gaps: told } of pages(page)) {
        signal.throwIfAborted()
        for (const { at, value } of measurements) {
          points.at.push(Date.parse(at))
          points.value.push(value)
        }
        gaps = told
        setLoaded(points.at.length)
      }
      return { points: points as Points, gaps }
    },
  })
  return { query, loaded }
}

/** What was done to the datapoint in the range, and a day before it. */
export function useDone(stretch: Stretch) {
  const { orgId, deviceId, datapointId, range } = stretch
  return useQuery({
    queryKey: ['reports', ...keyOf(stretch), 'chart'],
    ...asked,
    staleTime: 5000,
    refetchInterval: range.kind === 'day' ? false : 15_000,
    queryFn: async ({ signal }) => {
      const { from, to } = boundsOf(range, stretch)
      const since = from - LONGEST_WINDOW_MS
      const entries: ReportEntry[] = []
      const filters = { deviceId, datapointId, from: iso(since), limit: REPORT_PAGE }
      const until = range.kind === 'day' ? { to: iso(to) } : {}
      for await (const { reports } of pages((cursor) =>
        administration.reports(orgId, { ...filters, ...until, cursor }),
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
