import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tree } from './sorted-tree.ts'
import { type Held, isEmpty, type Moment, NOTHING_HELD, nextWake, place, step, type Window, withdraw } from './step.ts'
import { createOverrideModel } from './testing/override-model.ts'

/** Wall time and monotonic time differ by this as long as nobody sets the clock. */
const at = (wall: number, setBy = 0): Moment => ({ wall: wall + setBy, monotonic: wall - 1000 })

let seq = 0
function aWindow(from: number, to: number, value = 1): Window {
  seq += 1
  return { id: `ovr_${seq}`, seq, datapointId: 'power', value, from, to, reqId: 'req', placedBy: 'key_1' }
}

const holding = (...windows: readonly Window[]) => windows.reduce(place, NOTHING_HELD)

/** The effects of a look, in short. */
function effects(held: Held, now: Moment): string[] {
  return step(held, now).effects.map(({ kind, window }) => `${kind} ${window.id}`)
}

const after = (held: Held, ...moments: readonly Moment[]) => moments.reduce((held, now) => step(held, now).held, held)

describe('a window on a datapoint', () => {
  test('is applied at its start, which is inclusive, and released at its end, which is exclusive', () => {
    const window = aWindow(100, 200)
    const held = holding(window)
    expect(effects(held, at(99))).toEqual([])
    expect(effects(held, at(100))).toEqual([`apply ${window.id}`])
    const applied = after(held, at(100))
    expect(applied.ruling).toMatchObject(window)
    expect(effects(applied, at(199))).toEqual([])
    expect(effects(applied, at(200))).toEqual([`discard ${window.id}`, `release ${window.id}`])
    expect(isEmpty(after(applied, at(200)))).toBe(true)
  })

  test('that nobody looked at while it lasted is discarded, and never applied', () => {
    const window = aWindow(100, 200)
    expect(effects(holding(window), at(200))).toEqual([`discard ${window.id}`])
  })

  test('may be looked at again in the same moment: nothing happens twice', () => {
    const applied = after(holding(aWindow(100, 200)), at(150))
    expect(effects(applied, at(150))).toEqual([])
  })

  test('that is withdrawn is gone wherever it stood', () => {
    const [open, queued] = [aWindow(100, 200), aWindow(500, 600)]
    const held = after(holding(open, queued), at(150))
    expect(effects(withdraw(held, open), at(150))).toEqual([`release ${open.id}`])
    expect(after(withdraw(held, queued), at(550)).ruling).toBeUndefined()
    expect(isEmpty(withdraw(withdraw(held, open), queued))).toBe(true)
  })

  test('that is not held cannot be withdrawn', () => {
    const held = after(holding(aWindow(100, 200)), at(150))
    expect(withdraw(held, aWindow(100, 200))).toBe(held)
  })
})

describe('of several windows', () => {
  test('the one accepted last rules, and then the next most recently accepted that still covers now', () => {
    const [first, second, third] = [aWindow(0, 1000), aWindow(100, 900), aWindow(200, 300)]
    let held = holding(first, second, third)
    const ruling = [50, 150, 250, 300, 900, 1000].map((wall) => {
      held = after(held, at(wall))
      return held.ruling?.id
    })
    expect(ruling).toEqual([first.id, second.id, third.id, second.id, first.id, undefined])
  })

  test('one that was accepted earlier does not take over when its time comes', () => {
    const [queued, newer] = [aWindow(100, 1000), aWindow(0, 500)]
    const held = after(holding(queued, newer), at(0), at(100))
    expect(held.ruling?.id).toBe(newer.id)
    expect(after(held, at(500)).ruling?.id).toBe(queued.id)
  })

  test('one gives way to the next without a gap, in one look', () => {
    const [first, second] = [aWindow(0, 100), aWindow(100, 200)]
    const held = after(holding(first, second), at(0))
    expect(effects(held, at(100))).toEqual([`discard ${first.id}`, `release ${first.id}`, `apply ${second.id}`])
  })
})

