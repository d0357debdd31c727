import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outlook, windowsOf } from './outlook.ts'
import { type Held, type Moment, NOTHING_HELD, place, step, type Window } from './step.ts'

/** Wall time and monotonic time differ by this as long as nobody sets the clock. */
const at = (wall: number, setBy = 0): Moment => ({ wall: wall + setBy, monotonic: wall - 1000 })

let seq = 0
function aWindow(from: number, to: number): Window {
  seq += 1
  return { id: `ovr_${seq}`, seq, datapointId: 'power', value: seq, from, to, reqId: 'req', placedBy: 'key_1' }
}

const held = (now: Moment, ...overrides: readonly Window[]) => step(overrides.reduce(place, NOTHING_HELD), now).held

function seen(now: Moment, ...overrides: readonly Window[]) {
  const found = outlook(held(now, ...overrides), now)
  return found && [found.ruling.id, found.until, found.next?.id]
}

describe('what becomes of a window that rules', () => {
  test('alone: it ends, and no other rules', () => {
    const a = aWindow(0, 10_000)
    expect(seen(at(5), a)).toEqual([a.id, 10_000, undefined])
  })

  test('over a longer one that it covers: that one rules at its end', () => {
    const [b, a] = [aWindow(0, 20_000), aWindow(0, 10_000)]
    expect(seen(at(5), b, a)).toEqual([a.id, 10_000, b.id])
  })

  test('over a shorter one: that one has ended by then', () => {
    const [b, a] = [aWindow(0, 9_000), aWindow(0, 10_000)]
    expect(seen(at(5), b, a)).toEqual([a.id, 10_000, undefined])
  })

  test('over several that last longer: the one accepted last of them rules', () => {
    const [c, b, a] = [aWindow(0, 30_000), aWindow(0, 20_000), aWindow(0, 10_000)]
    expect(seen(at(5), c, b, a)).toEqual([a.id, 10_000, b.id])
  })

  test('and one accepted before it begins meanwhile and lasts longer: that one rules at its end', () => {
    const [c, a] = [aWindow(9_000, 20_000), aWindow(0, 10_000)]
    expect(seen(at(5), c, a)).toEqual([a.id, 10_000, c.id])
  })

  test('and one accepted after it begins meanwhile: that one takes over when its time comes', () => {
    const [a, c] = [aWindow(0, 10_000), aWindow(9_000, 20_000)]
    expect(seen(at(5), a, c)).toEqual([a.id, 9_000, c.id])
    const within = aWindow(7_000, 8_000)
    expect(seen(at(5), a, c, within)).toEqual([a.id, 7_000, within.id])
  })

  test('and one begins in the moment of its end: there is no gap', () => {
    const [a, c] = [aWindow(0, 10_000), aWindow(10_000, 20_000)]
    expect(seen(at(5), a, c)).toEqual([a.id, 10_000, c.id])
    expect(seen(at(5), a, aWindow(10_001, 20_000))).toEqual([a.id, 10_000, undefined])
  })

  test('where none rules there is nothing to become', () => {
    expect(seen(at(5), aWindow(100, 200))).toBeUndefined()
    expect(outlook(NOTHING_HELD, at(0))).toBeUndefined()
  })
})

describe('a clock that was set back', () => {
  test('does not put off the end: it is told as that clock will show it', () => {
    const [b, a] = [aWindow(0, 8_000_000), aWindow(0, 4_000_000)]
    const open = held(at(0), b, a)
    expect(outlook(open, at(1_000_000, -500_000))).toMatchObject({ until: 3_500_000, next: { id: b.id } })
  })

  test('by less than two readings may differ is none', () => {
    const a = aWindow(0, 4_000_000)
    expect(outlook(held(at(0), a), at(1_000_000, -0.3))?.until).toBe(4_000_000)
  })
})

describe('the overrides of a datapoint', () => {
  test('are told with what they are at', () => {
    const [early, covered, ruling, queued] = [aWindow(50, 80), aWindow(0, 90), aWindow(0, 60), aWindow(40, 70)]
    const all = [...windowsOf(held(at(10), early, covered, ruling, queued))]
    expect(all.map(({ window, state }) => [window.id, state])).toEqual([
      [covered.id, 'superseded'],
      [ruling.id, 'active'],
      [queued.id, 'queued'],
      [early.id, 'queued'],
    ])
  })
})

describe('whatever is held', () => {
  const overrides = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 })), {
    maxLength: 12,
  })

  /** As far apart as no noise of a clock is. */
  const SECOND = 10_000

  test('what is told is what happens', () => {
    fc.assert(
      fc.property(overrides, fc.nat(30), (spans, look) => {
        const now = at(look * SECOND)
        const found = held(now, ...spans.map(([from, lasts]) => aWindow(from * SECOND, (from + lasts) * SECOND)))
        const told = outlook(found, now)
        expect(told?.ruling.id).toBe(found.ruling?.id)
        if (!told) return
        const rulingAt = (wall: number) => rules(found, wall)
        for (let wall = now.wall; wall < told.until; wall += SECOND) expect(rulingAt(wall)).toBe(told.ruling.id)
        expect(rulingAt(told.until)).toBe(told.next?.id)
        expect(told.until).toBeGreaterThan(now.wall)
      }),
      cases(200),
    )
  })
})

const rules = (found: Held, wall: number) => step(found, at(wall)).held.ruling?.id
