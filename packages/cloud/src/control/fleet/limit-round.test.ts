import { describe, expect, test } from 'vitest'
import { nextRound, type Share } from './limit-round.ts'

const share = (deviceId: string, kw: number, about: Partial<Share> = {}): Share => ({
  meter: { id: `meter_${deviceId}`, deviceId, siteId: 'site', guaranteedKw: 5, importKw: 40, exportKw: 40 },
  ...{ position: 0, round: 0, kw, isAccepted: true, drawnKw: null },
  ...about,
})
const next = (kw: number, shares: readonly Share[]) =>
  nextRound({ direction: 'import', kw }, shares).next.map((one) => [one.meter.deviceId, one.kw])
const dropped = { isAccepted: false }

describe('a limit over several controllers', () => {
  test('stays as it is when all accept, and when none does', () => {
    expect(next(90, [share('a', 45), share('b', 45)])).toEqual([])
    expect(next(90, [share('a', 45, dropped), share('b', 45, dropped)])).toEqual([])
  })

  test('makes room for what a controller draws that dropped out', () => {
    const shares = [share('a', 30), share('b', 30), share('c', 30, { ...dropped, drawnKw: 50 })]
    expect(next(90, shares)).toEqual([
      ['a', 20],
      ['b', 20],
    ])
  })

  test('leaves a controller its share that dropped out and draws less, or of which nothing is known', () => {
    for (const drawnKw of [10, -20, null]) {
      expect(next(90, [share('a', 45), share('b', 45, { ...dropped, drawnKw })])).toEqual([])
    }
  })

  test('leaves what is guaranteed, whatever others draw', () => {
    expect(next(90, [share('a', 45), share('b', 45, { ...dropped, drawnKw: 300 })])).toEqual([['a', 5]])
  })

  test('releases the shares before when newer ones are accepted', () => {
    const before = share('a', 45)
    const gone = share('b', 45, { ...dropped, drawnKw: 60 })
    const now = share('a', 30, { round: 1, position: 2 })
    expect(nextRound({ direction: 'import', kw: 90 }, [before, gone, now])).toEqual({
      outdated: [before],
      failed: [],
      next: [],
    })
  })

  test('counts the share before of a controller that drops out later, and splits the rest once more', () => {
    const first = ['a', 'b', 'c'].map((name, position) => share(name, 30, { position }))
    const gone = share('d', 30, { ...dropped, drawnKw: 60, position: 3 })
    const second = ['a', 'b', 'c'].map((name, index) => share(name, 20, { round: 1, position: 4 + index }))
    const failed = { ...second[2], ...dropped } as Share
    const result = nextRound({ direction: 'import', kw: 120 }, [...first, gone, ...second.slice(0, 2), failed])
    expect(result.failed).toEqual([failed])
    expect(result.outdated).toEqual(first.slice(0, 2))
    // 120 - 60 - 30 are left for two.
    expect(result.next.map(({ kw }) => kw)).toEqual([15, 15])
  })
})
