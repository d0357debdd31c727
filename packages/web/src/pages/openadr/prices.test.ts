import type { OpenadrEvent } from '@plantroom/contract/openadr'
import { describe, expect, test } from 'vitest'
import { describePrices, priceLine, pricesOf } from './prices.ts'
import { anEvent, minutes, NOW } from './testing/examples.ts'

const meaningOf = (_program: string, type: string) => (type === 'PRICE' ? 'price' : 'information')

const priced = (prices: readonly [from: number, to: number, price: string][], changes: Partial<OpenadrEvent> = {}) =>
  anEvent({
    placements: [],
    intervals: prices.map(([from, to, price]) => ({
      from: minutes(from),
      to: minutes(to),
      payloads: [
        { type: 'PRICE', unit: 'EUR', values: [price] },
        { type: 'GHG', unit: 'G', values: ['100'] },
      ],
    })),
    ...changes,
  })

const at = (minute: number) => Date.parse(minutes(minute))

describe('prices', () => {
  test('are those of the payloads that the profile calls so', () => {
    const [prices, ...others] = pricesOf([priced([[0, 60, '0.21']])], meaningOf)
    expect(others).toEqual([])
    expect(prices).toMatchObject({ name: 'Grid company: PRICE in EUR', unit: 'EUR' })
    expect(prices?.steps).toEqual([{ from: at(0), to: at(60), price: 0.21 }])
  })

  test('of a deleted event, without a time or without a number are left out', () => {
    const none = [
      priced([[0, 60, '0.21']], { deletedAt: minutes(0) }),
      priced([[0, 60, 'high']]),
      anEvent({ intervals: [{ from: null, to: null, payloads: [{ type: 'PRICE', unit: null, values: ['1'] }] }] }),
    ]
    expect(pricesOf(none, meaningOf)).toEqual([])
  })

  test('do not overlap: of two for one time, that of the event that changed last counts', () => {
    const [prices] = pricesOf(
      [
        priced([[0, 60, '1']], { changedAt: minutes(-10) }),
        priced([[0, 60, '2']], { id: 'evt_2', changedAt: minutes(-5) }),
        priced([[30, 90, '3']], { id: 'evt_3' }),
      ],
      meaningOf,
    )
    expect(prices?.steps).toEqual([
      { from: at(0), to: at(30), price: 2 },
      { from: at(30), to: at(90), price: 3 },
    ])
  })

  test('are drawn to their end, with a gap where none is known', () => {
    const [prices] = pricesOf(
      [
        priced([
          [0, 15, '1'],
          [15, 30, '2'],
          [60, 75, '3'],
        ]),
      ],
      meaningOf,
    )
    if (!prices) throw new Error('there are prices')
    const [times, values] = priceLine(prices, 0).data
    const seconds = (minute: number) => at(minute) / 1000
    expect(times).toEqual(
      [0, 15]
        .map(seconds)
        .concat([30, 30].map(seconds), [60, 75, 75].map(seconds))
        .map((second, place) => (place === 2 || place === 5 ? second - 1 : second)),
    )
    expect(values).toEqual([1, 2, 2, null, 3, 3, null])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('say their range, and what is now', () => {
    const [prices] = pricesOf(
      [
        priced([
          [0, 60, '0.31'],
          [60, 120, '0.08'],
        ]),
      ],
      meaningOf,
    )
    if (!prices) throw new Error('there are prices')
    expect(describePrices(prices, NOW)).toEqual({ range: '0.08 to 0.31\u00A0EUR', now: 'now 0.31\u00A0EUR' })
    expect(describePrices(prices, at(500)).now).toBeUndefined()
  })
})
