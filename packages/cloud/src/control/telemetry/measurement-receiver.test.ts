import { describe, expect, test } from 'vitest'
import { readMeasurementBatch } from './measurement-receiver.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const DAY_MS = 86_400_000
const good = { datapointId: 'dp_1', at: NOW - 60_000, value: 21.5 }
const gap = { from: NOW - DAY_MS, to: NOW - 60_000, dropped: 10 }

describe('a batch of measurements', () => {
  test('is accepted as a whole', () => {
    const batch = { upTo: 7, measurements: [good, { ...good, value: -0.5 }], gaps: [gap] }
    expect(readMeasurementBatch(batch, NOW)).toEqual({
      items: { measurements: batch.measurements, gaps: [gap] },
      rows: 3,
      upTo: 7,
      rejected: [],
    })
  })

  test('may be empty and is still confirmed', () => {
    expect(readMeasurementBatch({ upTo: 0, measurements: [], gaps: [] }, NOW)).toMatchObject({ upTo: 0, rejected: [] })
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'measurements'],
    ['without a position to confirm', { measurements: [], gaps: [] }],
    ['with a position that is text', { upTo: '7', measurements: [], gaps: [] }],
    ['with a negative position', { upTo: -7, measurements: [], gaps: [] }],
    ['with a position beyond the safe integers', { upTo: 1e300, measurements: [], gaps: [] }],
    ['without measurements', { upTo: 7, gaps: [] }],
    ['with gaps that are not a list', { upTo: 7, measurements: [], gaps: {} }],
  ])('that is %s is not a batch', (_what, batch) => {
    expect(readMeasurementBatch(batch, NOW)).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['that is null', null],
    ['that is a number', 5],
    ['without a datapoint', { ...good, datapointId: undefined }],
    ['of a datapoint with U+0000', { ...good, datapointId: 'a\0' }],
    ['of a datapoint with half a character', { ...good, datapointId: '\udc00' }],
    ['of the year 300000', { ...good, at: 9_400_000_000_000_000 }],
    ['of a time before 1970', { ...good, at: -1 }],
    ['of the last moment before 2000', { ...good, at: Date.UTC(2000, 0, 1) - 1 }],
    ['of more than a day from now', { ...good, at: NOW + DAY_MS + 1 }],
    ['with a fraction of a millisecond', { ...good, at: NOW - 0.5 }],
    ['of a time that is text', { ...good, at: '2026-01-01T00:00:00Z' }],
    ['without a value', { ...good, value: undefined }],
    ['with an infinite value', { ...good, value: Number.POSITIVE_INFINITY }],
    ['with a value that is text', { ...good, value: '5' }],
    ['with a null value', { ...good, value: null }],
  ])('rejects a measurement %s with the reason, and is confirmed', (_what, bad) => {
    const batch = readMeasurementBatch({ upTo: 7, measurements: [good, bad, good], gaps: [] }, NOW)
    expect(batch).toMatchObject({ items: { measurements: [good, good] }, upTo: 7 })
    expect(batch?.rejected).toEqual([expect.stringMatching(/^measurements\[1\]: /)])
  })

  test('accepts the earliest and the latest plausible time', () => {
    const measurements = [Date.UTC(2000, 0, 1), NOW + DAY_MS].map((at) => ({ ...good, at }))
    expect(readMeasurementBatch({ upTo: 7, measurements, gaps: [] }, NOW)?.items).toEqual({ measurements, gaps: [] })
  })

  test.each<[string, unknown]>([
    ['that is null', null],
    ['that ends before it begins', { ...gap, to: gap.from - 1 }],
    ['of an implausible time', { ...gap, from: 0 }],
    ['without an end', { ...gap, to: undefined }],
    ['with a fractional count', { ...gap, dropped: 0.5 }],
    ['with a negative count', { ...gap, dropped: -1 }],
  ])('rejects a gap %s', (_what, bad) => {
    const batch = readMeasurementBatch({ upTo: 7, measurements: [good], gaps: [bad, gap] }, NOW)
    expect(batch?.items).toEqual({ measurements: [good], gaps: [gap] })
    expect(batch?.rejected).toEqual([expect.stringMatching(/^gaps\[0\]: /)])
  })
})
