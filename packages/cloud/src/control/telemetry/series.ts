import { SPAN_BYTES, type Span, unpackSpan, unpackSpans } from './frame-spans.ts'

/** Values of one datapoint in order of time, in milliseconds since 1970. No time occurs twice. */
export interface Series {
  readonly at: readonly number[]
  readonly value: readonly number[]
  /** What was seen of the interval before each value. */
  readonly spans: readonly Span[]
}

export const NO_VALUES: Series = { at: [], value: [], spans: [] }

/** A series that values are added to, in order. */
export function growSeries() {
  const series = { at: [] as number[], value: [] as number[], spans: [] as Span[] }
  return {
    series: series as Series,
    add(at: number, value: number, span: Span): void {
      series.at.push(at)
      series.value.push(value)
      series.spans.push(span)
    },
    /** Adds one of another series. */
    copy(from: Series, index: number): void {
      this.add(from.at[index] as number, from.value[index] as number, from.spans[index] ?? null)
    },
  }
}

/** Both together. For a time that is in both, the value of `first` counts. */
export function unite(first: Series, second: Series): Series {
  if (second.at.length === 0) return first
  if (first.at.length === 0) return second
  const both = growSeries()
  let [a, b] = [0, 0]
  while (a < first.at.length || b < second.at.length) {
    const fromFirst = first.at[a] ?? Number.POSITIVE_INFINITY
    const fromSecond = second.at[b] ?? Number.POSITIVE_INFINITY
    if (fromFirst <= fromSecond) {
      both.copy(first, a)
      a += 1
      if (fromFirst === fromSecond) b += 1
    } else {
      both.copy(second, b)
      b += 1
    }
  }
  return both.series
}

/** The values at times for which `known` has none. */
export function without(series: Series, known: Series): Series {
  const times = new Set(known.at)
  return filter(series, (at) => !times.has(at))
}

/** The first `limit` values with `from` <= time < `to`. */
export function within(series: Series, from: number, to: number, limit = Number.POSITIVE_INFINITY): Series {
  let left = limit
  return filter(series, (at) => at >= from && at < to && left-- > 0)
}

/** The values whose time is wanted. */
function filter(series: Series, isWanted: (at: number) => boolean): Series {
  const found = growSeries()
  for (const [index, time] of series.at.entries()) if (isWanted(time)) found.copy(series, index)
  return found.series
}

/** Reads a list that the database packed as `packedValue` says, because parsing a row for every value costs far more. */
export function unpack(packed: Buffer | null, slot: number): Series {
  const found = growSeries()
  let offset = 0
  const take = (length: number) => {
    offset += length
    return packed?.subarray(offset - length, offset) ?? null
  }
  while (packed && offset < packed.length) {
    const at = Number(packed.readBigInt64BE(offset))
    const value = packed.readDoubleBE(offset + 8)
    const seconds = packed.readInt32BE(offset + 16)
    offset += 20
    if (seconds === 0) found.add(at, value, null)
    else {
      const spans = take(SPAN_BYTES)
      const length = packed.readInt16BE(offset)
      offset += 2
      found.add(at, value, unpackSpan(slot, value, { seconds, spans, exceptions: take(length) }))
    }
  }
  return found.series
}

/** Before the elements: the number of dimensions, whether there are NULLs, the type, the length and the first index. */
const ARRAY_HEADER_BYTES = 20

/**
 * Reads frames that the database packed: each its time as `int8send`, its values as `array_send` writes them, and its
 * spans: the seconds, and the two lists with their lengths.
 */
export function unpackFrames(packed: Buffer | null): Map<number, Series> {
  const bySlot = new Map<number, ReturnType<typeof growSeries>>()
  let offset = 0
  const takeInteger = () => {
    offset += 4
    return packed?.readInt32BE(offset - 4) ?? 0
  }
  const takeBytes = () => {
    const length = takeInteger()
    offset += length
    return packed?.subarray(offset - length, offset) ?? null
  }
  while (packed && offset < packed.length) {
    const at = Number(packed.readBigInt64BE(offset))
    const vals: (number | null)[] = new Array(packed.readInt32BE(offset + 8 + 12)).fill(null)
    offset += 8 + ARRAY_HEADER_BYTES
    for (const index of vals.keys()) {
      if (takeInteger() < 0) continue
      vals[index] = packed.readDoubleBE(offset)
      offset += 8
    }
    const seconds = takeInteger()
    const spans = seconds === 0 ? [] : unpackSpans(vals, { seconds, spans: takeBytes(), exceptions: takeBytes() })
    for (const [index, value] of vals.entries()) {
      if (value === null) continue
      const grown = bySlot.get(index + 1) ?? growSeries()
      bySlot.set(index + 1, grown)
      grown.add(at, value, spans[index] ?? null)
    }
  }
  return new Map([...bySlot].map(([slot, { series }]) => [slot, series]))
}
