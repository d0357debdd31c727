import { describe, expect, test } from 'vitest'
import { judgeMeasurements } from './judge-measurements.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const DAY_MS = 86_400_000
const good = { datapointId: 'dp_1', at: NOW - 60_000, value: 21.5 }
const gap = { from: NOW - DAY_MS, to: NOW - 60_000, dropped: 10 }

describe('a batch of measurements', () => {
  test('that is right is kept whole', () => {
    const batch = { upTo: 7, measurements: [good, { ...good, value: -0.5 }], gaps: [gap] }
    expect(judgeMeasurements(batch, NOW)).toEqual({
      kept: { measurements: batch.measurements, gaps: [gap] },
      upTo: 7,
      leftOut: [],
    })
  })

  test('may hold nothing: then it is just confirmed', () => {
    expect(judgeMeasurements({ upTo: 0, measurements: [], gaps: [] }, NOW)).toMatchObject({ upTo: 0, leftOut: [] })
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'measurements'],
    ['without a name for its confirmation', { measurements: [], gaps: [] }],
    ['named by text', { upTo: '7', measurements: [], gaps: [] }],
    ['named by a negative number', { upTo: -7, measurements: [], gaps: [] }],
    ['named by more than can be written in digits', { upTo: 1e300, measurements: [], gaps: [] }],
    ['without measurements', { upTo: 7, gaps: [] }],
    ['with gaps that are no list', { upTo: 7, measurements: [], gaps: {} }],
  ])('that is %s is none', (_what, batch) => {
    expect(judgeMeasurements(batch, NOW)).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['that is null', null],
    ['that is a number', 5],
    ['of no datapoint', { ...good, datapointId: undefined }],
    ['of a datapoint with U+0000', { ...good, datapointId: 'a\0' }],
    ['of a datapoint with half a character', { ...good, datapointId: '\udc00' }],
    ['of the year 300000', { ...good, at: 9_400_000_000_000_000 }],
    ['of a time before 1970', { ...good, at: -1 }],
    ['of the last moment before 2000', { ...good, at: Date.UTC(2000, 0, 1) - 1 }],
    ['of more than a day from now', { ...good, at: NOW + DAY_MS + 1 }],
    ['of half a millisecond', { ...good, at: NOW - 0.5 }],
    ['of a time that is text', { ...good, at: '2026-01-01T00:00:00Z' }],
    ['without a value', { ...good, value: undefined }],
    ['of no finite value', { ...good, value: Number.POSITIVE_INFINITY }],
    ['of a value that is text', { ...good, value: '5' }],
    ['of no value', { ...good, value: null }],
  ])('leaves out one %s, says so, and is confirmed', (_what, bad) => {
    const judged = judgeMeasurements({ upTo: 7, measurements: [good, bad, good], gaps: [] }, NOW)
    expect(judged).toMatchObject({ kept: { measurements: [good, good] }, upTo: 7 })
    expect(judged?.leftOut).toEqual([expect.stringMatching(/^measurements\[1\]: /)])
  })

  test('keeps the first and the last time that can be', () => {
    const measurements = [Date.UTC(2000, 0, 1), NOW + DAY_MS].map((at) => ({ ...good, at }))
    expect(judgeMeasurements({ upTo: 7, measurements, gaps: [] }, NOW)?.kept).toEqual({ measurements, gaps: [] })
  })

  test.each<[string, unknown]>([
    ['that is null', null],
    ['that ends before it begins', { ...gap, to: gap.from - 1 }],
    ['of a time that cannot be', { ...gap, from: 0 }],
    ['without an end', { ...gap, to: undefined }],
    ['of half a measurement', { ...gap, dropped: 0.5 }],
    ['of fewer than none', { ...gap, dropped: -1 }],
  ])('leaves out a gap %s', (_what, bad) => {
    const judged = judgeMeasurements({ upTo: 7, measurements: [good], gaps: [bad, gap] }, NOW)
    expect(judged?.kept).toEqual({ measurements: [good], gaps: [gap] })
    expect(judged?.leftOut).toEqual([expect.stringMatching(/^gaps\[0\]: /)])
  })
})
