import { describe, expect, test } from 'vitest'
import { type Ceiling, ceilingsNow, isLimited, withCeilings } from './ceilings.ts'
import { describeLimit } from './describe-chart.ts'
import { limitLines } from './limit-lines.ts'
import { unknownSource } from './sources.ts'

const QUARTER = 900_000
const meter = { ...unknownSource('d', 'm'), unit: 'W', limitedKwPerUnit: 0.001 }
const other = unknownSource('d', 'o')
const ceiling = (about: Partial<Ceiling> = {}): Ceiling => ({
  ...{ deviceId: 'd', direction: 'import', limitKw: 60, from: 0, to: QUARTER },
  ...about,
})

describe('the power limits of a chart', () => {
  test('are lines of the meter in its unit, joined where they follow each other', () => {
    const [limited, untouched] = withCeilings(
      [meter, other],
      [
        ceiling(),
        ceiling({ from: QUARTER, to: 2 * QUARTER }),
        ceiling({ from: 3 * QUARTER, to: 4 * QUARTER }),
        ceiling({ direction: 'export', limitKw: 10 }),
        ceiling({ deviceId: 'x', limitKw: 1 }),
      ],
    )
    expect(limited?.ceilings).toEqual([
      [
        { from: 0, to: 2 * QUARTER, value: 60_000 },
        { from: 3 * QUARTER, to: 4 * QUARTER, value: 60_000 },
      ],
      [{ from: 0, to: QUARTER, value: -10_000 }],
    ])
    expect(untouched).toBe(other)
    expect([meter, other].map(isLimited)).toEqual([true, false])
  })

  test('are cut to the period, and absent outside of it', () => {
    const [limited = meter] = withCeilings([meter], [ceiling({ to: 2 * QUARTER })])
    expect(limitLines(limited, { from: QUARTER, to: 9 * QUARTER })).toEqual([
      { kind: 'power-limit', steps: [{ from: QUARTER, to: 2 * QUARTER, value: 60_000 }] },
    ])
    expect(limitLines(limited, { from: 3 * QUARTER, to: 9 * QUARTER })).toEqual([])
  })

  test('reach until now where they are in force', () => {
    const now = 2 * QUARTER + 60_000
    expect(ceilingsNow([{ deviceId: 'd', importKw: 60, exportKw: null }], now)).toEqual([
      ceiling({ from: 2 * QUARTER, to: now }),
    ])
  })

  test('have a name with their values', () => {
    const steps = [{ from: 0, to: 1, value: 60 }]
    expect(describeLimit({ kind: 'power-limit', steps }, 'kW')).toBe('Power limit 60\u00A0kW')
    expect(describeLimit({ kind: 'power-limit', steps: [...steps, { from: 1, to: 2, value: 40 }] }, 'kW')).toBe(
      'Power limit 40\u00A0kW to 60\u00A0kW',
    )
  })
})
