import { type Schedule, type ScheduleSlot, WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'
import type { Want } from './claim-sink.ts'
import type { SiteTime } from './site-time.ts'

/** A slot with its times as minutes since midnight, ready to be looked at every minute. */
export interface Slot {
  days: readonly Weekday[]
  from: number
  /** Not after `from` where it is of the next day. */
  to: number
  want: Want
}

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 30_000
const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** The slots of a schedule. One whose times cannot be read is left out: it would hold equipment at hours nobody meant. */
export function slotsOf(schedule: Schedule): readonly Slot[] {
  return schedule.slots.flatMap((slot) => {
    const from = minutesOf(slot.from)
    const to = minutesOf(slot.to)
    return from === undefined || to === undefined ? [] : [{ days: slot.days, from, to, want: wantOf(slot) }]
  })
}

/** What the active slot wants; of several the later in the list. `undefined` where none is active. */
export function wantAt(slots: readonly Slot[], at: SiteTime): Want | undefined {
  return slots.findLast((slot) => isActive(slot, at))?.want
}

/** In how many milliseconds to look again: at the whole minute, and soon enough to notice a clock that was set. */
export function nextCheck(now: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS - (now % MINUTE_MS))
}

function isActive({ days, from, to }: Slot, { weekday, minute }: SiteTime): boolean {
  if (from < to) return days.includes(weekday) && from <= minute && minute < to
  return (days.includes(weekday) && from <= minute) || (days.includes(dayBefore(weekday)) && minute < to)
}

function dayBefore(weekday: Weekday): Weekday {
  return WEEKDAYS.at(WEEKDAYS.indexOf(weekday) - 1) as Weekday
}

function wantOf({ mode, value }: ScheduleSlot): Want {
  return mode === 'offset' ? { offset: value } : { value }
}

function minutesOf(time: string): number | undefined {
  const found = TIME.exec(time)
  if (!found) return undefined
  const [, hour, minute] = found
  return hour === undefined ? DAY_MINUTES : Number(hour) * 60 + Number(minute)
}
