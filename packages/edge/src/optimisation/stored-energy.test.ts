import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { regulate } from './regulator.ts'
import { type LoadSeen, NOTHING_MOVED, type StoredEnergy } from './regulator-state.ts'

const ALLOWED = 40
const BOILER = {
  id: 'boiler',
  kind: 'switching',
  priority: 2,
  ratedKw: 9,
  minOnSeconds: 0,
  minOffSeconds: 300,
} as const
const battery = (stored?: StoredEnergy): LoadSeen => ({
  ...{ id: 'battery', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50, wantedKw: 10, isHeld: false },
  ...(stored && { stored }),
})
const loadsWith = (stored?: StoredEnergy): LoadSeen[] => [battery(stored), { ...BOILER, wantedKw: 9, isHeld: false }]

/** Lets a site with this energy in its battery run for seconds, with a base load for each minute. Returns what flowed. */
function run(about: {
  bases: readonly number[]
  kWh: number
  isRead: boolean
  isAveraged?: boolean
  emptyAt?: number
  pollSeconds?: number
}) {
  const { bases, isRead, isAveraged = false, emptyAt = Number.POSITIVE_INFINITY, pollSeconds = 5 } = about
  let [state, kWh] = [NOTHING_MOVED, about.kWh]
  const seconds: { kw: number; batteryKw: number; isBoilerOn: boolean }[] = []
  for (let second = 0; second < bases.length * 60; second += 1) {
    const atMost = (id: string) => state.loads.get(id)?.atMostKw ?? Number.POSITIVE_INFINITY
    const asked = Math.min(10, atMost('battery'))
    const batteryKw = asked < 0 && (kWh <= 0 || second >= emptyAt) ? 0 : asked
    kWh += batteryKw / 3600
    const isBoilerOn = atMost('boiler') > 0
    const kw = (bases[Math.floor(second / 60)] ?? 0) + batteryKw + (isBoilerOn ? 9 : 0)
    seconds.push({ kw, batteryKw, isBoilerOn })
    if (second % pollSeconds !== 0) continue
    const now = second * 1000
    const stored = isRead ? { supplyKwh: Math.max(0, kWh), drawKwh: 100 } : undefined
    const ceiling = {
      ...{ allowedKw: ALLOWED, leftSeconds: 900 - (second % 900), laterKw: ALLOWED },
      peakKw: isAveraged ? ALLOWED * 1.5 : ALLOWED,
    }
    const seen = { loads: loadsWith(stored), meter: { kw, at: now }, ceiling, hysteresisKw: 1, patience: 2 }
    state = regulate(state, seen, now).state
  }
  return { seconds, kWh, state }
}

const stoppedAt = ({ seconds }: ReturnType<typeof run>) => seconds.findIndex(({ isBoilerOn }) => !isBoilerOn)
const above = ({ seconds }: ReturnType<typeof run>) => seconds.filter(({ kw }) => kw > ALLOWED + 1).length
const minutes = (kw: number, count = 30) => Array.from({ length: count }, () => kw)

describe('a storage whose energy is known', () => {
  test('is spared while others can move, so that the ceiling is kept for longer than when its energy is not known', () => {
    // Without the boiler, 10 kW are missing for fifty minutes; with it, 19 kW for less than half an hour.
    const bases = minutes(50, 48)
    const [known, unknown] = [run({ bases, kWh: 8.2, isRead: true }), run({ bases, kWh: 8.2, isRead: false })]
    expect(stoppedAt(known)).toBeLessThan(120)
    expect(above(known)).toBeLessThan(90)
    expect(above(unknown)).toBeGreaterThan(600)
  })

  test('is used to the end where nothing else can move', () => {
    const { kWh, state } = run({ bases: minutes(55, 60), kWh: 8, isRead: true })
    expect(kWh).toBeLessThan(0.01)
    expect(state.loads.get('boiler')?.atMostKw).toBe(0)
  })

  test('that is empty is planned with as if it were not there', () => {
    const seen = run({ bases: minutes(38), kWh: 0, isRead: true })
    expect(stoppedAt(seen)).toBeLessThan(60)
  })

  test('with plenty of energy is moved as if it were not known', () => {
    const bases = fc.array(fc.integer({ min: -20, max: 75 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(bases, fc.boolean(), (bases, isAveraged) => {
        const plenty = { bases, kWh: 10_000, isAveraged }
        const [known, unknown] = [run({ ...plenty, isRead: true }), run({ ...plenty, isRead: false })]
        fc.pre(unknown.state.loads.get('battery')?.doubtedUntil === undefined)
        expect(known.seconds).toEqual(unknown.seconds)
      }),
      cases(60),
    )
  })

  test('never makes the site draw more for longer than when its energy is not known', () => {
    const bases = fc.array(fc.integer({ min: 30, max: 75 }), { minLength: 5, maxLength: 40 })
    fc.assert(
      fc.property(bases, fc.double({ min: 0, max: 12, noNaN: true }), (bases, kWh) => {
        const [known, unknown] = [run({ bases, kWh, isRead: true }), run({ bases, kWh, isRead: false })]
        expect(above(known)).toBeLessThanOrEqual(above(unknown) + 60)
      }),
      cases(60),
    )
  })
})

describe('a storage whose energy is not known', () => {
  test('and that stops following is recognized by the second reading after it is asked for more, and others stop at once', () => {
    const seen = run({ bases: minutes(55), kWh: 100, isRead: false, emptyAt: 600 })
    expect(seen.seconds[599]?.isBoilerOn).toBe(true)
    // It is asked for more by the first reading, and the reading after ten seconds shows that nothing followed.
    expect(stoppedAt(seen)).toBeGreaterThan(600)
    expect(stoppedAt(seen)).toBeLessThanOrEqual(600 + 5 + 10 + 1)
    expect(seen.state.loads.get('battery')?.atMostKw).toBe(-50)
  })

  test('is planned with as if it were not there for half an hour, and then as before', () => {
    const bases = [...minutes(55, 12), ...minutes(20, 10), ...minutes(38, 40)]
    const { seconds, state } = run({ bases, kWh: 100, isRead: false, isAveraged: true, emptyAt: 600 })
    expect(seconds.some(({ isBoilerOn }) => !isBoilerOn)).toBe(true)
    expect(state.loads.get('battery')?.doubtedUntil).toBeLessThan(62 * 60_000)
  })

  test('that follows is not doubted, whatever the base load does in the same minute', () => {
    const bases = [30, 55, 70, 40, 62, 30, 85, 50]
    const { state } = run({ bases, kWh: 100, isRead: false })
    expect(state.loads.get('battery')?.doubtedUntil).toBeUndefined()
  })
})
