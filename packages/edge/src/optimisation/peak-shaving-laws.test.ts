import type { PeakShavingLoad } from '@plantroom/contract/datapoint'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Change, type ConductorState, conduct, NOTHING_SHED, type Seen, takeOver } from './peak-shaving.ts'

const IDS = ['a', 'b', 'c', 'd', 'e']
const LIMIT = 100
const HYSTERESIS = 10

const loads = fc
  .tuple(
    fc.subarray(IDS),
    fc.array(
      fc.record({
        priority: fc.integer({ min: 1, max: 3 }),
        minOnSeconds: fc.constantFrom(0, 10, 35, 120),
        minOffSeconds: fc.constantFrom(0, 10, 35, 120),
      }),
      { minLength: IDS.length, maxLength: IDS.length },
    ),
  )
  .map(([ids, about]) =>
    ids.map((datapointId, index) => ({ datapointId, shedValue: 0, ...about[index] }) as PeakShavingLoad),
  )

const moment = fc.record({
  after: fc.integer({ min: 1, max: 60_000 }),
  kw: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 89, 90, 95, 100, 101, 500) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, Number.NaN) },
  ),
  ageMs: fc.constantFrom(0, 0, 0, 5_000, 70_000, 200_000),
  limitKw: fc.constantFrom(LIMIT, LIMIT, LIMIT, LIMIT, null),
  held: fc.oneof(fc.constant([] as string[]), fc.subarray(IDS)),
})

interface Cycle {
  before: ConductorState
  after: ConductorState
  seen: Seen
  now: number
  changes: readonly Change[]
  idle: string | undefined
}

const START = 5_000

/** A random run of a conductor, cycle by cycle. */
const runs = fc.tuple(loads, fc.subarray(IDS), fc.array(moment, { maxLength: 60 })).map(([loads, claimed, moments]) => {
  const settings = { meterId: 'meter', limitKw: LIMIT, hysteresisKw: HYSTERESIS, cycleSeconds: 10, loads }
  const initial = takeOver(NOTHING_SHED, loads, (id) => claimed.includes(id), START)
  const cycles: Cycle[] = []
  let before = initial
  let now = START
  for (const { after, kw, ageMs, limitKw, held } of moments) {
    now += after
    const seen = { settings, limitKw, meter: kw === undefined ? undefined : { value: kw, ageMs }, held: new Set(held) }
    const { state, changes, idle } = conduct(before, seen, now)
    cycles.push({ before, after: state, seen, now, changes, idle })
    before = state
  }
  return { initial, cycles }
})

function always(law: (cycle: Cycle, earlier: readonly Cycle[], initial: ConductorState) => void): void {
  fc.assert(
    fc.property(runs, ({ initial, cycles }) => {
      for (const [index, cycle] of cycles.entries()) law(cycle, cycles.slice(0, index), initial)
    }),
    cases(200),
  )
}

describe('in every run', () => {
  test('at most one load changes per cycle, and the state matches', () => {
    always(({ before, after, changes }) => {
      expect(changes.length).toBeLessThanOrEqual(1)
      const [change] = changes
      const others = (ids: readonly string[]) => ids.filter((id) => id !== change?.load.datapointId)
      expect(others(after.shed)).toEqual(others(before.shed))
      if (!change) return
      expect(before.shed.includes(change.load.datapointId)).toBe(change.kind === 'recover')
      expect(after.shed.includes(change.load.datapointId)).toBe(change.kind === 'shed')
    })
  })

  test('a load stays shed or recovered for its minimum time', () => {
    always(({ changes, now }, earlier) => {
      for (const { kind, load } of changes) {
        const touched = earlier.findLast(
          ({ changes, seen }) =>
            seen.held.has(load.datapointId) || changes.some((change) => change.load.datapointId === load.datapointId),
        )
        const minimum = kind === 'shed' ? load.minOnSeconds : load.minOffSeconds
        expect(now - (touched?.now ?? START)).toBeGreaterThanOrEqual(minimum * 1000)
      }
    })
  })

  test('loads are recovered in reverse order, except those held by demand response', () => {
    always(({ changes, seen }, earlier, initial) => {
      const order = [...initial.shed]
      for (const { kind, load } of earlier.flatMap(({ changes }) => changes)) {
        if (kind === 'shed') order.push(load.datapointId)
        else order.splice(order.indexOf(load.datapointId), 1)
      }
      for (const { kind, load } of changes) {
        if (kind !== 'recover') continue
        const shedLater = order.slice(order.indexOf(load.datapointId) + 1)
        expect(shedLater.every((id) => seen.held.has(id))).toBe(true)
      }
    })
  })

  test('loads are shed in the order of their priority', () => {
    always(({ before, changes, seen, now }) => {
      for (const { kind, load } of changes) {
        if (kind !== 'shed') continue
        const sooner = seen.settings.loads.filter(
          ({ datapointId: id, priority, minOnSeconds }) =>
            priority < load.priority &&
            !before.shed.includes(id) &&
            !seen.held.has(id) &&
            now - (before.since.get(id) ?? 0) >= minOnSeconds * 1000,
        )
        expect(sooner).toEqual([])
      }
    })
  })

  test('loads held by demand response are neither shed nor recovered', () => {
    always(({ changes, seen }) => {
      for (const { load } of changes) expect(seen.held.has(load.datapointId)).toBe(false)
    })
  })

  test('nothing changes without a limit and a fresh reading, and the reason is given', () => {
    always(({ changes, seen, idle }) => {
      const { meter, limitKw } = seen
      const sure = limitKw !== null && meter !== undefined && !Number.isNaN(meter.value) && meter.ageMs <= 90_000
      expect(idle === undefined).toBe(sure)
      if (!sure) expect(changes).toEqual([])
    })
  })

  test('loads are shed only above the limit and recovered only below it by the hysteresis', () => {
    always(({ changes, seen }) => {
      for (const { kind } of changes) {
        const kw = seen.meter?.value ?? Number.NaN
        if (kind === 'shed') expect(kw).toBeGreaterThan(LIMIT)
        else expect(kw).toBeLessThan(LIMIT - HYSTERESIS)
      }
    })
  })

  test('the input is not modified', () => {
    const frozen = Object.freeze({ ...NOTHING_SHED, shed: Object.freeze(['a']), since: new Map([['a', 0]]) })
    const load = { datapointId: 'a', priority: 1, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0 }
    const settings = { meterId: 'meter', limitKw: 1, hysteresisKw: 0, cycleSeconds: 10, loads: Object.freeze([load]) }
    conduct(frozen, { settings, limitKw: 1, meter: { value: 0, ageMs: 0 }, held: new Set(['a']) }, 50)
    conduct(frozen, { settings, limitKw: 1, meter: { value: 0, ageMs: 0 }, held: new Set() }, 50)
    expect(frozen.since).toEqual(new Map([['a', 0]]))
  })
})
