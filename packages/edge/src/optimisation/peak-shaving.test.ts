import type { PeakShaving, PeakShavingLoad } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { limitInForce, seenOf, takeOver, wantsOf } from './peak-shaving.ts'
import { regulate } from './regulator.ts'
import { NOTHING_MOVED, type RegulatorState } from './regulator-state.ts'

const SECOND = 1000
const START = 1_000_000
const CYCLE = 10 * SECOND

function load(datapointId: string, about: Partial<PeakShavingLoad> = {}): PeakShavingLoad {
  return { datapointId, priority: 1, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0, ...about }
}

function plant(...loads: PeakShavingLoad[]): PeakShaving {
  return { meterId: 'meter', limitKw: 100, hysteresisKw: 10, cycleSeconds: 10, loads }
}

const shedOf = (state: RegulatorState) => [...state.loads].flatMap(([id, { atMostKw }]) => (atMostKw === 0 ? [id] : []))

/** Runs cycles and returns the change of each: `+a` recovered, `-a` shed. */
function conducting(settings: PeakShaving, initial = takeOver(NOTHING_MOVED, settings.loads, () => false, START)) {
  let state: RegulatorState = initial
  let now = START
  return {
    get shed() {
      return shedOf(state)
    },
    cycle(
      kw: number | undefined,
      about: { held?: string[]; limitKw?: number | null; after?: number; ageMs?: number } = {},
    ) {
      now += about.after ?? CYCLE
      const meter = kw === undefined ? undefined : { kw, at: now - (about.ageMs ?? 0) }
      const { limitKw = 100, held = [] } = about
      const before = shedOf(state)
      state = regulate(state, seenOf(settings, { limitKw, meter, held: new Set(held) }), now).state
      const after = shedOf(state)
      const shed = after.filter((id) => !before.includes(id)).map((id) => `-${id}`)
      return [...shed, ...before.filter((id) => !after.includes(id)).map((id) => `+${id}`)].join(' ')
    },
  }
}

const twoShed = (...loads: PeakShavingLoad[]) => {
  const conductor = conducting(plant(...loads))
  conductor.cycle(150)
  conductor.cycle(150)
  return conductor
}

