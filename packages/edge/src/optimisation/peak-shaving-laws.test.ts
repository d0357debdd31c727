import type { PeakShavingLoad } from '@plantroom/contract/datapoint'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seenOf, takeOver } from './peak-shaving.ts'
import { regulate } from './regulator.ts'
import { NOTHING_MOVED, type RegulatorState } from './regulator-state.ts'

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
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  ageMs: fc.constantFrom(0, 0, 0, 5_000, 70_000, 200_000),
  limitKw: fc.constantFrom(LIMIT, LIMIT, LIMIT, LIMIT, null),
  held: fc.oneof(fc.constant([] as string[]), fc.subarray(IDS)),
})

interface Change {
  kind: 'shed' | 'recover'
  load: PeakShavingLoad
}

interface Cycle {
  before: RegulatorState
  loads: readonly PeakShavingLoad[]
  kw: number | undefined
  limitKw: number | null
  held: ReadonlySet<string>
  now: number
  changes: readonly Change[]
}

const START = 5_000
const isShed = ({ loads }: RegulatorState, id: string) => loads.get(id)?.atMostKw === 0

/** A random run of peak shaving, cycle by cycle. */
const runs = fc.tuple(loads, fc.subarray(IDS), fc.array(moment, { maxLength: 60 })).map(([loads, claimed, moments]) => {
  const settings = { meterId: 'meter', limitKw: LIMIT, hysteresisKw: HYSTERESIS, cycleSeconds: 10, loads }
  const cycles: Cycle[] = []
  let before = takeOver(NOTHING_MOVED, loads, (id) => claimed.includes(id), START)
  let now = START
  for (const { after, kw, ageMs, limitKw, held: ids } of moments) {
    now += after
    const held = new Set(ids)
    const meter = kw === undefined ? undefined : { kw, at: now - ageMs }
    const { state } = regulate(before, seenOf(settings, { limitKw, meter, held }), now)
    const changes = loads.flatMap((load): Change[] => {
      const [was, is] = [isShed(before, load.datapointId), isShed(state, load.datapointId)]
      return was === is ? [] : [{ kind: is ? 'shed' : 'recover', load }]
    })
    cycles.push({ before, loads, kw, limitKw, held, now, changes })
    before = state
  }
  return cycles
})

function always(law: (cycle: Cycle, earlier: readonly Cycle[]) => void): void {
  fc.assert(
    fc.property(runs, (cycles) => {
      for (const [index, cycle] of cycles.entries()) law(cycle, cycles.slice(0, index))
    }),
    cases(200),
  )
}

describe('in every run', () => {
  test('at most one load changes per cycle', () => {
    always(({ changes }) => expect(changes.length).toBeLessThanOrEqual(1))
  })

  test('a load stays shed or recovered for its minimum time', () => {
    always(({ changes, now }, earlier) => {
      for (const { kind, load } of changes) {
        const touched = earlier.findLast(
          ({ changes, held }) =>
            held.has(load.datapointId) || changes.some((change) => change.load.datapointId === load.datapointId),
        )
        const minimum = kind === 'shed' ? load.minOnSeconds : load.minOffSeconds
        expect(now - (touched?.now ?? START)).toBeGreaterThanOrEqual(minimum * 1000)
      }
    })
  })

  test('loads are shed in the order of their priority and recovered in reverse, except those held by demand response', () => {
    always(({ before, loads, changes, held, now }) => {
      for (const { kind, load } of changes) {
        const sooner = loads.filter(({ datapointId: id, priority, minOnSeconds }) => {
          if (held.has(id)) return false
          if (kind === 'recover') return priority > load.priority && isShed(before, id)
          const isFree = now - (before.loads.get(id)?.since ?? 0) >= minOnSeconds * 1000
          return priority < load.priority && !isShed(before, id) && isFree
        })
        expect(sooner).toEqual([])
      }
    })
  })

  test('loads held by demand response are neither shed nor recovered', () => {
    always(({ changes, held }) => {
      for (const { load } of changes) expect(held.has(load.datapointId)).toBe(false)
    })
  })

  test('loads are shed only above a limit and recovered only below it by the hysteresis', () => {
    always(({ changes, kw = Number.NaN, limitKw }) => {
      for (const { kind } of changes) {
        expect(limitKw).toBe(LIMIT)
        if (kind === 'shed') expect(kw).toBeGreaterThan(LIMIT)
        else expect(kw).toBeLessThan(LIMIT - HYSTERESIS)
      }
    })
  })
})
