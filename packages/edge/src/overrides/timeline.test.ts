import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Override } from '../store/override-store.ts'
import type { Tree } from './sorted-tree.ts'
import { createOverrideModel } from './testing/override-model.ts'
import { EMPTY_TIMELINE, isEmpty, type Moment, nextWake, place, step, type Timeline, withdraw } from './timeline.ts'

/** Wall time, and a monotonic time that differs by a constant until the clock is set. */
const at = (wall: number, setBy = 0): Moment => ({ wall: wall + setBy, monotonic: wall - 1000 })

let seq = 0
function anOverride(from: number, to: number, value = 1): Override {
  seq += 1
  return {
    id: `ovr_${seq}`,
    seq,
    datapointId: 'power',
    value,
    from,
    to,
    reqId: 'req',
    placedBy: 'key_1',
    placedByName: '',
    reason: '',
  }
}

const timelineOf = (...overrides: readonly Override[]) => overrides.reduce(place, EMPTY_TIMELINE)

/** The effects of a step, in short. */
function effects(timeline: Timeline, now: Moment): string[] {
  return step(timeline, now).effects.map(({ kind, override }) => `${kind} ${override.id}`)
}

const after = (timeline: Timeline, ...moments: readonly Moment[]) =>
  moments.reduce((timeline, now) => step(timeline, now).timeline, timeline)

describe('an override on a datapoint', () => {
  test('is applied at its start, which is inclusive, and released at its end, which is exclusive', () => {
    const override = anOverride(100, 200)
    const timeline = timelineOf(override)
    expect(effects(timeline, at(99))).toEqual([])
    expect(effects(timeline, at(100))).toEqual([`apply ${override.id}`])
    const applied = after(timeline, at(100))
    expect(applied.active).toMatchObject(override)
    expect(effects(applied, at(199))).toEqual([])
    expect(effects(applied, at(200))).toEqual([`discard ${override.id}`, `release ${override.id}`])
    expect(isEmpty(after(applied, at(200)))).toBe(true)
  })

  test('is discarded and never applied when no step falls into its window', () => {
    const override = anOverride(100, 200)
    expect(effects(timelineOf(override), at(200))).toEqual([`discard ${override.id}`])
  })

  test('has no second effect when the step is repeated', () => {
    const applied = after(timelineOf(anOverride(100, 200)), at(150))
    expect(effects(applied, at(150))).toEqual([])
  })

  test('can be withdrawn while it is active and while it is queued', () => {
    const [started, queued] = [anOverride(100, 200), anOverride(500, 600)]
    const timeline = after(timelineOf(started, queued), at(150))
    expect(effects(withdraw(timeline, started), at(150))).toEqual([`release ${started.id}`])
    expect(after(withdraw(timeline, queued), at(550)).active).toBeUndefined()
    expect(isEmpty(withdraw(withdraw(timeline, started), queued))).toBe(true)
  })

  test('that was never placed cannot be withdrawn', () => {
    const timeline = after(timelineOf(anOverride(100, 200)), at(150))
    expect(withdraw(timeline, anOverride(100, 200))).toBe(timeline)
  })
})

describe('of several overrides', () => {
  test('the one accepted last is active, and after it the most recently accepted one that has not ended', () => {
    const [first, second, third] = [anOverride(0, 1000), anOverride(100, 900), anOverride(200, 300)]
    let timeline = timelineOf(first, second, third)
    const active = [50, 150, 250, 300, 900, 1000].map((wall) => {
      timeline = after(timeline, at(wall))
      return timeline.active?.id
    })
    expect(active).toEqual([first.id, second.id, third.id, second.id, first.id, undefined])
  })

  test('an earlier one does not take over at its start', () => {
    const [queued, newer] = [anOverride(100, 1000), anOverride(0, 500)]
    const timeline = after(timelineOf(queued, newer), at(0), at(100))
    expect(timeline.active?.id).toBe(newer.id)
    expect(after(timeline, at(500)).active?.id).toBe(queued.id)
  })

  test('one follows another without a gap, in one step', () => {
    const [first, second] = [anOverride(0, 100), anOverride(100, 200)]
    const timeline = after(timelineOf(first, second), at(0))
    expect(effects(timeline, at(100))).toEqual([`discard ${first.id}`, `release ${first.id}`, `apply ${second.id}`])
  })
})

describe('a clock that is set', () => {
  test('back never lengthens a hold: the monotonic clock ends it', () => {
    const override = anOverride(100, 200)
    const timeline = after(timelineOf(override), at(100))
    expect(effects(timeline, at(199, -1_000_000))).toEqual([])
    expect(effects(timeline, at(200, -1_000_000))).toEqual([`discard ${override.id}`, `release ${override.id}`])
  })

  test('back before its start leaves an active override active', () => {
    const timeline = after(timelineOf(anOverride(100, 200)), at(150))
    expect(after(timeline, at(151, -100)).active).toBeDefined()
  })

  test('back after its end does not restart an override', () => {
    const timeline = after(timelineOf(anOverride(100, 200)), at(150), at(200))
    expect(effects(timeline, at(201, -100))).toEqual([])
  })

  test('forward past the end ends it immediately', () => {
    const override = anOverride(100, 200)
    const timeline = after(timelineOf(override), at(150))
    expect(effects(timeline, at(151, 100))).toEqual([`discard ${override.id}`, `release ${override.id}`])
  })
})

