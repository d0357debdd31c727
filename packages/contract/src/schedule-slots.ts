import { type ScheduleSlot, WEEKDAYS, type Weekday } from './datapoint.ts'
import type { SiteTime } from './site-time.ts'

export const DAY_MINUTES = 24 * 60
const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** A slot with its times in minutes since midnight. */
export interface TimedSlot {
  days: readonly Weekday[]
  from: number
  /** Less than or equal to `from` where the slot ends on the next day. */
  to: number
  slot: ScheduleSlot
}

/** Returns the slots with their times. Leaves out a slot with invalid times: it would hold equipment at the wrong hours. */
export function timedSlots(slots: readonly ScheduleSlot[]): TimedSlot[] {
  return slots.flatMap((slot) => {
    const from = minutesOf(slot.from)
    const to = minutesOf(slot.to)
    return from === undefined || to === undefined ? [] : [{ days: slot.days, from, to, slot }]
  })
}

/** Returns the slot that is active at a local time; the last one in the list where several are. */
export function activeSlot<Slot extends Omit<TimedSlot, 'slot'>>(
  slots: readonly Slot[],
  at: SiteTime,
): Slot | undefined {
  return slots.findLast((slot) => isActive(slot, at))
}

function isActive({ days, from, to }: Omit<TimedSlot, 'slot'>, { weekday, minute }: SiteTime): boolean {
  if (from < to) return days.includes(weekday) && from <= minute && minute < to
  return (days.includes(weekday) && from <= minute) || (days.includes(dayBefore(weekday)) && minute < to)
}

function dayBefore(weekday: Weekday): Weekday {
  return WEEKDAYS.at(WEEKDAYS.indexOf(weekday) - 1) as Weekday
}

/** Parses `HH:MM`, or `24:00` for the end of a day, to minutes since midnight. */
function minutesOf(time: string): number | undefined {
  const found = TIME.exec(time)
  if (!found) return undefined
  const [, hour, minute] = found
  return hour === undefined ? DAY_MINUTES : Number(hour) * 60 + Number(minute)
}