describe('above the limit', () => {
  test('loads are shed one per cycle, the lowest number first', () => {
    const conductor = conducting(plant(load('c', { priority: 3 }), load('a'), load('b', { priority: 2 })))
    expect([150, 150, 150, 150].map((kw) => conductor.cycle(kw))).toEqual(['-a', '-b', '-c', ''])
    expect(conductor.shed.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('loads of equal priority are shed in the order of the list', () => {
    const conductor = conducting(plant(load('z'), load('a'), load('m')))
    expect([150, 150, 150].map((kw) => conductor.cycle(kw))).toEqual(['-z', '-a', '-m'])
  })

  test('nothing is shed without loads', () => {
    expect(conducting(plant()).cycle(150)).toBe('')
  })

  test('a load within its minimum on time is skipped in favour of the next one', () => {
    const conductor = conducting(plant(load('a', { minOnSeconds: 15 }), load('b', { priority: 2 })))
    expect([150, 150].map((kw) => conductor.cycle(kw))).toEqual(['-b', '-a'])
  })
})

describe('below the limit', () => {
  test('by the hysteresis, loads are recovered one per cycle, the last one shed first', () => {
    const conductor = twoShed(load('a'), load('b', { priority: 2 }))
    expect([50, 50, 50].map((kw) => conductor.cycle(kw))).toEqual(['+b', '+a', ''])
    expect(conductor.shed).toEqual([])
  })

  test.each([
    [100.001, '-b'],
    [100, ''],
    [95, ''],
    [90, ''],
    [89.999, '+a'],
    [-20, '+a'],
  ])('the comparison is strict: at %d kW', (kw, change) => {
    const conductor = conducting(plant(load('a'), load('b', { priority: 2 })))
    conductor.cycle(150)
    expect(conductor.cycle(kw)).toBe(change)
  })

  test('nothing is recovered before the minimum off time of a more important load', () => {
    const conductor = twoShed(load('a'), load('b', { priority: 2, minOffSeconds: 30 }))
    expect([50, 50, 50, 50].map((kw) => conductor.cycle(kw))).toEqual(['', '', '+b', '+a'])
  })
})

describe('minimum times', () => {
  test('are exact to the second', () => {
    const conductor = conducting(plant(load('a', { minOnSeconds: 60, minOffSeconds: 30 })))
    expect(conductor.cycle(150, { after: 60 * SECOND - 1 })).toBe('')
    expect(conductor.cycle(150, { after: 1 })).toBe('-a')
    expect(conductor.cycle(50, { after: 30 * SECOND - 1 })).toBe('')
    expect(conductor.cycle(50, { after: 1 })).toBe('+a')
    expect(conductor.cycle(150, { after: 60 * SECOND - 1 })).toBe('')
    expect(conductor.cycle(150, { after: 1 })).toBe('-a')
  })

  test('restart when demand response releases a load', () => {
    const conductor = conducting(plant(load('a', { minOnSeconds: 20, minOffSeconds: 20 })))
    expect(conductor.cycle(50, { held: ['a'], after: 100 * SECOND })).toBe('')
    expect([150, 150].map((kw) => conductor.cycle(kw))).toEqual(['', '-a'])
    expect(conductor.cycle(50, { held: ['a'], after: 100 * SECOND })).toBe('')
    expect([50, 50].map((kw) => conductor.cycle(kw))).toEqual(['', '+a'])
  })

  test('restart even while nothing can be decided', () => {
    const conductor = conducting(plant(load('a', { minOnSeconds: 20 })))
    expect(conductor.cycle(undefined, { held: ['a'], after: 100 * SECOND })).toBe('')
    expect(conductor.cycle(150)).toBe('')
  })
})

describe('a load that demand response holds', () => {
  test('is not shed; the next one is', () => {
    const conductor = conducting(plant(load('a'), load('b', { priority: 2 })))
    expect(conductor.cycle(150, { held: ['a'] })).toBe('-b')
    expect(conductor.cycle(150, { held: ['a'] })).toBe('')
    expect(conductor.cycle(150)).toBe('-a')
  })

  test('is not recovered; the one shed before it is', () => {
    const conductor = twoShed(load('a'), load('b', { priority: 2 }))
    expect(conductor.cycle(50, { held: ['b'] })).toBe('+a')
    expect(conductor.cycle(50, { held: ['b'] })).toBe('')
    expect(conductor.shed).toEqual(['b'])
    expect(conductor.cycle(50)).toBe('+b')
  })
})

test.each([
  ['a limit', 150, null],
  ['a reading', undefined, 100],
])('nothing changes without %s', (_what, kw, limitKw) => {
  const conductor = conducting(plant(load('a'), load('b')))
  conductor.cycle(150)
  expect(conductor.cycle(kw, { limitKw })).toBe('')
  expect(conductor.shed).toEqual(['a'])
  expect(conductor.cycle(150)).toBe('-b')
})

test('a limit of 0 is a limit', () => {
  expect(conducting(plant(load('a'))).cycle(5, { limitKw: 0 })).toBe('-a')
})

test('a reading that may not show the last change does not lead to another one', () => {
  const conductor = conducting(plant(load('a'), load('b')))
  expect(conductor.cycle(150)).toBe('-a')
  expect(conductor.cycle(150, { ageMs: 10_000 })).toBe('')
  expect(conductor.cycle(150, { ageMs: 10_001 })).toBe('')
  expect(conductor.cycle(150, { ageMs: 20_000 })).toBe('-b')
})

test('what comes on top of the last change is answered at once', () => {
  const conductor = conducting(plant(load('a'), load('b')))
  expect(conductor.cycle(150)).toBe('-a')
  expect(conductor.cycle(160, { after: SECOND })).toBe('')
  expect(conductor.cycle(161, { after: SECOND })).toBe('-b')
})

describe('the limit in force', () => {
  const hourly = Array.from({ length: 24 }, (_, hour) => hour * 10)

  test('is the fixed limit or that of the hour', () => {
    expect(limitInForce(80, 3)).toBe(80)
    expect(limitInForce(80, undefined)).toBe(80)
    expect([0, 13, 23].map((hour) => limitInForce(hourly, hour))).toEqual([0, 130, 230])
  })

  test('is unknown without a limit, without one for the hour, or when the hour is unknown', () => {
    expect(limitInForce(null, 3)).toBeNull()
    expect(limitInForce([], 3)).toBeNull()
    expect(limitInForce(Number.NaN, 3)).toBeNull()
    expect(limitInForce(hourly, undefined)).toBeNull()
  })
})

describe('taking over', () => {
  const a = load('a', { shedValue: 5, minOffSeconds: 30, minOnSeconds: 30 })
  const b = load('b', { priority: 2 })
  const c = load('c', { priority: 3 })

  test('from an earlier process counts claimed loads as shed, by priority, with times from now', () => {
    const initial = takeOver(NOTHING_MOVED, [c, b, a], (id) => id !== 'b', START)
    const conductor = conducting(plant(c, b, a), initial)
    expect([50, 50, 50, 150, 150].map((kw) => conductor.cycle(kw))).toEqual(['+c', '', '+a', '-b', '-c'])
  })

  test('from other settings keeps the state and times of remaining loads and forgets the others', () => {
    const known = takeOver(NOTHING_MOVED, [a, b, c], (id) => id === 'c', 7)
    const after = takeOver({ ...known, above: 3 }, [a, c, load('d')], () => false, START)
    expect(after.above).toBe(3)
    expect([...after.loads.keys()]).toEqual(['a', 'c', 'd'])
    expect(after.loads.get('c')).toBe(known.loads.get('c'))
    expect(after.loads.get('d')?.since).toBe(START)
  })

  test('ignores a claim on a load that it has recovered itself', () => {
    const known = takeOver(NOTHING_MOVED, [a], () => false, 0)
    expect(shedOf(takeOver(known, [a], () => true, START))).toEqual([])
  })

  test('counts a load that is listed twice once', () => {
    expect(shedOf(takeOver(NOTHING_MOVED, [a, a], () => true, START))).toEqual(['a'])
  })
})

describe('the claims', () => {
  test('are the shed values of shed loads, and nothing for the others', () => {
    const loads = [load('a', { shedValue: 5 }), load('b', { shedValue: 0 }), load('c')]
    expect([
      ...wantsOf(
        loads,
        takeOver(NOTHING_MOVED, loads, (id) => id !== 'c', START),
      ),
    ]).toEqual([
      ['a', { value: 5 }],
      ['b', { value: 0 }],
      ['c', undefined],
    ])
  })
})
