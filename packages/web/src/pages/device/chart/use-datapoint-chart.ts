import { useMemo } from 'react'
import { historyKey, useHoldEntries, useMeasurements } from '../../../api/use-history.ts'
import { plannedBands } from '../../../parts/chart/bands.ts'
import { hasMeans, hasSamples, seriesOf } from '../../../parts/chart/chart-content.ts'
import { axisEnd, boundsOf, type ChartRange, historyPeriod, type Period } from '../../../parts/chart/period.ts'
import type { ChartSource } from '../../../parts/chart/sources.ts'
import { useLivePoints } from '../../../parts/chart/use-live-points.ts'
import type { When } from '../../../parts/describe-hold.ts'
import type { DatapointRow } from '../rows.ts'

/** Often enough to see it move. */
const STEP_MS = 2000

/** Loads and follows one datapoint of a controller; time is that of the controller. */
export function useDatapointChart({
  source,
  row,
  range,
  zoom,
  when,
  isLost,
}: {
  source: ChartSource
  row: DatapointRow | undefined
  range: ChartRange
  zoom: Period | undefined
  when: When
  isLost: boolean
}) {
  const { timeZone } = when
  const now = Math.floor(when.now / STEP_MS) * STEP_MS
  const wanted = historyPeriod({ range, zoom, timeZone, now: () => when.now })
  const archive = useMeasurements(source.interval === 0 ? [] : [source], wanted)
  const holds = useHoldEntries([source], wanted)
  const live = useLivePoints(isLost ? undefined : row?.value)

  const bounds = zoom ?? boundsOf(range, { now, timeZone })
  const { overrides, hold } = row ?? {}
  const steps = archive.data?.steps.get(historyKey(source))
  const entries = holds.data
  const { series, plannedUntil } = useMemo(() => {
    const planned = plannedBands(overrides ?? [], hold, now)
    const one = seriesOf({
      source,
      color: 0,
      steps,
      live,
      planned,
      entries: entries?.entries ?? [],
      since: entries?.since ?? now,
      now,
      timeZone,
    })
    return { series: [one], plannedUntil: Math.max(0, ...planned.map(({ to }) => to)) }
  }, [source, steps, live, overrides, hold, entries, now, timeZone])

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
