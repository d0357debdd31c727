import type { ScheduleSlot } from '@plantroom/contract/datapoint'
import { activeSlot, timedSlots } from '@plantroom/contract/schedule-slots'
import { type SiteTime, siteTimeAt } from '@plantroom/contract/site-time'
import type { CalendarPeriod } from './calendar-time.ts'
import { addDays } from './calendar-time.ts'
import { toLocalInput } from './time.ts'

const MINUTE_MS = 60_000
/** Clocks change at full or half hours. */
const STEP_MS = 30 * MINUTE_MS

export interface SlotSpan {
  slot: ScheduleSlot
  start: number
  end: number
}

/** Evaluates schedules for a period, as the controller does, also on days on which the clocks change. */
export function createSlotSpans(period: CalendarPeriod, timeZone: string) {
  const { start, end, days } = period
  // Several schedules ask for the same moments, and the answer takes a while.
  const known = new Map<number, SiteTime | undefined>()
  const timeAt = (at: number) => {
    if (!known.has(at)) known.set(at, siteTimeAt(timeZone, at))
    return known.get(at)
  }
  const offsets = new Set(days.flatMap((day) => [offsetAt(day.start, timeZone), offsetAt(day.end - 1, timeZone)]))
  const first = days[0]?.date ?? ''
  const dates = ['', ...days.map(({ date }) => date)].map((date) => date || addDays(first, -1))

  return (slots: readonly ScheduleSlot[]): SlotSpan[] => {
    const timed = timedSlots(slots)
    const minutes = new Set(timed.flatMap(({ from, to }) => [from, to]))
    const edges = new Set([start])
    for (let at = start + STEP_MS - (start % STEP_MS); at < end; at += STEP_MS) edges.add(at)
    for (const date of dates) {
      for (const minute of minutes) {
        for (const offset of offsets) {
          const at = Date.parse(`${date}T00:00Z`) + minute * MINUTE_MS - offset
          if (at > start && at < end) edges.add(at)
        }
      }
    }
    const inOrder = [...edges].sort((a, b) => a - b)
    const spans: SlotSpan[] = []
    for (const [index, at] of inOrder.entries()) {
      const time = timeAt(at)
      const found = time && activeSlot(timed, time)
      const until = inOrder[index + 1] ?? end
      const last = spans.at(-1)
      if (!found) continue
      if (last?.slot === found.slot && last.end === at) last.end = until
      else spans.push({ slot: found.slot, start: at, end: until })
    }
    return spans
  }
}

const offsetAt = (at: number, timeZone: string) =>
  Date.parse(`${toLocalInput(at, timeZone)}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS
