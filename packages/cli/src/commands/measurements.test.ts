import { describe, expect, test } from 'vitest'
import { collectPages, gapLine, measurements, rowOf } from './measurements.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()
const GAP = { from: at(2), to: at(9), dropped: 8 }

async function* pagesOf(...pages: { measurements: { at: string; value: number }[]; gaps: (typeof GAP)[] }[]) {
  yield* pages
}

describe('the archive of a datapoint', () => {
  test('joins its pages and lists each gap once', async () => {
    const all = await collectPages(
      pagesOf(
        { measurements: [{ at: at(0), value: 1 }], gaps: [GAP] },
        { measurements: [], gaps: [GAP] },
        { measurements: [{ at: at(10), value: 2 }], gaps: [GAP, { ...GAP, from: at(20), to: at(30) }] },
      ),
    )
    expect(all.measurements.map(({ value }) => value)).toEqual([1, 2])
    expect(all.gaps.map(({ from }) => from)).toEqual([at(2), at(20)])
  })

  test('says what was seen of each interval, and which values are samples', () => {
    const seen = { at: at(0), value: 4, mean: 2, min: 0, max: 5, seconds: 900 }
    expect(rowOf({ ...seen, coverage: 100 })).toEqual([at(0), '4', '2', '0', '5', '100', 'complete'])
    expect(rowOf({ ...seen, coverage: 40 })).toEqual([at(0), '4', '2', '0', '5', '40', 'partial'])
    expect(rowOf({ at: at(0), value: 0 })).toEqual([at(0), '0', '', '', '', '', 'samples'])
  })

  test('may be empty', async () => {
    expect(await collectPages(pagesOf())).toEqual({ measurements: [], gaps: [] })
  })

  test('describes a gap with its length and the number of missing values', () => {
    expect(gapLine(GAP)).toBe(
      `gap from ${at(2)} to ${at(9)}: the device ran out of space and dropped 8 values of all its datapoints`,
    )
  })
})

describe('plantroom measurements', () => {
  test.each([
    [[], 'DATAPOINT is missing'],
    [['dp_1', '--csv', '--json'], 'give only one of --csv and --json'],
    [['dp_1', '--to', '2030-01-01'], '--to 2030-01-01 is not a time'],
  ])('%j is a usage error', async (args, message) => {
    await expect(measurements.run(args)).rejects.toThrow(message)
  })
})
