import { MAX_POINTS } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { intervalStart } from '@plantroom/contract/interval-start'

const DAY_S = 86_400
/** Steps that divide a longer one, so that a chart shows round times. */
const ROUND_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200]

/** A period in whole steps, in milliseconds; `step` in seconds. */
export interface SteppedPeriod {
  from: number
  to: number
  step: number
  /** When each step begins, and the end of the last one, where steps are days of a site: some have 23 or 25 hours. */
  starts?: readonly number[]
}

/**
 * Widens a period to whole steps since 1970: to the given step, or to the shortest round one with which it has at most
 * `points`. Steps of whole days begin at midnight of the site. Throws when that would be too many points.
 */
export function toSteps(
  period: { from: number; to: number },
  wanted: { step: number } | { points: number },
  timeZone = 'UTC',
): SteppedPeriod {
  if ('points' in wanted) return toSiteDays(firstRoundStep(period, wanted.points), period, timeZone)
  const found = widen(period, wanted.step)
  if (countSteps(found) <= MAX_POINTS) return toSiteDays(found, period, timeZone)
  const { step } = firstRoundStep(period, MAX_POINTS)
  throw new Failure(
    'invalid',
    `step: ${wanted.step} makes ${countSteps(found)} points of this period, and an answer has at most ${MAX_POINTS}: ask for a step of ${step} or a shorter period`,
    'step',
  )
}

/** `points` must be at least 2: a period across a boundary of any step needs two. */
function firstRoundStep(period: { from: number; to: number }, points: number): SteppedPeriod {
  for (let index = 0; ; index += 1) {
    const found = widen(period, roundStep(index))
    if (countSteps(found) <= points) return found
  }
}

function roundStep(index: number): number {
  const beyond = index - ROUND_STEPS.length
  const days = [1, 2, 5][beyond % 3] ?? 1
  return ROUND_STEPS[index] ?? days * 10 ** Math.floor(beyond / 3) * DAY_S
}

function widen({ from, to }: { from: number; to: number }, step: number): SteppedPeriod {
  const stepMs = step * 1000
  return { from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, step }
}

const countSteps = ({ from, to, step }: SteppedPeriod) => Math.max(0, (to - from) / (step * 1000))

/** The latest time that can be written. */
const END_OF_TIME = Date.parse('9999-12-31T23:59:59.999Z')

function toSiteDays(utc: SteppedPeriod, { from, to }: { from: number; to: number }, timeZone: string): SteppedPeriod {
  const { step } = utc
  if (step % DAY_S !== 0 || timeZone === 'UTC' || from >= to || to > END_OF_TIME - 2 * step * 1000) return utc
  const starts = [intervalStart(from, step * 1000, timeZone)]
  for (let last = starts[0] as number; last < to; starts.push(last)) {
    // From the middle of the next step, because a day has 23 to 25 hours.
    last = intervalStart(last + 1.5 * step * 1000, step * 1000, timeZone)
  }
  return { from: starts[0] as number, to: starts.at(-1) as number, step, starts }
}

/** Returns a function that finds when the step begins and ends that a moment of the period is in. */
export function stepFinder({ step, starts }: Pick<SteppedPeriod, 'step' | 'starts'>) {
  const stepMs = step * 1000
  return (moment: number): { start: number; end: number } => {
    if (!starts) return { start: moment - (moment % stepMs), end: moment - (moment % stepMs) + stepMs }
    const next = starts.findIndex((start) => start > moment)
    return { start: starts[next - 1] as number, end: starts[next] as number }
  }
}
