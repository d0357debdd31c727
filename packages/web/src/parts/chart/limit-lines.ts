import { toLocalInput } from '../time.ts'
import type { Period } from './period.ts'
import type { ChartSource, LimitStep } from './sources.ts'

/** What a line stands for: advice of the commissioning file, what the controller enforces, the peak limit, or a power limit. */
export type LimitKind = 'envelope-min' | 'envelope-max' | 'limit-min' | 'limit-max' | 'peak' | 'power-limit'

/** A limit over time: each value holds until the next one. */
export interface LimitLine {
  kind: LimitKind
  steps: readonly LimitStep[]
}

const HOUR_MS = 3_600_000
/** In a longer period, an hour is narrower than a pixel. */
const MOST_HOURS = 32 * 24

/** Returns the limits of a datapoint in a period. */
export function limitLines(source: ChartSource, period: Period): LimitLine[] {
  const flat = (kind: LimitKind, value: number | undefined): LimitLine[] =>
    value === undefined ? [] : [{ kind, steps: [{ ...period, value }] }]
  return [
    ...flat('envelope-min', source.envelope?.min),
    ...flat('envelope-max', source.envelope?.max),
    ...flat('limit-min', source.limits?.min),
    ...flat('limit-max', source.limits?.max),
    ...peakLine(source, period),
    ...ceilingLines(source, period),
  ]
}

function ceilingLines({ ceilings = [] }: ChartSource, { from, to }: Period): LimitLine[] {
  return ceilings.flatMap((steps): LimitLine[] => {
    const within = steps
      .filter((step) => step.from < to && step.to > from)
      .map((step) => ({ ...step, from: Math.max(from, step.from), to: Math.min(to, step.to) }))
    return within.length === 0 ? [] : [{ kind: 'power-limit', steps: within }]
  })
}

function peakLine({ peak }: ChartSource, period: Period): LimitLine[] {
  if (!peak) return []
  const { limitKw, timeZone } = peak
  if (typeof limitKw === 'number') return [{ kind: 'peak', steps: [{ ...period, value: limitKw }] }]
  // The lowest and the highest frame the others.
  if ((period.to - period.from) / HOUR_MS > MOST_HOURS) {
    return [Math.min(...limitKw), Math.max(...limitKw)].map((value) => ({
      kind: 'peak',
      steps: [{ ...period, value }],
    }))
  }
  return [{ kind: 'peak', steps: hourlySteps(limitKw, period, timeZone) }]
}

/** Joins equal hours. An hour that a clock change repeats or skips follows the clock on the wall. */
function hourlySteps(byHour: readonly number[], { from, to }: Period, timeZone: string): LimitLine['steps'] {
  const steps: LimitStep[] = []
  // Some zones are off by a half or a quarter of an hour.
  const quarter = HOUR_MS / 4
  for (let at = Math.floor(from / quarter) * quarter; at < to; at += quarter) {
    const hour = Number(toLocalInput(at, timeZone).slice(11, 13))
    const value = byHour[hour]
    if (value === undefined) continue
    const last = steps.at(-1)
    if (last && last.value === value && last.to === at) last.to = Math.min(to, at + quarter)
    else steps.push({ from: Math.max(from, at), to: Math.min(to, at + quarter), value })
  }
  return steps
}

/**
 * Returns the values to include in the axis of a line: limits near the values, so that the line keeps at least a third
 * of the height.
 */
export function nearbyLimits(values: readonly number[], min: number, max: number): number[] {
  const span = Math.max(max - min, Math.abs(max) * 0.1, 1e-9)
  return values.filter((value) => value >= min - span && value <= max + span)
}
