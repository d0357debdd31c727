import type { Reading } from '@plantroom/drivers/driver'
import { shows } from './equipment.ts'
import type { Hold } from './hold.ts'

/** A gateway may carry out a write that timed out many seconds later, and slow equipment may fall back. */
export const WATCH_MS = 60_000
export const WATCH_POLLS = 3

/** The look at a released datapoint, until it has been long and often enough. Times are monotonic. */
export interface ReleaseWatch {
  since: number
  polls: number
}

export const beganWatch = (now: number): ReleaseWatch => ({ since: now, polls: 0 })

/** Takes in the reading of a poll. `came-back`: it shows a setpoint that was released. Pure. */
export function watchReading(
  { since, polls }: ReleaseWatch,
  { reading, hold, now }: { reading: Reading; hold: Hold; now: number },
): { next: ReleaseWatch; outcome: 'watching' | 'over' | 'came-back' } {
  const next = { since, polls: polls + 1 }
  if (hold.recent?.setpoints.some((setpoint) => shows(reading, setpoint))) return { next, outcome: 'came-back' }
  return { next, outcome: next.polls >= WATCH_POLLS && now - since >= WATCH_MS ? 'over' : 'watching' }
}
