import type { Reading } from '@plantroom/drivers/driver'
import { showsSetpoint, writableOf } from './equipment.ts'
import type { Hold } from './hold.ts'

/** A gateway may carry out a write that timed out many seconds later, and slow equipment may fall back. */
export const WATCH_MS = 60_000
export const WATCH_POLLS = 3

/** The look at a released datapoint, until it has been long and often enough. Times are monotonic. */
export interface ReleaseWatch {
  since: number
  polls: number
  /** What the equipment showed last. A person may have changed it since the release. */
  last?: Reading
}

export const beganWatch = (now: number): ReleaseWatch => ({ since: now, polls: 0 })

/** Takes in the reading of a poll. `came-back`: it shows a setpoint that was released. Pure. */
export function watchReading(
  watch: ReleaseWatch,
  { reading, hold, now }: { reading: Reading; hold: Hold; now: number },
): { next: ReleaseWatch; outcome: 'watching' | 'over' | 'came-back' } {
  const { setpoints, plain } = hold.recent ?? { setpoints: [], plain: { raw: null } }
  if (showsSetpoint(reading, { setpoints, goal: writableOf(plain) })) return { next: watch, outcome: 'came-back' }
  const next = { since: watch.since, polls: watch.polls + 1, last: reading }
  return { next, outcome: next.polls >= WATCH_POLLS && now - next.since >= WATCH_MS ? 'over' : 'watching' }
}
