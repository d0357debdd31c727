import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SelectedDatapoint } from './datapoint-store.ts'
import { splitTotal } from './split.ts'

const datapoint = (about: Partial<SelectedDatapoint> = {}): SelectedDatapoint => ({
  ...{ id: 'dp', name: 'Power', deviceId: 'dev', siteId: 'site', unit: 'kW', min: -50, max: 50, tags: [] },
  ...about,
})
const WATTS = { W: 1, kW: 1_000, MW: 1_000_000 } as const
const wattsOf = ({ unit }: SelectedDatapoint, value: number) => Math.round(value * WATTS[unit as keyof typeof WATTS])
const units = fc.constantFrom('W', 'kW', 'MW')

describe('a total', () => {
  test('is split by capacity', () => {
    const all = [datapoint({ max: 10 }), datapoint({ max: 30 }), datapoint({ unit: 'MW', max: 0.06 })]
    expect(splitTotal(50, all)).toEqual([5, 15, 0.03])
    expect(splitTotal(100, all)).toEqual([10, 30, 0.06])
    expect(splitTotal(0, all)).toEqual([0, 0, 0])
  })

  test('below 0 is split by what datapoints can give', () => {
    expect(splitTotal(-30, [datapoint({ min: -20 }), datapoint({ min: -40, unit: 'kW' })])).toEqual([-10, -20])
  })

  test('that does not divide goes to the largest remainders, watt by watt', () => {
    expect(splitTotal(0.01, [datapoint(), datapoint(), datapoint()])).toEqual([0.004, 0.003, 0.003])
    const [small, large] = [datapoint({ max: 10 }), datapoint({ max: 20 })]
    expect(splitTotal(0.001, [small, large])).toEqual([0, 0.001])
    expect(splitTotal(0.002, [small, large])).toEqual([0.001, 0.001])
  })

  test('adds up exactly, within the range of every datapoint', () => {
    const one = fc.record({ unit: units, max: fc.double({ min: 0.001, max: 5_000, noNaN: true }) })
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (drawn, part, below) => {
          const all = drawn
            .filter(({ unit, max }) => max * WATTS[unit as keyof typeof WATTS] >= 1)
            .map(({ unit, max }) => datapoint({ unit, min: -max, max }))
          fc.pre(all.length > 0)
          const capacity = all.reduce((sum, each) => sum + Math.floor(wattsOf(each, each.max ?? 0)) - 1, 0)
          const watts = Math.max(0, Math.floor(capacity * part)) * (below ? -1 : 1)
          const values = splitTotal(watts / 1000, all)
          const sum = values.reduce(
            (total, value, index) => total + BigInt(wattsOf(all[index] as SelectedDatapoint, value)),
            0n,
          )
          expect(sum).toBe(BigInt(watts))
          values.forEach((value, index) => {
            const { min, max, unit } = all[index] as SelectedDatapoint
            expect(value).toBeGreaterThanOrEqual(min ?? 0)
            expect(value).toBeLessThanOrEqual(max ?? 0)
            // Exactly the decimal number that whole watts are in this unit.
            expect(Math.round(value * WATTS[unit as keyof typeof WATTS]) / WATTS[unit as keyof typeof WATTS]).toBe(
              value,
            )
          })
        },
      ),
    )
  })

  test.each<[string, number, SelectedDatapoint[], RegExp]>([
    [
      'exceeds the capacity',
      100.001,
      [datapoint(), datapoint()],
      /exceeds the commissioned capacity of the 2 selected datapoints, 100 kW/,
    ],
    ['exceeds the capacity below 0', -51, [datapoint()], /exceeds the commissioned capacity.*-50 kW/],
    ['is no whole number of watts', 1.0005, [datapoint()], /not a whole number of watts/],
    ['is beyond all bounds', 1e300, [datapoint()], /not a whole number of watts/],
    ['meets a datapoint without a unit', 1, [datapoint({ unit: null })], /dp \(Power\) has no power unit/],
    ['meets a datapoint of milliwatts', 1, [datapoint({ unit: 'mW' })], /has no power unit/],
    ['meets a datapoint of temperature', 1, [datapoint({ unit: '°C' })], /has no power unit/],
    [
      'meets a datapoint without an envelope',
      1,
      [datapoint({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })],
      /has no capacity/,
    ],
    ['meets a datapoint that takes nothing', 1, [datapoint({ min: -5, max: 0 })], /has no capacity.*max above 0/],
    ['meets a datapoint that gives nothing', -1, [datapoint({ min: 0, max: 5 })], /has no capacity.*min below 0/],
    [
      'is too little for equipment with a minimum',
      1,
      [datapoint({ min: 2, max: 5 })],
      /would be 1, outside its range 2 to 5/,
    ],
  ])('that %s is refused', (_why, total, all, message) => {
    expect(() => splitTotal(total, all)).toThrow(message)
  })
})
