import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Override } from '../store/override-store.ts'
import { outlook, overridesOf } from './outlook.ts'
import { EMPTY_TIMELINE, type Moment, place, step } from './timeline.ts'

/** Wall time, and a monotonic time that differs by a constant until the clock is set. */
const at = (wall: number, setBy = 0): Moment => ({ wall: wall + setBy, monotonic: wall - 1000 })

let seq = 0
function anOverride(from: number, to: number): Override {
  seq += 1
  return {
    id: `ovr_${seq}`,
    seq,
    datapointId: 'power',
    value: seq,
    from,
    to,
    reqId: 'req',
    placedBy: 'key_1',
    placedByName: '',
    reason: '',
  }
}

const timelineAt = (now: Moment, ...overrides: readonly Override[]) =>
  step(overrides.reduce(place, EMPTY_TIMELINE), now).timeline

function seen(now: Moment, ...overrides: readonly Override[]) {
  const found = outlook(timelineAt(now, ...overrides), now)
  return found && [found.active.id, found.until, found.next?.id]
}

describe('the outlook of an active override', () => {
  test('without others: it ends, and none is active next', () => {
    const a = anOverride(0, 10_000)
    expect(seen(at(5), a)).toEqual([a.id, 10_000, undefined])
  })

  test('that supersedes a longer one: that one is active next', () => {
    const [b, a] = [anOverride(0, 20_000), anOverride(0, 10_000)]
    expect(seen(at(5), b, a)).toEqual([a.id, 10_000, b.id])
  })

  test('that supersedes a shorter one: none is active next', () => {
    const [b, a] = [anOverride(0, 9_000), anOverride(0, 10_000)]
    expect(seen(at(5), b, a)).toEqual([a.id, 10_000, undefined])
  })

  test('that supersedes several longer ones: the one accepted last is active next', () => {
    const [c, b, a] = [anOverride(0, 30_000), anOverride(0, 20_000), anOverride(0, 10_000)]
    expect(seen(at(5), c, b, a)).toEqual([a.id, 10_000, b.id])
  })

  test('with an earlier one queued that lasts longer: that one is active next', () => {
    const [c, a] = [anOverride(9_000, 20_000), anOverride(0, 10_000)]
    expect(seen(at(5), c, a)).toEqual([a.id, 10_000, c.id])
  })

  test('with a later one queued: that one takes over at its start', () => {
    const [a, c] = [anOverride(0, 10_000), anOverride(9_000, 20_000)]
    expect(seen(at(5), a, c)).toEqual([a.id, 9_000, c.id])
    const within = anOverride(7_000, 8_000)
    expect(seen(at(5), a, c, within)).toEqual([a.id, 7_000, within.id])
  })

  test('with one queued that starts at its end: there is no gap', () => {
    const [a, c] = [anOverride(0, 10_000), anOverride(10_000, 20_000)]
    expect(seen(at(5), a, c)).toEqual([a.id, 10_000, c.id])
    expect(seen(at(5), a, anOverride(10_001, 20_000))).toEqual([a.id, 10_000, undefined])
  })

  test('is undefined when none is active', () => {
    expect(seen(at(5), anOverride(100, 200))).toBeUndefined()
    expect(outlook(EMPTY_TIMELINE, at(0))).toBeUndefined()
  })
})

describe('a clock that was set back', () => {
  test('does not delay the end, which is given as that clock will show it', () => {
    const [b, a] = [anOverride(0, 8_000_000), anOverride(0, 4_000_000)]
    const started = timelineAt(at(0), b, a)
    expect(outlook(started, at(1_000_000, -500_000))).toMatchObject({ until: 3_500_000, next: { id: b.id } })
  })

  test('by less than the clock noise is ignored', () => {
    const a = anOverride(0, 4_000_000)
    expect(outlook(timelineAt(at(0), a), at(1_000_000, -0.3))?.until).toBe(4_000_000)
  })
})

describe('the overrides of a datapoint', () => {
  test('are listed with their states', () => {
    const [early, superseded, active, queued] = [
      anOverride(50, 80),
      anOverride(0, 90),
      anOverride(0, 60),
      anOverride(40, 70),
    ]
    const all = [...overridesOf(timelineAt(at(10), early, superseded, active, queued))]
    expect(all.map(({ override, state }) => [override.id, state])).toEqual([
      [superseded.id, 'superseded'],
      [active.id, 'active'],
      [queued.id, 'queued'],
      [early.id, 'queued'],
    ])
  })
})

describe('for any overrides', () => {
  const overrides = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 })), {
    maxLength: 12,
  })

  /** Longer than any clock noise. */
  const STEP = 10_000

  test('the outlook matches what happens', () => {
    fc.assert(
      fc.property(overrides, fc.nat(30), (spans, look) => {
        const now = at(look * STEP)
        const found = timelineAt(now, ...spans.map(([from, lasts]) => anOverride(from * STEP, (from + lasts) * STEP)))
        const expected = outlook(found, now)
        expect(expected?.active.id).toBe(found.active?.id)
        if (!expected) return
        const activeAt = (wall: number) => step(found, at(wall)).timeline.active?.id
        for (let wall = now.wall; wall < expected.until; wall += STEP) expect(activeAt(wall)).toBe(expected.active.id)
        expect(activeAt(expected.until)).toBe(expected.next?.id)
        expect(expected.until).toBeGreaterThan(now.wall)
      }),
      cases(200),
    )
  })
})
