import type { Clock } from '@plantroom/base/clock'
import { choosePace } from './pace.ts'

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Advances by `ms`. Runs due timers in order, and everything that follows from each before the next one. */
  advance(ms: number): Promise<void>
  /** Advances to the next timer and runs it, with what follows from it. Later timers do not run. */
  advanceToNext(): Promise<void>
  /** Advances in one step, without waiting for the consequences of the timers. */
  advanceNow(ms: number): void
  /** Moves only the wall clock, like a time correction. Timers are not affected. */
  step(ms: number): void
  /** Milliseconds until each pending timer fires, next one first. */
  waiting(): readonly number[]
}

interface Timer {
  at: number
  action(): void
}

/** @param settled resolves when everything that follows from a timer has happened */
export function createManualClock(start = Date.UTC(2030, 0, 1), settled = choosePace()): ManualClock {
  const timers = new Set<Timer>()
  let elapsed = 0
  let stepped = 0

  // Earliest first; timers with the same due time run in the order in which they were set.
  const inOrder = () => [...timers].sort((a, b) => a.at - b.at)

  /** Advances to the next timer due by `target` and runs it, or to `target` if there is none. */
  function runNext(target: number): boolean {
    const next = inOrder()[0]
    if (!next || next.at > target) {
      elapsed = target
      return false
    }
    timers.delete(next)
    elapsed = next.at
    next.action()
    return true
  }

  return {
    now: () => start + elapsed + stepped,
    monotonic: () => elapsed,
    after(ms, action) {
      // Whole milliseconds, so that no sum of random delays is rounded.
      const timer = { at: elapsed + Math.ceil(Math.max(0, ms)), action }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const target = elapsed + ms
      do await settled()
      while (runNext(target))
    },
    async advanceToNext() {
      await settled()
      const [next] = inOrder()
      if (next) runNext(next.at)
      await settled()
    },
    advanceNow(ms) {
      const target = elapsed + ms
      while (runNext(target)) {}
    },
    step(ms) {
      stepped += ms
    },
    waiting: () => inOrder().map(({ at }) => at - elapsed),
  }
}
