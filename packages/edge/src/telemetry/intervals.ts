import { intervalStart } from '@plantroom/contract/interval-start'
import type { Measurement } from '@plantroom/contract/telemetry'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import { addCount, type CounterRules, type CounterSum, NEW_COUNTER, nextInterval } from './counter.ts'
import {
  addReading,
  countsForMs,
  type IntervalSummary,
  type OpenInterval,
  openInterval,
  summaryOf,
  type TimedValue,
} from './interval.ts'
import type { LiveDatapoint } from './live-reader.ts'

interface Archived {
  item: LiveDatapoint
  intervalMs: number
  longestMs: number
  interval: OpenInterval
  /** Of a datapoint that counts energy. */
  counter: CounterSum
}

/** The open intervals of all archived datapoints. */
export interface Intervals {
  /** Replaces the datapoints. Those that keep their interval keep what was seen of it. */
  apply(items: readonly LiveDatapoint[], now: number): void
  add(datapointId: string, reading: TimedValue): void
  /** Closes the intervals of these datapoints, which end at `at`. Returns the measurements of those with a value. */
  close(at: number, items: readonly LiveDatapoint[]): Measurement[]
}

export function createIntervals(): Intervals {
  let known = new Map<string, Archived>()

  return {
    apply(items, now) {
      known = new Map(items.map((item) => [item.datapoint.id, continued(known.get(item.datapoint.id), item, now)]))
    },
    add(datapointId, reading) {
      const archived = known.get(datapointId)
      if (!archived) return
      const { item, interval, intervalMs, longestMs, counter } = archived
      // The clock was set: this reading is not from the interval, nor from the one after it.
      const isElsewhere = reading.at < interval.from || reading.at >= interval.from + 2 * intervalMs
      const current = isElsewhere ? openInterval(intervalStart(reading.at, intervalMs, item.timeZone)) : interval
      archived.interval = addReading(current, reading, longestMs)
      if (item.consumption?.from !== 'counter') return
      archived.counter = addCount(isElsewhere ? NEW_COUNTER : counter, reading, rulesOf(item, longestMs))
    },
    close(at, items) {
      const measurements: Measurement[] = []
      for (const { datapoint } of items) {
        const archived = known.get(datapoint.id)
        const measurement = archived && closeOne(archived, at)
        if (measurement) measurements.push(measurement)
      }
      return measurements
    },
  }
}

function continued(before: Archived | undefined, item: LiveDatapoint, now: number): Archived {
  const intervalMs = item.datapoint.analyticsInterval * 1000
  const longestMs = countsForMs(item.pollSeconds)
  const isSame = before?.intervalMs === intervalMs && before.item.timeZone === item.timeZone
  if (before && isSame) return { ...before, item, longestMs }
  const interval = openInterval(intervalStart(now, intervalMs, item.timeZone))
  // Without it, a datapoint that is read once an hour would be unknown for an hour.
  const { value, timestamp } = item.current()
  const at = parseTimestamp(timestamp) ?? now
  const isCurrent = item.live && at <= now
  return {
    item,
    intervalMs,
    longestMs,
    counter: NEW_COUNTER,
    interval: isCurrent ? addReading(interval, { at, value }, longestMs) : interval,
  }
}

function closeOne(archived: Archived, at: number): Measurement | undefined {
  const { item, interval, intervalMs, counter } = archived
  // The clock was set back: that interval is closed already.
  if (at <= interval.from) return undefined
  archived.interval = openInterval(at, interval)
  archived.counter = nextInterval(counter)
  // The clock was set, or the program stood still: nothing says when the readings were taken.
  if (interval.from !== intervalStart(at - 1, intervalMs, item.timeZone)) return undefined
  const summary = summaryOf(interval, at)
  if (!summary) return undefined
  const energy = energyOf(item, summary, counter)
  return { ...measurementOf(item.datapoint.id, summary), ...(energy !== undefined && { energyKwh: energy }) }
}

/** No site draws more, in kW. */
const MOST_KW = 10_000
/** Beyond the seventh digit, an energy says nothing. */
const ENERGY_DIGITS = 7

/** Returns the energy of the covered time in kWh; `undefined` when it is not computed, or not known. */
function energyOf(
  { consumption }: LiveDatapoint,
  { from, to, mean, coverage }: IntervalSummary,
  { risen }: CounterSum,
): number | undefined {
  if (!consumption) return undefined
  const amount = consumption.from === 'counter' ? risen : (mean * coverage * (to - from)) / HOUR_MS
  const energy = amount === undefined ? Number.NaN : Number((amount * consumption.factor).toPrecision(ENERGY_DIGITS))
  return Number.isFinite(energy) ? energy : undefined
}

const HOUR_MS = 3_600_000
/** How many values the register of a counter can have. */
const REGISTERS: Readonly<Record<string, number>> = { uint16: 2 ** 16, int16: 2 ** 15, uint32: 2 ** 32, int32: 2 ** 31 }

function rulesOf({ datapoint, consumption }: LiveDatapoint, longestMs: number): CounterRules {
  const { inputValue1, inputValue2, outputValue1, outputValue2 } = datapoint.scaler
  const size = REGISTERS[String(datapoint.data.type)]
  const unit = Math.abs((inputValue2 - inputValue1) / (outputValue2 - outputValue1))
  return { ranges: size ? [size * unit] : [], mostPerHour: MOST_KW / (consumption?.factor ?? 1), longestMs }
}

function measurementOf(
  datapointId: string,
  { from, to, last, mean, min, max, coverage }: IntervalSummary,
): Measurement {
  return {
    datapointId,
    at: to,
    value: last,
    seconds: (to - from) / 1000,
    mean: rounded(mean, min, max),
    min,
    max,
    coverage: Math.max(1, Math.round(coverage * 100)),
  }
}

/** How many digits of a mean are kept, counted from the first digit of the difference between maximum and minimum. */
const DIGITS = 4

/** Drops the digits of a mean that come from the division alone: they tell nothing, and take most of the room. */
function rounded(mean: number, min: number, max: number): number {
  if (min === max) return mean
  const decimals = DIGITS - 1 - Math.floor(Math.log10(max - min))
  // Beyond that, `toFixed` has no digits to drop, or cannot drop them.
  if (!(decimals >= 0 && decimals <= 20)) return mean
  return Math.min(Math.max(Number(mean.toFixed(decimals)), min), max)
}
