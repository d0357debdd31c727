import { MAX_POINTS } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'

const DAY_S = 86_400
/** Steps that divide a longer one, so that a chart shows round times. */
const ROUND_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200]

/** A period in whole steps, in milliseconds; `step` in seconds. */
export interface SteppedPeriod {
  from: number
  to: number
  step: number
}

/**
 * Widens a period to whole steps since 1970: to the given step, or to the shortest round one with which it has at most
 * `points`. Throws when that would be too many points.
 */
export function toSteps(
  period: { from: number; to: number },
  wanted: { step: number } | { points: number },
): SteppedPeriod {
  if ('points' in wanted) return firstRoundStep(period, wanted.points)
  const found = widen(period, wanted.step)
  if (countSteps(found) <= MAX_POINTS) return found
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
