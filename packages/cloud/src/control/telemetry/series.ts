/** Values of one datapoint in order of time, in milliseconds since 1970. No time occurs twice. */
export interface Series {
  readonly at: readonly number[]
  readonly value: readonly number[]
}

export const NO_VALUES: Series = { at: [], value: [] }

/** Both together. For a time that is in both, the value of `first` counts. */
export function unite(first: Series, second: Series): Series {
  if (second.at.length === 0) return first
  if (first.at.length === 0) return second
  const at: number[] = []
  const value: number[] = []
  let [a, b] = [0, 0]
  while (a < first.at.length || b < second.at.length) {
    const fromFirst = first.at[a] ?? Number.POSITIVE_INFINITY
    const fromSecond = second.at[b] ?? Number.POSITIVE_INFINITY
    if (fromFirst <= fromSecond) {
      at.push(fromFirst)
      value.push(first.value[a] as number)
      a += 1
      if (fromFirst === fromSecond) b += 1
    } else {
      at.push(fromSecond)
      value.push(second.value[b] as number)
      b += 1
    }
  }
  return { at, value }
}

/** The values at times for which `known` has none. */
export function without(series: Series, known: Series): Series {
  const times = new Set(known.at)
  return filter(series, (at) => !times.has(at))
}

/** The first `limit` values with `from` <= time < `to`. */
export function within(series: Series, from: number, to: number, limit = Number.POSITIVE_INFINITY): Series {
  const found = filter(series, (at) => at >= from && at < to)
  return found.at.length > limit ? { at: found.at.slice(0, limit), value: found.value.slice(0, limit) } : found
}

function filter(series: Series, isWanted: (at: number) => boolean): Series {
  const at: number[] = []
  const value: number[] = []
  for (const [index, time] of series.at.entries()) {
    if (!isWanted(time)) continue
    at.push(time)
    value.push(series.value[index] as number)
  }
  return { at, value }
}

/** Bytes of one value in a packed list: the time and the value, as `int8send` and `float8send` write them. */
const PACKED_BYTES = 16

/** Reads a list that the database packed, because parsing a row for every value costs far more. */
export function unpack(packed: Buffer | null): Series {
  if (!packed) return NO_VALUES
  const at: number[] = []
  const value: number[] = []
  for (let offset = 0; offset < packed.length; offset += PACKED_BYTES) {
    at.push(Number(packed.readBigInt64BE(offset)))
    value.push(packed.readDoubleBE(offset + 8))
  }
  return { at, value }
}

/** Before the elements: the number of dimensions, whether there are NULLs, the type, the length and the first index. */
const ARRAY_HEADER_BYTES = 20

/** Reads frames that the database packed: each its time as `int8send` and its values as `array_send` writes them. */
export function unpackFrames(packed: Buffer | null): Map<number, Series> {
  const bySlot = new Map<number, { at: number[]; value: number[] }>()
  let offset = 0
  while (packed && offset < packed.length) {
    const at = Number(packed.readBigInt64BE(offset))
    const slots = packed.readInt32BE(offset + 8 + 12)
    offset += 8 + ARRAY_HEADER_BYTES
    for (let slot = 1; slot <= slots; slot += 1) {
      const isNull = packed.readInt32BE(offset) < 0
      offset += 4
      if (isNull) continue
      const series = bySlot.get(slot) ?? { at: [], value: [] }
      if (series.at.length === 0) bySlot.set(slot, series)
      series.at.push(at)
      series.value.push(packed.readDoubleBE(offset))
      offset += 8
    }
  }
  return bySlot
}
