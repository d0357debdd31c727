import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSystemsKeptUp } from '../../api/known-systems.ts'
import { useAll } from '../../api/use-all.ts'
import { technicalSystemsOf, useDevices } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/live-devices.ts'
import type { CalendarPeriod } from '../../parts/calendar-time.ts'
import { calendarRows } from './calendar-rows.ts'

const DAY_MS = 86_400_000
const PAGE = 1000
/** More would take long to load, and nobody could read it. */
const MOST_ENTRIES = 5000
const EVERY_MS = 30_000

/** Loads everything that the calendar shows of a period. Live overrides arrive by themselves. */
export function useCalendar(period: CalendarPeriod, now: number) {
  const { orgId, siteId, site } = useSite()
  const devices = useDevices()
  const listed = useMemo(() => devices.data ?? [], [devices.data])
  const { views: live } = useLiveDevices(
    orgId,
    listed.map(({ id }) => id),
  )
  const systems = useQueries({
    queries: listed.map(({ id }) => technicalSystemsOf(orgId, id)),
    combine: (results) => ({
      data: results.map(({ data }) => data),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error ?? null,
    }),
  })
  useSystemsKeptUp(
    orgId,
    listed.map(({ id }, index) => ({ id, systems: systems.data[index], live: live.get(id)?.device })),
  )
  const reports = useReports(siteId, period)

  // The state of a controller arrives every two seconds; the calendar need not follow the clock faster than that.
  const rows = useMemo(
    () =>
      calendarRows(
        listed.map((device, index) => ({
          device,
          systems: systems.data[index] ?? [],
          live: live.get(device.id)?.device?.overrides ?? [],
        })),
        reports.data ?? [],
        { period, timeZone: site.timeZone, now },
      ),
    [listed, systems.data, live, reports.data, period, site.timeZone, now],
  )
  const silent = listed.filter(({ id, online }) => {
    const view = live.get(id)
    return view?.isOffline || (!view?.device && !online)
  })
  return {
    rows,
    silent,
    isCut: (reports.data?.length ?? 0) >= MOST_ENTRIES,
    isLoading: devices.isPending || systems.isLoading || reports.isPending,
    error: devices.error ?? systems.error ?? reports.error,
    refetch: () => Promise.all([devices.refetch(), reports.refetch()]),
  }
}

/** Loads the audit of demand response. An override is at most 24 hours long, so it began at most a day before. */
function useReports(siteId: string, { start, end }: CalendarPeriod) {
  const [from, to] = [new Date(start - DAY_MS).toISOString(), new Date(end).toISOString()]
  return useAll('listReports', { query: { siteId, code: 4005, from, to, limit: PAGE } }, (page) => page.reports, {
    most: MOST_ENTRIES,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  })
}
