import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followInTurns } from './follow-in-turns.ts'

const BOUNDS = { atOnce: 2, pauseMs: 1000, patienceMs: 5000 }

/** Records who is followed, and lets the test complete a turn. */
function looks() {
  const open = new Map<string, () => void>()
  const look = (id: string, done: () => void) => {
    open.set(id, done)
    return () => void open.delete(id)
  }
  return { look, at: () => [...open.keys()], seen: (id: string) => open.get(id)?.() }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('following a few items', () => {
  test('never stops', () => {
    const { look, at, seen } = looks()
    const stop = followInTurns(['a', 'b'], look, BOUNDS)
    seen('a')
    vi.advanceTimersByTime(60_000)
    expect(at()).toEqual(['a', 'b'])
    stop()
    expect(at()).toEqual([])
  })
})

describe('following more items than fit', () => {
  test('yields to the next item when one is done, after a pause', () => {
    const { look, at, seen } = looks()
    followInTurns(['a', 'b', 'c'], look, BOUNDS)
    expect(at()).toEqual(['a', 'b'])
    seen('a')
    expect(at()).toEqual(['b'])
    vi.advanceTimersByTime(1000)
    expect(at()).toEqual(['b', 'c'])
    seen('b')
    vi.advanceTimersByTime(1000)
    expect(at()).toEqual(['c', 'a'])
  })

  test('skips an item that stays silent', () => {
    const { look, at } = looks()
    followInTurns(['a', 'b', 'c', 'd'], look, BOUNDS)
    vi.advanceTimersByTime(5999)
    expect(at()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(at()).toEqual(['c', 'd'])
  })

  test('stops for good, even during a pause', () => {
    const { look, at, seen } = looks()
    const stop = followInTurns(['a', 'b', 'c'], look, BOUNDS)
    seen('a')
    stop()
    expect(at()).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(at()).toEqual([])
  })

  test('counts an item that is done twice as one turn', () => {
    const { look, at, seen } = looks()
    const done = new Map<string, () => void>()
    followInTurns(
      ['a', 'b', 'c', 'd'],
      (id, over) => {
        done.set(id, over)
        return look(id, over)
      },
      BOUNDS,
    )
    seen('a')
    done.get('a')?.()
    vi.advanceTimersByTime(1000)
    expect(at()).toEqual(['b', 'c'])
  })
})