describe('the next wake', () => {
  test('is due when the first override starts or ends, by either clock', () => {
    expect(nextWake(EMPTY_TIMELINE, at(0))).toBeUndefined()
    const timeline = timelineOf(anOverride(100, 200), anOverride(300, 400))
    expect(nextWake(timeline, at(40))).toBe(60)
    const started = after(timeline, at(100))
    expect(nextWake(started, at(100))).toBe(100)
    expect(nextWake(started, at(100, -50))).toBe(100)
    expect(nextWake(started, at(100, 50))).toBe(50)
  })

  test('is due now, never in the past, when it is late', () => {
    expect(nextWake(timelineOf(anOverride(100, 200)), at(5000))).toBe(0)
  })
})

describe('for any sequence of events', () => {
  const times = fc.integer({ min: 0, max: 300 })
  const action = fc.oneof(
    fc.record({ does: fc.constant('place' as const), from: times, lasts: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ does: fc.constant('withdraw' as const), which: fc.nat(10) }),
    fc.record({ does: fc.constant('pass' as const), ms: fc.nat(80) }),
    fc.record({ does: fc.constant('set the clock' as const), by: fc.integer({ min: -150, max: 150 }) }),
  )

  test('the active override matches a simple list, and no wake is missed', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const model = createOverrideModel()
        const overrides: Override[] = []
        let timeline = EMPTY_TIMELINE
        let now = { wall: 0, monotonic: 0 }
        for (const action of actions) {
          if (action.does === 'place') {
            const override = anOverride(action.from, action.from + action.lasts)
            overrides.push(override)
            timeline = place(timeline, override)
            model.accepted(override)
          } else if (action.does === 'withdraw') {
            const override = overrides[action.which]
            if (override) timeline = withdraw(timeline, override)
            if (override) model.cancelled(override.id)
          } else if (action.does === 'pass') {
            const due = nextWake(timeline, now)
            now = { wall: now.wall + action.ms, monotonic: now.monotonic + action.ms }
            if (due === undefined || due > action.ms) expect(step(timeline, now).effects).toEqual([])
          } else now = { ...now, wall: now.wall + action.by }
          model.look(now)
          timeline = step(timeline, now).timeline
          expect(timeline.active?.id).toBe(model.active('power')?.id)
          expect(isEmpty(timeline)).toBe(model.overrides.every(({ over }) => over))
        }
      }),
      cases(200),
    )
  })
})

describe('the cost of a dispatch', () => {
  function nodes<Item>(tree: Tree<Item>, known: ReadonlySet<unknown>): number {
    return !tree || known.has(tree) ? 0 : 1 + nodes(tree.left, known) + nodes(tree.right, known)
  }

  function allNodes(timeline: Timeline): Set<unknown> {
    const found = new Set<unknown>()
    const gather = (tree: Tree<unknown>): void => {
      if (!tree) return
      found.add(tree)
      gather(tree.left)
      gather(tree.right)
    }
    for (const tree of [timeline.queued, timeline.started, timeline.byTo, timeline.byUntil]) gather(tree)
    return found
  }

  /** Counts the tree nodes that a change created. All others are shared with the state before. */
  function made(before: Timeline, after: Timeline): number {
    const known = allNodes(before)
    return [after.queued, after.started, after.byTo, after.byUntil].reduce((sum, tree) => sum + nodes(tree, known), 0)
  }

  test.each([10, 100, 1000, 10_000])('grows with the logarithm of %i overrides, no faster', (count) => {
    // Like a balancing market: a setpoint every 4 s, each for some minutes.
    let timeline = EMPTY_TIMELINE
    for (let index = 0; index < count; index += 1) timeline = place(timeline, anOverride(0, 1_000_000 + 4000 * index))
    timeline = after(timeline, at(10))
    const most = 40 + 30 * Math.log2(count)
    for (let round = 0; round < 20; round += 1) {
      const override = anOverride(10, 2_000_000 + round)
      const placed = step(place(timeline, override), at(10)).timeline
      expect(made(timeline, placed)).toBeLessThan(most)
      const cancelled = step(withdraw(placed, override), at(10)).timeline
      expect(made(placed, cancelled)).toBeLessThan(most)
      const queued = step(place(timeline, anOverride(5_000_000, 5_000_001)), at(10)).timeline
      expect(made(timeline, queued)).toBeLessThan(most)
    }
  })
})
