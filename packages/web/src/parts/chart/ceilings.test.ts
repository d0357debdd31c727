import type { PlacedLimit } from '@plantroom/contract/power-limit'
import { describe, expect, test } from 'vitest'
import { type Ceiling, ceilingsNow, isLimited, NO_CEILINGS, withCeilings, withLive } from './ceilings.ts'
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

  test('are the strictest where they overlap', () => {
    const [limited] = withCeilings(
      [meter],
      [
        ceiling({ to: 4 * QUARTER }),
        ceiling({ from: QUARTER, to: 2 * QUARTER, limitKw: 30 }),
        ceiling({ from: QUARTER, to: 3 * QUARTER, limitKw: 45 }),
        ceiling({ from: 3 * QUARTER, to: 5 * QUARTER, limitKw: 80 }),
      ],
    )
    expect(limited?.ceilings).toEqual([
      [
        { from: 0, to: QUARTER, value: 60_000 },
        { from: QUARTER, to: 2 * QUARTER, value: 30_000 },
        { from: 2 * QUARTER, to: 3 * QUARTER, value: 45_000 },
        { from: 3 * QUARTER, to: 4 * QUARTER, value: 60_000 },
        { from: 4 * QUARTER, to: 5 * QUARTER, value: 80_000 },
      ],
    ])
  })

  describe('that controllers hold', () => {
    const now = 2 * QUARTER + 60_000
    const held = (about: Partial<PlacedLimit> = {}): PlacedLimit => ({
      ...{ id: 'one', direction: 'import', kw: 60, averagingSeconds: 900, reqId: '', placedBy: '', state: 'active' },
      ...{ from: new Date(now - 1000).toISOString(), to: new Date(4 * QUARTER).toISOString() },
      ...about,
    })
    const key = expect.any(String) as string
    const seen = (limits: PlacedLimit[], importKw: number | null, at = now) =>
      ceilingsNow([{ deviceId: 'd', importKw, exportKw: null, limits }], at)

    test('are known from their start to their end', () => {
      const queued = held({ id: 'two', kw: 20, state: 'queued', from: new Date(3 * QUARTER).toISOString() })
      expect(seen([held(), queued], 60)).toEqual([
        ceiling({ from: now - 1000, to: 4 * QUARTER, ...{ key } }),
        ceiling({ from: 3 * QUARTER, to: 4 * QUARTER, limitKw: 20, ...{ key } }),
      ])
    })

    test('are never below what the site is guaranteed', () => {
      expect(seen([held({ kw: 1 })], 4.2)).toMatchObject([{ limitKw: 4.2 }])
    })

    test('reach until now where only the present is known, as of a contact', () => {
      expect(seen([], 40)).toMatchObject([{ limitKw: 40, from: 2 * QUARTER, to: now }])
    })

    test('stay until now when they are released, and are forgotten when their interval is in the proof', () => {
      const placed = withLive(NO_CEILINGS, seen([held()], 60), now)
      const released = withLive(placed, seen([], null, now + 5000), now + 5000)
      expect([...released.values()]).toMatchObject([{ from: now - 1000, to: now + 5000 }])
      expect(withLive(released, [], now + 10_000)).toEqual(released)
      expect(withLive(released, [], now + 5000 + QUARTER).size).toBe(0)
    })

    test('leave nothing behind when they are released before they start', () => {
      const queued = held({ state: 'queued', from: new Date(3 * QUARTER).toISOString() })
      expect(withLive(withLive(NO_CEILINGS, seen([queued], null), now), [], now + 1).size).toBe(0)
    })
  })

  test('have a name with their values', () => {
    const steps = [{ from: 0, to: 1, value: 60 }]
    expect(describeLimit({ kind: 'power-limit', steps }, 'kW')).toBe('Power limit 60\u00A0kW')
    expect(describeLimit({ kind: 'power-limit', steps: [...steps, { from: 1, to: 2, value: 40 }] }, 'kW')).toBe(
      'Power limit 40\u00A0kW to 60\u00A0kW',
    )
  })
})
