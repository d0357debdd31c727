import type { IntervalValues } from '@plantroom/contract/telemetry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSteps, SCALE } from './aggregate.ts'
import { decodeBlock, encodeBlock } from './block.ts'
import { packSpans, type Span, unpackSpans } from './frame-spans.ts'
import { decodeHours } from './hours.ts'
import { growSeries, type Series } from './series.ts'
import { stepFinder } from './steps.ts'

const DAY = Date.UTC(2026, 0, 30)
/** Below it, a float4 has fewer digits. */
const LEAST = 1e-37

interface Item {
  value: number
  span: Span
}

/** Intervals and samples whose numbers are all made by `number`. */
const items = (number: fc.Arbitrary<number>): fc.Arbitrary<Item[]> =>
  fc.array(
    fc
      .record({
        numbers: fc.array(number, { minLength: 4, maxLength: 4 }),
        about: fc.option(
          fc.record({
            seconds: fc.constantFrom(60, 900, 90_000),
            coverage: fc.integer({ min: 1, max: 100 }),
            energyKwh: fc.option(fc.integer({ min: -5000, max: 5000 }).map((n) => n / 1000)),
          }),
        ),
      })
      .map(({ numbers: [first = 0, ...others], about }) => {
        const [min = 0, mean = 0, max = 0] = [first, ...others.slice(0, 2)].toSorted((a, b) => a - b)
        const { energyKwh, ...rest } = about ?? { energyKwh: null }
        const span = { ...rest, min, mean, max, ...(energyKwh !== null && { energyKwh }) } as IntervalValues
        return { value: first, span: about && span }
      }),
    { minLength: 1, maxLength: 32 },
  )

const decimals = fc
  .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(1, 10, 1000))
  .map(([n, by]) => n / by + 0)
const anyNumber = fc
  .oneof(decimals, fc.float({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: -1e38, max: 1e38, noNaN: true }))
  .map((n) => n + 0)

function seriesOf(list: readonly Item[]): Series {
  const { series, add } = growSeries()
  for (const [index, { value, span }] of list.entries()) add(DAY + index * 900_000 + (index % 3), value, span)
  return series
}

const throughBlock = (series: Series) => decodeBlock(encodeBlock(series, DAY), DAY)
const throughFrame = (list: readonly Item[]) => {
  const vals = list.map(({ value }) => value)
  return unpackSpans(
    vals,
    packSpans(
      vals,
      list.map(({ span }) => span),
    ),
  )
}

function expectAbout(found: readonly Span[], list: readonly Item[], share: number): void {
  const widths = list.map(({ span }) => (span ? span.max - span.min : 0))
  for (const [index, span] of found.entries()) {
    const item = list[index] as Item
    if (!span || !item.span) continue
    const tolerated = Math.max(...widths) * share + Math.abs(item.value) * 1e-15 + LEAST
    for (const field of ['min', 'mean', 'max'] as const) {
      const isClose = Math.abs(span[field] - item.span[field]) <= tolerated
      expect(isClose, `${field} of ${JSON.stringify(item)} is ${span[field]}`).toBe(true)
    }
    expect(span.min <= span.mean && span.mean <= span.max).toBe(true)
    expect(span.min <= item.value && item.value <= span.max).toBe(true)
  }
}

describe('a block', () => {
  test('keeps intervals of numbers with few decimals exactly, and samples among them', () => {
    fc.assert(
      fc.property(items(decimals), (list) => {
        expect(throughBlock(seriesOf(list))).toEqual(seriesOf(list))
      }),
    )
  })

  test('keeps times and last values of any numbers exactly, and the rest to a millionth of the span', () => {
    fc.assert(
      fc.property(items(anyNumber), (list) => {
        const [before, after] = [seriesOf(list), throughBlock(seriesOf(list))]
        expect(after.at).toEqual(before.at)
        expect(after.value).toEqual(before.value)
        expectAbout(after.spans, list, 1e-6)
      }),
    )
  })
})

describe('a frame', () => {
  test('keeps intervals of numbers with few decimals exactly', () => {
    const few = fc.integer({ min: -50_000, max: 50_000 }).map((n) => n / 10 + 0)
    fc.assert(
      fc.property(items(few), (list) => {
        expect(throughFrame(list)).toEqual(list.map(({ span }) => span))
      }),
    )
  })

  test('keeps the rest to a millionth of the span, and what a float4 cannot hold as a sample', () => {
    fc.assert(fc.property(items(anyNumber), (list) => expectAbout(throughFrame(list), list, 1e-6)))
    const huge = { value: 1e300, span: { seconds: 1, coverage: 1, min: 0, mean: 0, max: 1e300 } }
    expect(throughFrame([huge])).toEqual([null])
  })
})

test('hours that an older version wrote are read as samples without a last value', () => {
  const old = Buffer.alloc(29)
  old.writeUInt8(5)
  old.writeUInt32LE(60, 1)
  for (const [index, value] of [1, 3, 120 * SCALE].entries()) old.writeDoubleLE(value, 5 + index * 8)
  const steps = createSteps(stepFinder({ step: 3600 }))
  for (const { at, aggregate } of decodeHours(old, DAY)) steps.addAggregate(at, aggregate)
  const point = { min: 1, mean: 2, max: 3, last: null, count: 60, coverage: null }
  expect(steps.points()).toEqual([{ at: DAY + 5 * 3_600_000, ...point }])
})
