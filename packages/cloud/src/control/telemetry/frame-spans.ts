import type { IntervalValues } from '@plantroom/contract/telemetry'

/** What was seen of the interval that ends with a value; `null` for a sample. */
export type Span = IntervalValues | null

/** The spans of a frame, as its columns have them. */
export interface FrameSpans {
  seconds: number | null
  spans: Buffer | null
  exceptions: Buffer | null
}

/** Three float4: what mean, lowest and highest value differ from the last one. */
export const SPAN_BYTES = 12
/** A byte says the slot and what the exception is about. A float4 follows, except for the last kind. */
const KINDS = ['coverage', 'seconds', 'energyKwh', 'difference'] as const
const FULL = 100

/** Packs the spans of a frame. `vals` has the last value of each. A span that a float4 cannot hold becomes a sample. */
export function packSpans(vals: readonly (number | null)[], spans: readonly Span[]): FrameSpans {
  const held = spans.map((span, index) => (span && fits(vals[index] ?? 0, span) ? span : null))
  const width = held.findLastIndex((span) => span !== null) + 1
  const seconds = held.find((span) => span !== null)?.seconds
  if (seconds === undefined) return { seconds: null, spans: null, exceptions: null }
  const bytes = Buffer.alloc(width * SPAN_BYTES)
  const exceptions: Buffer[] = []
  for (const [index, span] of held.slice(0, width).entries()) {
    const last = vals[index] ?? 0
    const differences = span ? differencesOf(last, span) : [Number.NaN, 0, 0]
    for (const [place, each] of differences.entries()) bytes.writeFloatBE(each, index * SPAN_BYTES + place * 4)
    for (const [kind, value] of span ? exceptionsOf(span, seconds) : []) {
      const exception = Buffer.from([index * KINDS.length + KINDS.indexOf(kind), 0, 0, 0, 0])
      exception.writeFloatBE(value, 1)
      exceptions.push(kind === 'difference' ? exception.subarray(0, 1) : exception)
    }
  }
  return { seconds, spans: bytes, exceptions: exceptions.length > 0 ? Buffer.concat(exceptions) : null }
}

function exceptionsOf({ coverage, seconds, energyKwh, min, max }: IntervalValues, usual: number) {
  const found: [kind: (typeof KINDS)[number], value: number][] = []
  if (coverage !== FULL) found.push(['coverage', coverage])
  if (seconds !== usual) found.push(['seconds', seconds])
  if (energyKwh !== undefined) found.push([energyKwh === shortest(max - min) ? 'difference' : 'energyKwh', energyKwh])
  return found
}

/** Returns the span of one slot, from 1. `span` has only the bytes of this slot. */
export function unpackSpan(slot: number, last: number, { seconds, spans: span, exceptions }: FrameSpans): Span {
  const mean = span && span.length >= SPAN_BYTES ? span.readFloatBE(0) : Number.NaN
  if (!span || seconds === null || Number.isNaN(mean)) return null
  const min = restored(last, span.readFloatBE(4))
  const max = restored(last, span.readFloatBE(8))
  const found: IntervalValues = {
    seconds,
    mean: Math.min(Math.max(restored(last, mean), min), max),
    min,
    max,
    coverage: FULL,
  }
  for (let offset = 0; exceptions && offset < exceptions.length; ) {
    const about = exceptions.readUInt8(offset)
    const kind = KINDS[about % KINDS.length] ?? 'difference'
    const isOwn = Math.floor(about / KINDS.length) === slot - 1
    if (isOwn && kind === 'difference') found.energyKwh = shortest(max - min)
    else if (isOwn && kind !== 'difference') found[kind] = shortest(exceptions.readFloatBE(offset + 1))
    offset += kind === 'difference' ? 1 : 5
  }
  return found
}

/** Returns the spans of all slots of a frame. */
export function unpackSpans(vals: readonly (number | null)[], frame: FrameSpans): Span[] {
  return vals.map((last, index) => {
    const own = frame.spans?.subarray(index * SPAN_BYTES, (index + 1) * SPAN_BYTES) ?? null
    return last === null ? null : unpackSpan(index + 1, last, { ...frame, spans: own })
  })
}

const differencesOf = (last: number, { mean, min, max }: IntervalValues) => [mean - last, min - last, max - last]

const fits = (last: number, span: IntervalValues) =>
  [...differencesOf(last, span), span.energyKwh ?? 0].every((each) => Number.isFinite(Math.fround(each)))

/** A float4 has at least this many digits. */
const DIGITS = 7

/** Adds a difference to a value, and drops the digits that come from its float4. */
function restored(last: number, difference: number): number {
  if (difference === 0) return last
  const sum = last + difference
  const decimals = DIGITS - 1 - Math.floor(Math.log10(Math.abs(difference)))
  if (!(decimals >= 0 && decimals <= 20)) return sum
  const round = Number(sum.toFixed(decimals)) + 0
  // The last value may have more digits than the difference says.
  return difference < 0 ? Math.min(round, last) : Math.max(round, last)
}

const shortest = (float4: number) => Number(float4.toPrecision(DIGITS))
