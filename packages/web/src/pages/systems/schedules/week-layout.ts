import { type ScheduleSlot, WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'
import { activeSlot, DAY_MINUTES, type TimedSlot, timedSlots } from '@plantroom/contract/schedule-slots'

/** A part of a day in which one slot is active. Positions are in percent of the day. */
export interface DaySegment {
  slot: ScheduleSlot
  left: number
  width: number
}

/** Lays out a schedule day by day, as the controller evaluates it: where slots overlap, the last one counts. */
export function layoutWeek(slots: readonly ScheduleSlot[]): { weekday: Weekday; segments: DaySegment[] }[] {
  const timed = timedSlots(slots)
  const edges = [...new Set([0, DAY_MINUTES, ...timed.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b)
  return WEEKDAYS.map((weekday) => ({ weekday, segments: segmentsOf(timed, edges, weekday) }))
}

function segmentsOf(timed: readonly TimedSlot[], edges: readonly number[], weekday: Weekday): DaySegment[] {
  const place = (minute: number) => (100 * minute) / DAY_MINUTES
  const segments: DaySegment[] = []
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? DAY_MINUTES
    const found = activeSlot(timed, { weekday, minute: from })
    const last = segments.at(-1)
    if (!found) continue
    if (last?.slot === found.slot && last.left + last.width === place(from)) last.width = place(to) - last.left
    else segments.push({ slot: found.slot, left: place(from), width: place(to) - place(from) })
  }
  return segments
}