describe('a clock that is set', () => {
  test('back never lengthens a hold: the monotonic clock ends it', () => {
    const window = aWindow(100, 200)
    const held = after(holding(window), at(100))
    expect(effects(held, at(199, -1_000_000))).toEqual([])
    expect(effects(held, at(200, -1_000_000))).toEqual([`discard ${window.id}`, `release ${window.id}`])
  })

  test('back before its start leaves an applied window applied', () => {
    const held = after(holding(aWindow(100, 200)), at(150))
    expect(after(held, at(151, -100)).ruling).toBeDefined()
  })

  test('back after its end does not bring a window back', () => {
    const held = after(holding(aWindow(100, 200)), at(150), at(200))
    expect(effects(held, at(201, -100))).toEqual([])
  })

  test('forward past the end ends it at once', () => {
    const window = aWindow(100, 200)
    const held = after(holding(window), at(150))
    expect(effects(held, at(151, 100))).toEqual([`discard ${window.id}`, `release ${window.id}`])
  })
})

describe('the next look', () => {
  test('is due when the first window begins or ends, by either clock', () => {
    expect(nextWake(NOTHING_HELD, at(0))).toBeUndefined()
    const held = holding(aWindow(100, 200), aWindow(300, 400))
    expect(nextWake(held, at(40))).toBe(60)
    const open = after(held, at(100))
    expect(nextWake(open, at(100))).toBe(100)
    expect(nextWake(open, at(100, -50))).toBe(100)
    expect(nextWake(open, at(100, 50))).toBe(50)
  })

  test('is due now, never earlier, when it is late', () => {
    expect(nextWake(holding(aWindow(100, 200)), at(5000))).toBe(0)
  })
})

describe('whatever happens', () => {
  const times = fc.integer({ min: 0, max: 300 })
  const action = fc.oneof(
    fc.record({ does: fc.constant('place' as const), from: times, lasts: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ does: fc.constant('withdraw' as const), which: fc.nat(10) }),
    fc.record({ does: fc.constant('pass' as const), ms: fc.nat(80) }),
    fc.record({ does: fc.constant('set the clock' as const), by: fc.integer({ min: -150, max: 150 }) }),
  )

  test('the window that rules is the one that a simple list gives, and no wake is missed', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const model = createOverrideModel()
        const windows: Window[] = []
        let held = NOTHING_HELD
        let now = { wall: 0, monotonic: 0 }
        for (const action of actions) {
          if (action.does === 'place') {
            const window = aWindow(action.from, action.from + action.lasts)
            windows.push(window)
            held = place(held, window)
            model.accepted(window)
          } else if (action.does === 'withdraw') {
            const window = windows[action.which]
            if (window) held = withdraw(held, window)
            if (window) model.cancelled(window.id)
          } else if (action.does === 'pass') {
            const due = nextWake(held, now)
            now = { wall: now.wall + action.ms, monotonic: now.monotonic + action.ms }
            if (due === undefined || due > action.ms) expect(step(held, now).effects).toEqual([])
          } else now = { ...now, wall: now.wall + action.by }
          model.look(now)
          held = step(held, now).held
          expect(held.ruling?.id).toBe(model.ruling('power')?.id)
          expect(isEmpty(held)).toBe(model.windows.every(({ over }) => over))
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

  function allNodes(held: Held): Set<unknown> {
    const found = new Set<unknown>()
    const gather = (tree: Tree<unknown>): void => {
      if (!tree) return
      found.add(tree)
      gather(tree.left)
      gather(tree.right)
    }
    for (const tree of [held.queued, held.open, held.byTo, held.byUntil]) gather(tree)
    return found
  }

  /** How many nodes of the trees a change made anew; all others are shared with what was there. */
  function made(before: Held, after: Held): number {
    const known = allNodes(before)
    return [after.queued, after.open, after.byTo, after.byUntil].reduce((sum, tree) => sum + nodes(tree, known), 0)
  }

  test.each([10, 100, 1000, 10_000])('grows with the logarithm of the %i windows held, no faster', (count) => {
    // As a balancing market does: a setpoint every 4 s, each for some minutes.
    let held = NOTHING_HELD
    for (let index = 0; index < count; index += 1) held = place(held, aWindow(0, 1_000_000 + 4000 * index))
    held = after(held, at(10))
    const most = 40 + 30 * Math.log2(count)
    for (let round = 0; round < 20; round += 1) {
      const window = aWindow(10, 2_000_000 + round)
      const placed = step(place(held, window), at(10)).held
      expect(made(held, placed)).toBeLessThan(most)
      const cancelled = step(withdraw(placed, window), at(10)).held
      expect(made(placed, cancelled)).toBeLessThan(most)
      const queued = step(place(held, aWindow(5_000_000, 5_000_001)), at(10)).held
      expect(made(held, queued)).toBeLessThan(most)
    }
  })
})
