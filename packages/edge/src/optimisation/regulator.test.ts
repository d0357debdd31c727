import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { regulate } from './regulator.ts'
import { type LoadSeen, NOTHING_MOVED, type RegulatorState, type Seen } from './regulator-state.ts'

const modulating = fc.record({
  kind: fc.constant('modulating' as const),
  priority: fc.integer({ min: 1, max: 3 }),
  minKw: fc.integer({ min: -50, max: 0 }),
  maxKw: fc.integer({ min: 1, max: 50 }),
  wantedKw: fc.integer({ min: -20, max: 50 }),
  isHeld: fc.boolean(),
})
const switching = fc.record({
  kind: fc.constant('switching' as const),
  priority: fc.integer({ min: 1, max: 3 }),
  ratedKw: fc.integer({ min: 1, max: 30 }),
  minOnSeconds: fc.constantFrom(0, 60, 300),
  minOffSeconds: fc.constantFrom(0, 60, 300),
  isHeld: fc.constant(false),
})
const plant = fc
  .record({ modulating: fc.array(modulating, { maxLength: 4 }), switching: fc.array(switching, { maxLength: 4 }) })
  .map(({ modulating, switching }): LoadSeen[] =>
    [...modulating, ...switching.map((load) => ({ ...load, wantedKw: load.ratedKw }))].map((load, index) => ({
      ...load,
      id: `load ${index}`,
    })),
  )

const drawn = ({ loads }: RegulatorState, load: LoadSeen) =>
  load.kind === 'modulating'
    ? Math.max(load.minKw, Math.min(load.wantedKw, loads.get(load.id)?.atMostKw ?? Number.POSITIVE_INFINITY))
    : loads.get(load.id)?.atMostKw === 0
      ? 0
      : load.wantedKw

const ALLOWED = 40
const ceiling = { allowedKw: ALLOWED, leftSeconds: 900, laterKw: ALLOWED, peakKw: ALLOWED }
const about = { ceiling, hysteresisKw: 1, patience: 2 }

/** Runs a plant for an hour with a base load that changes at these seconds. Returns what each step did. */
function hour(loads: readonly LoadSeen[], bases: readonly number[]) {
  let state = NOTHING_MOVED
  const steps: { second: number; kw: number; before: RegulatorState; after: RegulatorState; isExhausted: boolean }[] =
    []
  for (let second = 0; second < 3600; second += 5) {
    const base = bases[Math.floor((second / 3600) * bases.length)] ?? 0
    const kw = base + loads.reduce((sum, load) => sum + drawn(state, load), 0)
    const seen: Seen = { ...about, loads, meter: { kw, at: second * 1000 } }
    const { state: after, isExhausted } = regulate(state, seen, second * 1000)
    steps.push({ second, kw, before: state, after, isExhausted })
    state = after
  }
  return steps
}

const always = (law: (loads: readonly LoadSeen[], steps: ReturnType<typeof hour>) => void) =>
  fc.assert(
    fc.property(plant, fc.array(fc.integer({ min: -20, max: 120 }), { minLength: 1, maxLength: 4 }), (loads, bases) =>
      law(loads, hour(loads, bases)),
    ),
    cases(150),
  )

describe('in every plant', () => {
  test('no load leaves its range, and none switches before its time', () => {
    always((loads, steps) => {
      for (const load of loads) {
        let since = Number.NEGATIVE_INFINITY
        for (const { second, before, after } of steps) {
          const [was, is] = [before, after].map(({ loads }) => loads.get(load.id)?.atMostKw ?? Number.POSITIVE_INFINITY)
          if (load.kind === 'modulating') {
            if (Number.isFinite(is)) expect(is).toBeGreaterThanOrEqual(load.minKw)
            continue
          }
          if (was === is) continue
          const least = is === 0 ? load.minOnSeconds : load.minOffSeconds
          expect(second - since).toBeGreaterThanOrEqual(least)
          since = second
        }
      }
    })
  })

  test('the power is within the ceiling at the end, or everything is moved as far as it goes', () => {
    always((loads, steps) => {
      const last = steps.at(-1)
      if (!last || last.kw <= ALLOWED + 1e-9) return
      for (const load of loads) {
        const least = load.kind === 'modulating' ? Math.min(load.minKw, load.wantedKw) : 0
        expect(drawn(last.after, load)).toBeLessThanOrEqual(
          Math.max(least, load.kind === 'modulating' ? load.minKw : 0),
        )
      }
    })
  })

  test('no load runs again before a reading shows the room for it, in whatever order loads take what is written', () => {
    always((loads, steps) => {
      for (const { kw, before, after } of steps) {
        const more = loads.reduce((sum, load) => sum + Math.max(0, drawn(after, load) - drawn(before, load)), 0)
        if (more > 0) expect(kw + more).toBeLessThanOrEqual(ALLOWED + 1e-9)
      }
    })
  })

  test('no load goes on switching on and off while nothing else changes', () => {
    always((loads, steps) => {
      const end = steps.slice(-24)
      for (const load of loads.filter(({ kind }) => kind === 'switching')) {
        const states = new Set(end.map(({ after }) => after.loads.get(load.id)?.atMostKw))
        expect(states.size).toBeLessThanOrEqual(2)
      }
    })
  })
})

test('a step of 100 kW is answered by the first reading that shows it', () => {
  const battery: LoadSeen = {
    id: 'b',
    kind: 'modulating',
    priority: 1,
    minKw: -100,
    maxKw: 100,
    wantedKw: 20,
    isHeld: true,
  }
  const seen = (kw: number, at: number): Seen => ({ ...about, loads: [battery], meter: { kw, at } })
  const quiet = regulate(NOTHING_MOVED, seen(30, 0), 0).state
  const { state } = regulate(quiet, seen(130, 5_000), 5_000)
  expect(state.loads.get('b')?.atMostKw).toBeCloseTo(20 - 90, 0)
})
