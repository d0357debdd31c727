import { useMemo } from 'react'
import { historyKey, useHoldEntries, useMeasurements } from '../../../api/use-history.ts'
import { useLimitIntervals } from '../../../api/use-limit-intervals.ts'
import { plannedBands } from '../../../parts/chart/bands.ts'
import { isLimited, withCeilings } from '../../../parts/chart/ceilings.ts'
import { hasMeans, hasSamples, seriesOf } from '../../../parts/chart/chart-content.ts'
import { axisEnd, boundsOf, type ChartRange, historyPeriod, type Period } from '../../../parts/chart/period.ts'
import type { ChartSource } from '../../../parts/chart/sources.ts'
import { useHeldCeilings } from '../../../parts/chart/use-held-ceilings.ts'
import { useLivePoints } from '../../../parts/chart/use-live-points.ts'
import type { When } from '../../../parts/describe-hold.ts'
import type { DatapointRow } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'

/** Often enough to see it move. */
const STEP_MS = 2000

/** Loads and follows one datapoint of a controller; time is that of the controller. */
export function useDatapointChart({
  source,
  row,
  range,
  zoom,
  when,
  state: { device, isLost },
}: {
  source: ChartSource
  row: DatapointRow | undefined
  range: ChartRange
  zoom: Period | undefined
  when: When
  state: Pick<LiveState, 'device' | 'isLost'>
}) {
  const { timeZone } = when
  const now = Math.floor(when.now / STEP_MS) * STEP_MS
  const wanted = historyPeriod({ range, zoom, timeZone, now: () => when.now })
  const archive = useMeasurements(source.interval === 0 ? [] : [source], wanted)
  const holds = useHoldEntries([source], wanted)
  const past = useLimitIntervals(wanted, { enabled: isLimited(source) })
  const { ceilings, plannedUntil: limitedUntil } = useHeldCeilings(past, [{ deviceId: source.deviceId, device }], now)
  const live = useLivePoints(isLost ? undefined : row?.value)

  const bounds = zoom ?? boundsOf(range, { now, timeZone })
  const { overrides, hold } = row ?? {}
  const steps = archive.data?.steps.get(historyKey(source))
  const entries = holds.data
  const { series, plannedUntil } = useMemo(() => {
    const planned = plannedBands(overrides ?? [], hold, now)
    const one = seriesOf({
      source: withCeilings([source], ceilings)[0] ?? source,
      color: 0,
      steps,
      live,
      planned,
      entries: entries?.entries ?? [],
      since: entries?.since ?? now,
      now,
      timeZone,
    })
    return {
      series: [one],
      plannedUntil: Math.max(isLimited(source) ? limitedUntil : 0, ...planned.map(({ to }) => to)),
    }
  }, [source, ceilings, limitedUntil, steps, live, overrides, hold, entries, now, timeZone])

  return {
    archive,
    holds,
    series,
    now,
    period: zoom ?? { from: bounds.from, to: axisEnd(range, { to: bounds.to, plannedUntil }) },
    key: wanted.key,
    step: steps?.step ?? 0,
    hasMeans: series.some(hasMeans),
    gaps: steps?.gaps.length ?? 0,
    hasSamples: hasSamples(steps),
  }
}
