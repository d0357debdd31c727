import type { Band } from './bands.ts'
import type { Period } from './period.ts'
import type { Points } from './points.ts'

/** How much of the time around a hold is compared with it. */
export const AROUND_MS = 3_600_000

/** The means of the archived values around a hold; `null` where there are none. */
export interface BeforeAfter {
  before: number | null
  during: number | null
  after: number | null
  /** The mean during the hold minus that before it. */
  difference: number | null
}

/** A link that was made a moment too early or too late still means the hold beside it. */
const NEAR_MS = 60_000

/** Finds the hold that a link names by a moment: the one that lasts then, or else that starts or ends nearby. */
export function holdAt(bands: readonly Band[], at: number): Band | undefined {
  const past = bands.filter(({ isPlanned }) => !isPlanned)
  const inside = past.filter(({ from, to, isOpen }) => from <= at && (isOpen || at < to))
  const distance = ({ from, to }: Band) => Math.min(Math.abs(from - at), Math.abs(to - at))
  const [nearest] = past.toSorted((a, b) => distance(a) - distance(b))
  return inside.at(-1) ?? (nearest && distance(nearest) <= NEAR_MS ? nearest : undefined)
}

/** Returns the period from an hour before a hold to an hour after it. */
export const around = ({ from, to }: Period): Period => ({ from: from - AROUND_MS, to: to + AROUND_MS })

/** Computes the means before, during and after a hold. Steps across its start or end belong to neither side. */
export function beforeAfter(points: Points, { from, to }: Period, stepMs: number): BeforeAfter {
  const before = meanWithin(points, { from: from - AROUND_MS, to: from }, stepMs)
  const during = meanWithin(points, { from, to }, stepMs)
  const after = meanWithin(points, { from: to, to: to + AROUND_MS }, stepMs)
  return { before, during, after, difference: before === null || during === null ? null : during - before }
}

/** Returns the mean of the values whose whole step is within a period; `null` without any. */
function meanWithin({ at, value, count }: Points, { from, to }: Period, stepMs: number): number | null {
  let sum = 0
  let values = 0
  for (const [index, time] of at.entries()) {
    if (time < from || time + stepMs > to) continue
    sum += (value[index] as number) * (count[index] as number)
    values += count[index] as number
  }
  return values === 0 ? null : sum / values
}
