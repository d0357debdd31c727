import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { takeTurns } from './turns.ts'

const BOUNDS = { atOnce: 2, pauseMs: 1000, patienceMs: 5000 }

/** Whoever is looked at, and a way to be seen. */
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

describe('looking at few', () => {
  test('never stops, whatever is seen', () => {
    const { look, at, seen } = looks()
    const stop = takeTurns(['a', 'b'], look, BOUNDS)
    seen('a')
    vi.advanceTimersByTime(60_000)
    expect(at()).toEqual(['a', 'b'])
    stop()
    expect(at()).toEqual([])
  })
})

describe('looking at more than may be looked at at once', () => {
  test('each gives way to the next when it was seen, after a pause', () => {
    const { look, at, seen } = looks()
    takeTurns(['a', 'b', 'c'], look, BOUNDS)
    expect(at()).toEqual(['a', 'b'])
    seen('a')
    expect(at()).toEqual(['b'])
    vi.advanceTimersByTime(1000)
    expect(at()).toEqual(['b', 'c'])
    seen('b')
    vi.advanceTimersByTime(1000)
    expect(at()).toEqual(['c', 'a'])
  })

  test('one that shows nothing does not keep the others from their turn', () => {
    const { look, at } = looks()
    takeTurns(['a', 'b', 'c', 'd'], look, BOUNDS)
    vi.advanceTimersByTime(5999)
    expect(at()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(at()).toEqual(['c', 'd'])
  })

  test('ends for good, also in a pause', () => {
    const { look, at, seen } = looks()
    const stop = takeTurns(['a', 'b', 'c'], look, BOUNDS)
    seen('a')
    stop()
    expect(at()).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(at()).toEqual([])
  })

  test('what is seen twice is one turn', () => {
    const { look, at, seen } = looks()
    const done = new Map<string, () => void>()
    takeTurns(
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
