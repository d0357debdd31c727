import type { Clock } from '@plantroom/base/clock'

/** Time that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Lets `ms` pass: what becomes due runs in order, and what it leads to before the next timer. */
  advance(ms: number): Promise<void>
  /** The same in one go: what the timers lead to has not happened yet when it returns. */
  advanceNow(ms: number): void
  /** Steps the wall clock alone, as a correction of the time would: no timer notices. */
  step(ms: number): void
  /** In how many milliseconds each timer that waits is due, the next one first. */
  waiting(): readonly number[]
}

interface Timer {
  at: number
  action(): void
}

export function createManualClock(start = Date.UTC(2030, 0, 1)): ManualClock {
  const timers = new Set<Timer>()
  let elapsed = 0
  let stepped = 0

  // The earliest first; of two at the same moment, the one that was set first.
  const inOrder = () => [...timers].sort((a, b) => a.at - b.at)

  /** Moves on to the next timer that is due by `target` and runs it; to `target` when there is none. */
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
      const timer = { at: elapsed + Math.max(0, ms), action }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const target = elapsed + ms
      do await settle()
      while (runNext(target))
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

/** An immediate runs when no promise has anything left to do. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
