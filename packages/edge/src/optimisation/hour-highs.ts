import { siteTimeAt } from '@plantroom/contract/site-time'
import type { HourHigh } from '../store/power-limit-store.ts'
import { addReading, type OpenInterval, openInterval, summaryOf, type TimedValue } from '../telemetry/interval.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
/** A shorter peak says little about the mean of a quarter of an hour, and may be a load that the meter does not show yet. */
const BLOCK_MS = 300_000
/** A block of which less was read counts for nothing. */
const LEAST_COVERAGE = 0.8
/** An hour counts when this many of its twelve blocks were read. */
const LEAST_BLOCKS = 6
/** An hour of the day is known when it was read on this many of the last days. */
const LEAST_DAYS = 5

/** The highest power in each hour of the last week. At most eight days of hours. Immutable. */
export interface HourHighs {
  hours: readonly HourHigh[]
  block: OpenInterval | undefined
}

export const NO_HIGHS: HourHighs = { hours: [], block: undefined }

/** Adds a reading; `null` when there is none now. A step of the clock loses at most what was read of one block. */
export function addToHighs(
  highs: HourHighs,
  reading: TimedValue,
  about: { timeZone: string; longestMs: number },
): HourHighs {
  const { timeZone, longestMs } = about
  const from = Math.floor(reading.at / BLOCK_MS) * BLOCK_MS
  const { block } = highs
  if (block?.from === from) return { ...highs, block: addReading(block, reading, longestMs) }
  const opened = openInterval(from, block && block.from < from ? block : undefined)
  const hours = block ? withBlock(highs.hours, block, timeZone) : highs.hours
  return { hours: lastWeek(hours, from), block: addReading(opened, reading, longestMs) }
}

/** Returns the highest power at this hour of the day in the last week; `undefined` while too few days are known. */
export function highAt({ hours }: HourHighs, now: number, timeZone: string): number | undefined {
  const hour = hourOf(now, timeZone)
  const known = lastWeek(hours, now).filter((one) => one.hour === hour && one.blocks >= LEAST_BLOCKS)
  return known.length < LEAST_DAYS ? undefined : Math.max(...known.map(({ kw }) => kw))
}

function withBlock(hours: readonly HourHigh[], block: OpenInterval, timeZone: string): readonly HourHigh[] {
  const summary = summaryOf(block, block.from + BLOCK_MS)
  const hour = hourOf(block.from, timeZone)
  if (!summary || summary.coverage < LEAST_COVERAGE || hour === undefined) return hours
  const known = hours.find((one) => one.hour === hour && Math.abs(one.from - block.from) < HOUR_MS)
  if (!known) return [...hours, { from: block.from, hour, kw: summary.mean, blocks: 1 }]
  const after = { ...known, kw: Math.max(known.kw, summary.mean), blocks: known.blocks + 1 }
  return hours.map((one) => (one === known ? after : one))
}

/** The same hour a week ago still counts. What a clock that was wrong has put into the future does not. */
const lastWeek = (hours: readonly HourHigh[], now: number) =>
  hours.filter(({ from }) => from > now - WEEK_MS - HOUR_MS && from <= now)

function hourOf(at: number, timeZone: string): number | undefined {
  const local = siteTimeAt(timeZone, at)
  return local && Math.floor(local.minute / 60)
}
