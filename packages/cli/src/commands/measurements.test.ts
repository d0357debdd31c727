import { describe, expect, test } from 'vitest'
import { collectPages, gapLine, measurements } from './measurements.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()
const GAP = { from: at(2), to: at(9), dropped: 8 }

async function* pagesOf(...pages: { measurements: { at: string; value: number }[]; gaps: (typeof GAP)[] }[]) {
  yield* pages
}

describe('the archive of a datapoint', () => {
  test('is its pages in a row, with each gap once', async () => {
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

  test('may be empty', async () => {
    expect(await collectPages(pagesOf())).toEqual({ measurements: [], gaps: [] })
  })

  test('tells of a gap how long it is and how much is missing', () => {
    expect(gapLine(GAP)).toBe(
      `gap from ${at(2)} to ${at(9)}: the device had no room left and dropped 8 values, of all its datapoints`,
    )
  })
})

describe('plantroom measurements', () => {
  test.each([
    [[], 'DATAPOINT is missing'],
    [['dp_1', '--csv', '--json'], 'say one of: --csv or --json'],
    [['dp_1', '--to', '2030-01-01'], '--to 2030-01-01 is not a time'],
  ])('%j is wrong usage', async (args, message) => {
    await expect(measurements.run(args)).rejects.toThrow(message)
  })
})
