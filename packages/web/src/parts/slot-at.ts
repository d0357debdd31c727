import type { Schedule, TechnicalSystem } from '@plantroom/contract/datapoint'
import { addDays, dateAt, daysFrom } from './calendar-time.ts'
import { createSlotSpans } from './slot-spans.ts'

interface Span {
  from: number
  to: number
}

const known = new WeakMap<Schedule, Span>()

/**
 * Returns when the active slot of a datapoint's schedule began and when it ends; `undefined` without one, and where slots
 * follow each other for days.
 */
export function slotAt(systems: readonly TechnicalSystem[], datapointId: string, now: number): Span | undefined {
  for (const { schedules = [], timeZone = 'UTC' } of systems) {
    const schedule = schedules.find((each) => each.datapointId === datapointId)
    if (schedule) return spanAt(schedule, timeZone, now)
  }
  return undefined
}

/** Pages ask every second, and the answer takes a while. */
function spanAt(schedule: Schedule, timeZone: string, now: number): Span | undefined {
  const before = known.get(schedule)
  if (before && before.from <= now && now < before.to) return before
  const period = daysFrom(addDays(dateAt(now, timeZone), -1), 4, timeZone)
  const found = createSlotSpans(period, timeZone)(schedule.slots).find(({ start, end }) => start <= now && now < end)
  if (!found || found.end >= period.end) return undefined
  const span = { from: found.start, to: found.end }
  known.set(schedule, span)
  return span
}
