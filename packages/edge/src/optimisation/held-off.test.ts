import { describe, expect, test } from 'vitest'
import { regulate } from './regulator.ts'
import { type LoadSeen, NOTHING_MOVED, type RegulatorState } from './regulator-state.ts'

const ALLOWED = 20
const ceiling = { allowedKw: ALLOWED, leftSeconds: 900, laterKw: ALLOWED, peakKw: ALLOWED }
const about = { ceiling, hysteresisKw: 1, patience: 2 }

const aBoiler = (id: string, more: Partial<Extract<LoadSeen, { kind: 'switching' }>>) => ({
  ...{ id, kind: 'switching' as const, priority: 1, ratedKw: 9, wantedKw: 9, isHeld: false },
  ...{ minOnSeconds: 0, minOffSeconds: 0 },
  ...more,
})
const stopped = { atMostKw: 0, since: 0, relapses: 0 }
const isOff = ({ loads }: RegulatorState, id: string) => loads.get(id)?.atMostKw === 0

/** Runs the regulator from this second on, every 5 s. */
function run(
  before: RegulatorState,
  loads: readonly LoadSeen[],
  seconds: { from: number; to: number; baseKw: number },
) {
  let state = before
  for (let second = seconds.from; second < seconds.to; second += 5) {
    const running = loads.filter(({ id, kind }) => kind === 'switching' && !isOff(state, id))
    const kw = seconds.baseKw + running.reduce((sum, { wantedKw }) => sum + wantedKw, 0)
    state = regulate(state, { ...about, loads, meter: { kw, at: second * 1000 } }, second * 1000).state
  }
  return state
}

describe('a load that a writer holds off', () => {
  const held = aBoiler('held', { priority: 2, wantedKw: 0, isHeld: true })

  test('does not keep less important ones from their turn', () => {
    const small = aBoiler('small', { ratedKw: 3, wantedKw: 3 })
    const before = { ...NOTHING_MOVED, loads: new Map([held, small].map(({ id }) => [id, stopped])) }
    const after = run(before, [held, small], { from: 5, to: 60, baseKw: 14 })
    // There is room for 3 kW, and none for the 9 kW that the other one would draw.
    expect([isOff(after, 'small'), isOff(after, 'held')]).toEqual([false, true])
  })

  test('stays off for its time, also when there is room for it', () => {
    const load = { ...held, minOffSeconds: 300 }
    const before = { ...NOTHING_MOVED, loads: new Map([[load.id, stopped]]) }
    const early = run(before, [load], { from: 5, to: 290, baseKw: 0 })
    expect(isOff(early, load.id)).toBe(true)
    expect(isOff(run(early, [load], { from: 300, to: 310, baseKw: 0 }), load.id)).toBe(false)
  })

  test('waits for its time once, however long it was held off', () => {
    const load = { ...held, minOffSeconds: 300 }
    const before = { ...NOTHING_MOVED, loads: new Map([[load.id, stopped]]) }
    const after = run(before, [load], { from: 5, to: 400, baseKw: 15 })
    const wanted = { ...load, wantedKw: 9 }
    expect(isOff(run(after, [wanted], { from: 400, to: 420, baseKw: 5 }), load.id)).toBe(false)
  })
})

test('a load without a range does not keep others from what they have to save', () => {
  const rigid: LoadSeen = {
    ...{ id: 'rigid', kind: 'modulating', priority: 1, minKw: 0, maxKw: 0, wantedKw: 0, isHeld: false },
  }
  const boiler = aBoiler('boiler', {})
  expect(isOff(run(NOTHING_MOVED, [rigid, boiler], { from: 0, to: 60, baseKw: 15 }), 'boiler')).toBe(true)
})
