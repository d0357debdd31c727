import type { MeasurementSteps } from '@plantroom/contract/api'
import type { LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { mainMeasurements, sitePower } from '@plantroom/contract/main-measurements'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { type Band, bandsOf } from '../../../parts/chart/bands.ts'
import type { ChartSeries } from '../../../parts/chart/chart-content.ts'
import { breakAfter, mergePoints, NO_POINTS, type Points, pointsOf, sumPoints } from '../../../parts/chart/points.ts'
import { type ChartSource, sourceKey, sourcesOf } from '../../../parts/chart/sources.ts'

/** Live states of the site's controllers, as far as this part needs them. */
export interface DayDevice {
  device: { id: string }
  view: { device: Pick<LiveDevice, 'connections' | 'powerLimit'> | undefined } | undefined
}

/** One chart of the day: a datapoint, or meters that are added up. */
export interface DayMeasure {
  key: string
  isPower: boolean
  sources: readonly ChartSource[]
}

interface Commissioned {
  id: string
  name: string
  systems: readonly TechnicalSystem[] | undefined
}

/** Chooses what the page of a site shows: its power first. Meters with different units cannot be added up. */
export function dayMeasures(devices: readonly Commissioned[]): DayMeasure[] {
  const systems = devices.flatMap((device) => device.systems ?? [])
  const sources = sourcesOf(devices)
  const sourcesFor = (points: readonly { id: string }[]) => {
    const ids = new Set(points.map(({ id }) => id))
    return sources.filter(({ datapointId, interval }) => ids.has(datapointId) && interval !== 0)
  }
  const measure = (isPower: boolean, of: readonly ChartSource[]): DayMeasure => ({
    key: of.map(sourceKey).join(' '),
    isPower,
    sources: of,
  })
  const power = sourcesFor(sitePower(systems))
  const canAdd = new Set(power.map(({ unit }) => unit)).size <= 1
  const powers = canAdd ? [power].filter(({ length }) => length > 0) : power.map((each) => [each])
  return [
    ...powers.map((of) => measure(true, of)),
    ...sourcesFor(mainMeasurements(systems)).map((each) => measure(false, [each])),
  ]
}

/** Joins the archive and the live values of a measure. A sum exists only where every meter has a value. */
export function daySeries(
  { sources }: DayMeasure,
  stepsOf: (source: ChartSource) => MeasurementSteps | undefined,
  live: Points,
): ChartSeries | undefined {
  const [first] = sources
  if (!first) return undefined
  const loaded = sources.map(stepsOf)
  const step = Math.max(0, ...loaded.map((each) => each?.step ?? 0))
  const archived = sumPoints(loaded.map((each) => (each ? pointsOf(each) : NO_POINTS)))
  const archivedUntil = (archived.at.at(-1) ?? 0) + step * 1000
  const interval = Math.max(0, ...sources.map((each) => each.interval ?? 0))
  return {
    source:
      sources.length === 1 ? first : { ...first, peak: undefined, limitedKwPerUnit: undefined, ceilings: undefined },
    color: 0,
    points: mergePoints(archived, live, archivedUntil),
    step,
    breakMs: breakAfter(interval, step),
    compared: undefined,
    bands: [],
    isLoaded: loaded.every((each) => each !== undefined),
    gaps: 0,
    hasSamples: false,
  }
}

/** Returns the value of a measure now, with the time of its oldest part; `undefined` where a part is missing. */
export function liveSum(values: readonly (DatapointValue | undefined)[]): { at: number; value: number } | undefined {
  let [sum, oldest] = [0, Number.POSITIVE_INFINITY]
  for (const each of values) {
    const at = each === undefined ? Number.NaN : Date.parse(each.timestamp)
    if (typeof each?.value !== 'number' || Number.isNaN(at)) return undefined
    sum += each.value
    oldest = Math.min(oldest, at)
  }
  return values.length === 0 ? undefined : { at: oldest, value: sum }
}

/** The holds of a site by one writer: periods in which it held anything, and how many holds there were. */
export interface WriterDay {
  by: Band['by']
  count: number
  bands: readonly Band[]
}

/** Leaves out the entries of power limits, which the audit has at their meter: nothing holds that. */
export function heldEntries(
  entries: readonly ReportEntry[],
  devices: readonly { systems: readonly TechnicalSystem[] | undefined }[],
): ReportEntry[] {
  const meters = new Set(
    devices.flatMap(({ systems }) => (systems ?? []).flatMap(({ powerLimit }) => powerLimit?.meterId ?? [])),
  )
  return entries.filter(({ datapointId }) => !meters.has(datapointId))
}

/** Joins the holds of all datapoints by writer, in the order of the first one. */
export function writerDays(
  entries: readonly ReportEntry[],
  span: { since: number; from: number; now: number },
): WriterDay[] {
  const byDatapoint = Map.groupBy(entries, ({ deviceId, datapointId }) => `${deviceId} ${datapointId}`)
  const all = [...byDatapoint.values()]
    .flatMap((of) => bandsOf(of, span))
    .filter(({ to }) => to > span.from)
    .toSorted((a, b) => a.from - b.from)
  return [...Map.groupBy(all, ({ by }) => by)].map(([by, of]) => ({ by, count: of.length, bands: joined(of) }))
}

/** Joins overlapping periods, which come in order. Several datapoints have no common value. */
function joined(bands: readonly Band[]): Band[] {
  const result: Band[] = []
  for (const band of bands) {
    const last = result.at(-1)
    if (last && band.from <= last.to) last.to = Math.max(last.to, band.to)
    else result.push({ ...band, value: null, overrideId: null })
  }
  return result
}
