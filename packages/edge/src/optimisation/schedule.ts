import { type Schedule, type ScheduleSlot, WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'
import type { Want } from './claim-sink.ts'
import type { SiteTime } from './site-time.ts'

/** A slot with its times in minutes since midnight. */
export interface Slot {
  days: readonly Weekday[]
  from: number
  /** Less than or equal to `from` where the slot ends on the next day. */
  to: number
  want: Want
}

const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 30_000
const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** Returns the slots of a schedule. Leaves out a slot with invalid times: it would hold equipment at the wrong hours. */
export function slotsOf(schedule: Schedule): readonly Slot[] {
  return schedule.slots.flatMap((slot) => {
    const from = minutesOf(slot.from)
    const to = minutesOf(slot.to)
    return from === undefined || to === undefined ? [] : [{ days: slot.days, from, to, want: wantOf(slot) }]
  })
}

/** Returns what the active slot wants; the last one in the list where several are active. */
export function wantAt(slots: readonly Slot[], at: SiteTime): Want | undefined {
  return slots.findLast((slot) => isActive(slot, at))?.want
}

/** Returns in how many milliseconds to evaluate again: at the next full minute, or sooner to notice a stepped clock. */
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
