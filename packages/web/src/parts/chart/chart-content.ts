import type { MeasurementSteps } from '@plantroom/contract/api'
import type { ReportEntry } from '@plantroom/contract/reports'
import { type Band, bandsOf, bandsWithin, cutTo, joinRunning } from './bands.ts'
import { isLimited } from './ceilings.ts'
import { movedPoints } from './compare.ts'
import { describeHolding, describeLimit, sourceName } from './describe-chart.ts'
import { type LimitLine, limitLines } from './limit-lines.ts'
import { panelsOf } from './panels.ts'
import type { Period } from './period.ts'
import type { PlotLine, PlotPicture } from './plot-picture.ts'
import {
  breakAfter,
  mergePoints,
  NO_POINTS,
  type PointSummary,
  type Points,
  pointsOf,
  pointsWithin,
  summarize,
  withBreaks,
} from './points.ts'
import { type ChartSource, sourceKey } from './sources.ts'

/** What is known of one datapoint of a chart. */
export interface ChartSeries {
  source: ChartSource
  /** Its place in the palette. */
  color: number
  points: Points
  /** Seconds that a point stands for. */
  step: number
  /** A longer silence is a gap. */
  breakMs: number
  compared: Points | undefined
  bands: readonly Band[]
  /** False before its archive is loaded, or when that failed: whether there are values is unknown. */
  isLoaded: boolean
  /** How many times the controller dropped values. */
  gaps: number
  /** True when an older controller archived single values instead of whole intervals. */
  hasSamples: boolean
}

/** Reports whether an older controller archived single values instead of whole intervals. */
export const hasSamples = (steps: Pick<MeasurementSteps, 'points'> | undefined): boolean =>
  steps?.points.some(({ coverage }) => coverage === null) ?? false

/** What was loaded for one datapoint. */
interface Loaded {
  source: ChartSource
  color: number
  steps: MeasurementSteps | undefined
  live?: Points | undefined
  /** Values of another time, and how many days before. */
  compared?: { steps: MeasurementSteps; days: number } | undefined
  entries: readonly ReportEntry[]
  planned?: readonly Band[] | undefined
  /** When the audit entries begin. */
  since: number
  now: number
  timeZone: string
}

/** The interval of a datapoint of which nothing is known. */
const USUAL_INTERVAL = 60

/** Joins what the archive, the audit and the live stream know of a datapoint. */
export function seriesOf(loaded: Loaded): ChartSeries {
  const { source, color, steps, live = NO_POINTS, compared, planned = [], since, now, timeZone } = loaded
  const hasIntervals = steps?.points.some(({ coverage }) => coverage !== null) ?? false
  const step = Math.max(steps?.step ?? 0, hasIntervals ? (source.interval ?? 0) : 0)
  const archived = steps ? pointsOf(steps) : NO_POINTS
  const archivedUntil = (archived.at.at(-1) ?? 0) + step * 1000
  // The audit has power limits at their meter, which nothing holds.
  const entries = loaded.entries.filter(
    ({ deviceId, datapointId }) =>
      deviceId === source.deviceId && datapointId === source.datapointId && !isLimited(source),
  )
  return {
    source,
    color,
    points: mergePoints(archived, live, archivedUntil),
    step,
    breakMs: breakAfter(source.interval ?? USUAL_INTERVAL, step),
    compared: compared && movedPoints(pointsOf(compared.steps), compared.days, timeZone),
    bands: [...bandsOf(entries, { since, now }), ...planned],
    isLoaded: steps !== undefined || source.interval === 0,
    gaps: steps?.gaps.length ?? 0,
    hasSamples: hasSamples(steps),
  }
}

/** Returns the points of a period. Its first step may begin before it. */
export const pointsIn = ({ points, step }: ChartSeries, { from, to }: Period): Points =>
  pointsWithin(points, from - step * 1000, to)

export const summaryOf = (series: ChartSeries, period: Period): PointSummary | undefined =>
  summarize(pointsIn(series, period))

/** Returns the holds of a period for a list, with the past and planned part of an active override as one. */
export const holdsIn = ({ bands }: ChartSeries, { from, to }: Period): Band[] =>
  joinRunning(bandsWithin(bands, from, to))

/** The lines of a panel, which do not change while a person moves and zooms. */
export interface ChartPanel {
  units: readonly (string | undefined)[]
  series: readonly ChartSeries[]
  lines: readonly PlotLine[]
}

/** Arranges datapoints in panels. */
export function chartPanels(all: readonly ChartSeries[]): ChartPanel[] {
  const withUnits = all.map((series) => ({ unit: series.source.unit, series }))
  return panelsOf(withUnits).map(({ units, lines }) => ({
    units,
    series: lines.map(({ series }) => series),
    lines: lines.map(({ series }) => lineOf(series)),
  }))
}

function lineOf({ source, color, points, breakMs, compared }: ChartSeries): PlotLine {
  return {
    key: sourceKey(source),
    color,
    unit: source.unit,
    isStepped: source.isSetpoint,
    data: withBreaks(points, breakMs),
    compared: compared && withBreaks(compared, breakMs),
  }
}

/** Returns the picture of a panel in a period. */
export function pictureOf({ units, series, lines }: ChartPanel, period: Period, now: number): PlotPicture {
  const isAlone = series.length === 1
  const limits = series.flatMap(({ source }) =>
    limitsOf(source, period).map((limit) => ({
      ...limit,
      unit: source.unit,
      label: describeLimit(limit, source.unit, isAlone ? undefined : sourceName(source)),
      shortLabel: describeLimit(limit, source.unit),
    })),
  )
  const bands = series.flatMap(({ source, bands: all }) =>
    cutTo(all, period.from, period.to).map((band) => ({
      ...band,
      unit: source.unit,
      label: describeHolding(band, source.unit),
    })),
  )
  return { ...period, units, lines, limits, bands: bands.toSorted((a, b) => a.from - b.from), now }
}

/** Returns the limits of a datapoint, without advice that equals what is enforced. */
export function limitsOf(source: ChartSource, period: Period): LimitLine[] {
  const all = limitLines(source, period)
  const limitAt = (kind: LimitLine['kind']) => all.find((line) => line.kind === kind)?.steps[0]?.value
  return all.filter(
    ({ kind }) =>
      !(kind === 'envelope-min' && limitAt('limit-min') === limitAt(kind)) &&
      !(kind === 'envelope-max' && limitAt('limit-max') === limitAt(kind)),
  )
}

/** Returns when a datapoint fell silent; `undefined` while values arrive or while nothing is loaded, `null` when there was none. */
export function silentSince({ points, breakMs, isLoaded }: ChartSeries, now: number): number | null | undefined {
  const last = points.at.at(-1)
  if (last === undefined) return isLoaded ? null : undefined
  // A point stands at the beginning of its interval, and the next one arrives when that one is over.
  return now - last > Math.max(2 * breakMs, 180_000) ? last : undefined
}

/** Reports whether points stand for several values, or for a whole interval. */
export const hasMeans = ({ points }: ChartSeries): boolean =>
  points.count.some((count, index) => count > 1 || points.low[index] !== points.high[index])
