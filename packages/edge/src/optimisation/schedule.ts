import type { Schedule, ScheduleSlot } from '@plantroom/contract/datapoint'
import { activeSlot, type TimedSlot, timedSlots } from '@plantroom/contract/schedule-slots'
import type { SiteTime } from '@plantroom/contract/site-time'
import type { Want } from './claim-sink.ts'

const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 30_000

/** A slot with its times in minutes since midnight. */
export type Slot = Omit<TimedSlot, 'slot'> & { want: Want }

/** Returns the slots of a schedule. Leaves out a slot with invalid times: it would hold equipment at the wrong hours. */
export function slotsOf(schedule: Schedule): readonly Slot[] {
  return timedSlots(schedule.slots).map(({ slot, ...times }) => ({ ...times, want: wantOf(slot) }))
}

/** Returns what the active slot wants; the last one in the list where several are active. */
export function wantAt(slots: readonly Slot[], at: SiteTime): Want | undefined {
  return activeSlot(slots, at)?.want
}

/** Returns in how many milliseconds to evaluate again: at the next full minute, or sooner to notice a stepped clock. */
export function nextCheck(now: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS - (now % MINUTE_MS))
}

function wantOf({ mode, value }: ScheduleSlot): Want {
  return mode === 'offset' ? { offset: value } : { value }
}
