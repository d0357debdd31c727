import { numberIn } from './numbers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Shorter than any period between two changes of a clock. */
const STEP_MS = 7 * DAY_MS

/** A moment that a local time means. */
export interface Moment {
  readonly ms: number
  /** `repeated`: the clock was set back and shows this time twice. `skipped`: it was set forward past this time. */
  readonly doubt?: 'repeated' | 'skipped'
}

/** Converts local times of one time zone. */
export interface Zone {
  /**
   * `local` is the time that the clock shows, as if it were UTC. Of two moments it takes the earlier; a time that the clock
   * skips is taken as if the clock had not been changed yet.
   */
  momentOf(local: number): Moment
}

/** Returns the zone, or undefined if this machine does not know the name. */
export function zoneOf(name: string): Zone | undefined {
  const format = formatOf(name)
  if (!format) return undefined
  const offsetAt = createOffsets((ms) => localAt(format, ms) - ms)
  return {
    momentOf(local) {
      // An offset is at most 14 hours, so a day before and after surely are on both sides of a change nearby.
      const before = offsetAt(local - DAY_MS)
      const after = offsetAt(local + DAY_MS)
      if (before === after) return { ms: local - before }
      const first = local - before
      const second = local - after
      const isFirst = offsetAt(first) === before
      const isSecond = offsetAt(second) === after
      if (isFirst && isSecond) return { ms: first, doubt: 'repeated' }
      if (isFirst) return { ms: first }
      return isSecond ? { ms: second } : { ms: first, doubt: 'skipped' }
    },
  }
}

/**
 * Remembers offsets by week. Asking `Intl` takes microseconds, which is too long for 200,000 dates. A week whose ends agree
 * has one offset; in others the change is searched for once.
 */
function createOffsets(ask: (ms: number) => number): (ms: number) => number {
  const ends = new Map<number, number>()
  const changes = new Map<number, number>()
  const atEnd = (week: number) => {
    let offset = ends.get(week)
    if (offset === undefined) {
      offset = ask(week * STEP_MS)
      ends.set(week, offset)
    }
    return offset
  }
  return (ms) => {
    const week = Math.floor(ms / STEP_MS)
    const from = atEnd(week)
    const to = atEnd(week + 1)
    if (from === to) return from
    let change = changes.get(week)
    if (change === undefined) {
      change = changeIn(week, from, ask)
      changes.set(week, change)
    }
    return ms < change ? from : to
  }
}

function changeIn(week: number, from: number, ask: (ms: number) => number): number {
  let last = week * STEP_MS
  let changed = last + STEP_MS
  while (changed - last > MINUTE_MS) {
    const middle = Math.floor((last + changed) / 2 / MINUTE_MS) * MINUTE_MS
    if (ask(middle) === from) last = middle
    else changed = middle
  }
  return changed
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric'
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
  } catch {
    return undefined
  }
}

function localAt(format: Intl.DateTimeFormat, ms: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(ms)) parts[type] = numberIn(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return new Date(0).setUTCFullYear(year, month - 1, day) + (hour * 60 + minute) * MINUTE_MS + second * 1000
}
