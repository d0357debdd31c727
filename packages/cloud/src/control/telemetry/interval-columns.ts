import type { IntervalValues } from '@plantroom/contract/telemetry'
import type { Span } from './frame-spans.ts'
import { growSeries, type Series } from './series.ts'
import { readVarints, writeVarints } from './varints.ts'

/** Values with more decimals, or larger whole numbers, are written as they are. */
const MOST_DECIMALS = 9
const LARGEST = 2 ** 50
const AS_THEY_ARE = 15
/** Where decimals do not hold a mean or an extreme exactly, it is off by at most this share of the day's span. */
const PRECISION = 1e-6

/**
 * Writes intervals, and samples among them, as columns: numbers that follow each other are alike, and so shrink well. All
 * are whole numbers of decimals, most of them small: the difference from the value before, or from the last value.
 */
export function encodeIntervals({ at, value, spans }: Series, dayStart: number): Buffer {
  const held = spans.filter((span) => span !== null)
  const lastDecimals = decimalsOf([...value, ...held.flatMap(({ min, max }) => [min, max])])
  const decimals = lastDecimals ?? toleratedDecimals(held)
  const means = held.map(({ mean }) => mean)
  const meanDecimals =
    lastDecimals === undefined
      ? decimals
      : Math.min(Math.max(decimals, decimalsOf(means) ?? toleratedDecimals(held)), roomFor(value))
  const energies = held.map(({ energyKwh = 0 }) => energyKwh)
  const energyDecimals = Math.min(decimalsOf(energies) ?? MOST_DECIMALS, roomFor(energies))
  const out = writeVarints()
  for (const each of [at.length, lastDecimals ?? AS_THEY_ARE, decimals, meanDecimals, energyDecimals]) out.add(each)

  let [time, distance, seconds] = [dayStart, 0, 0]
  for (const each of at) {
    out.add(each - time - distance)
    distance = each - time
    time = each
  }
  for (const span of spans) {
    out.add((span?.seconds ?? 0) - seconds)
    seconds = span?.seconds ?? 0
  }
  let before = 0
  for (const each of value) {
    if (lastDecimals === undefined) out.bytes.push(...Buffer.from(new Float64Array([each]).buffer))
    else out.add(whole(each, lastDecimals) - before)
    before = lastDecimals === undefined ? 0 : whole(each, lastDecimals)
  }
  const difference = (of: number, last: number, places: number) =>
    lastDecimals === undefined ? whole(of - last, places) : whole(of, places) - whole(last, places)
  eachSpan(value, spans, (last, { min }) => out.add(difference(min, last, decimals)))
  eachSpan(value, spans, (last, { max }) => out.add(difference(max, last, decimals)))
  eachSpan(value, spans, (last, { mean }) => out.add(difference(mean, last, meanDecimals)))
  eachSpan(value, spans, (_, { coverage }) => out.add(100 - coverage))
  eachSpan(value, spans, (_, span) => {
    const guess = guessEnergy(span)
    out.add(span.energyKwh === undefined ? 0 : guess + 1)
    if (span.energyKwh !== undefined) {
      out.add(whole(span.energyKwh, energyDecimals) - whole(GUESSES[guess]?.(span) ?? 0, energyDecimals))
    }
  })
  return Buffer.from(out.bytes)
}

export function decodeIntervals(bytes: Uint8Array, dayStart: number): Series {
  const { next, nextDouble } = readVarints(bytes)
  const [count, lastDecimals, decimals, meanDecimals, energyDecimals] = [next(), next(), next(), next(), next()]
  const isRaw = lastDecimals === AS_THEY_ARE
  const all = () => Array.from({ length: count })
  let [time, distance, seconds, before] = [dayStart, 0, 0, 0]
  const at = all().map(() => {
    distance += next()
    time += distance
    return time
  })
  const lengths = all().map(() => {
    seconds += next()
    return seconds
  })
  const value = all().map(() => {
    if (isRaw) return nextDouble()
    before += next()
    return before / 10 ** lastDecimals
  })
  const restored = (last: number, places: number) => {
    const difference = next()
    if (difference === 0) return last
    return isRaw ? rounded(last + difference / 10 ** places, places) : (whole(last, places) + difference) / 10 ** places
  }
  const column = <Field>(read: (index: number) => Field): Field[] =>
    lengths.map((length, index) => (length === 0 ? (undefined as Field) : read(index)))
  const min = column((index) => Math.min(restored(value[index] as number, decimals), value[index] as number))
  const max = column((index) => Math.max(restored(value[index] as number, decimals), value[index] as number))
  const mean = column((index) => {
    const mean = restored(value[index] as number, meanDecimals)
    return Math.min(Math.max(mean, min[index] as number), max[index] as number)
  })
  const coverage = column(() => 100 - next())
  const { series, add } = growSeries()
  for (const [index, time] of at.entries()) {
    const span: IntervalValues = {
      seconds: lengths[index] as number,
      mean: mean[index] as number,
      min: min[index] as number,
      max: max[index] as number,
      coverage: coverage[index] as number,
    }
    const guess = span.seconds === 0 ? 0 : next()
    if (guess > 0) {
      span.energyKwh = (whole(GUESSES[guess - 1]?.(span) ?? 0, energyDecimals) + next()) / 10 ** energyDecimals
    }
    add(time, value[index] as number, span.seconds === 0 ? null : span)
  }
  return series
}

function eachSpan(
  value: readonly number[],
  spans: readonly Span[],
  write: (last: number, span: NonNullable<Span>) => void,
): void {
  for (const [index, span] of spans.entries()) if (span) write(value[index] as number, span)
}

/** What the energy of an interval mostly is: that of a power in kW or in W, the difference of a counter, or another number. */
const GUESSES: readonly ((span: IntervalValues) => number)[] = [
  ({ mean, seconds, coverage }) => (mean * seconds * coverage) / 360_000,
  ({ mean, seconds, coverage }) => (mean * seconds * coverage) / 360_000_000,
  ({ min, max }) => max - min,
  () => 0,
]

/** Returns the guess that is nearest to the energy. */
function guessEnergy(span: IntervalValues): number {
  const distances = GUESSES.map((guess) => Math.abs(guess(span) - (span.energyKwh ?? 0)))
  return distances.indexOf(Math.min(...distances))
}

/** Drops the digits behind these decimals, which come from the sum. */
const rounded = (sum: number, decimals: number) =>
  decimals >= 0 && decimals <= 20 ? Number(sum.toFixed(decimals)) + 0 : sum

const whole = (value: number, decimals: number) => Math.round(value * 10 ** decimals)

/** Returns how many decimals hold all values exactly; `undefined` when none do. */
function decimalsOf(values: readonly number[]): number | undefined {
  let decimals = 0
  for (const value of values) {
    while (whole(value, decimals) / 10 ** decimals !== value) {
      decimals += 1
      if (decimals > MOST_DECIMALS) return undefined
    }
  }
  const isSmall = values.every((value) => Math.abs(value) * 10 ** decimals <= LARGEST)
  return isSmall ? decimals : undefined
}

/** Returns how many decimals these values can have at most. */
function roomFor(values: readonly number[]): number {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return Math.floor(Math.log10(LARGEST / largest))
}

/** Returns how many decimals hold means and extremes well enough. */
function toleratedDecimals(spans: readonly { min: number; max: number }[]): number {
  const largest = spans.reduce((most, { min, max }) => Math.max(most, max - min), 0)
  if (largest === 0) return 0
  return Math.min(300, Math.ceil(-Math.log10(largest * PRECISION)))
}
