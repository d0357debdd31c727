import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { historyKey, useHoldEntries, useMeasurements } from '../../api/use-history.ts'
import { useLimitIntervals } from '../../api/use-limit-intervals.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/live-devices.ts'
import { isLimited, withCeilings } from '../../parts/chart/ceilings.ts'
import { hasMeans, seriesOf } from '../../parts/chart/chart-content.ts'
import { comparisonFrom, daysBefore, movedByDays } from '../../parts/chart/compare.ts'
import { axisEnd, type ChartRange, historyPeriod, type Period } from '../../parts/chart/period.ts'
import type { ChartSource } from '../../parts/chart/sources.ts'
import { useHeldCeilings } from '../../parts/chart/use-held-ceilings.ts'
import { serviceNow } from '../../service-clock.ts'

/** Loads what a chart of the site shows. */
export function useSiteChart({
  sources,
  range,
  period,
  zoom,
  now,
}: {
  sources: readonly ChartSource[]
  range: ChartRange
  period: Period
  zoom: Period | undefined
  now: number
}) {
  const { site, orgId } = useSite()
  const { timeZone } = site
  const [search] = useSearchParams()
  const wanted = historyPeriod({ range, zoom, timeZone, now: serviceNow })
  const archived = sources.filter(({ interval }) => interval !== 0)
  const measurements = useMeasurements(archived, wanted)
  const holds = useHoldEntries(sources, wanted)

  const limited = sources.filter(isLimited).map(({ deviceId }) => deviceId)
  const { views } = useLiveDevices(orgId, wanted.refreshMs === false ? [] : [...new Set(limited)])
  const devices = [...views].map(([deviceId, view]) => ({ deviceId, device: view.device }))
  const past = useLimitIntervals(wanted, { enabled: limited.length > 0 })
  const { ceilings, plannedUntil } = useHeldCeilings(past, devices, now)

  const comparison = comparisonFrom(search)
  const days = comparison && daysBefore(comparison, period, timeZone)
  const other = useMeasurements(days === undefined ? [] : archived, {
    key: `${wanted.key} before ${days}`,
    refreshMs: false,
    bounds: () => {
      const { from, to } = wanted.bounds()
      return { from: movedByDays(from, -(days ?? 0), timeZone), to: movedByDays(to, -(days ?? 0), timeZone) }
    },
  })

  const loaded = measurements.data
  const compared = days === undefined ? undefined : other.data
  const entries = holds.data
  const series = useMemo(
    () =>
      withCeilings(sources, ceilings).map((source, color) => {
        const steps = loaded?.steps.get(historyKey(source))
        const before = compared?.steps.get(historyKey(source))
        return seriesOf({
          source,
          color,
          steps,
          compared: before && days !== undefined ? { steps: before, days } : undefined,
          entries: entries?.entries ?? [],
          since: entries?.since ?? now,
          now,
          timeZone,
        })
      }),
    [sources, ceilings, loaded, compared, days, entries, now, timeZone],
  )
  return {
    series,
    /** A limit that is in force or queued is drawn until it ends, as planned overrides are. */
    period: zoom ?? { from: period.from, to: axisEnd(range, { to: period.to, plannedUntil }) },
    measurements,
    holds,
    comparison: { error: days === undefined ? null : other.error, refetch: other.refetch, days },
    key: wanted.key,
    isLoading:
      holds.isPlaceholderData ||
      (archived.length > 0 && (measurements.isPlaceholderData || (days !== undefined && isOutdated(other)))),
    step: Math.max(0, ...series.map((each) => each.step)),
    hasMeans: series.some(hasMeans),
    gaps: Math.max(0, ...series.map((each) => each.gaps)),
    hasSamples: series.some((each) => each.hasSamples),
  }
}

/** Reports whether a query has nothing yet, or the values of another period. */
const isOutdated = ({ isPending, isPlaceholderData }: { isPending: boolean; isPlaceholderData: boolean }) =>
  isPending || isPlaceholderData
