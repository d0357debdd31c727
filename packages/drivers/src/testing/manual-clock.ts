import type { Clock } from '@plantroom/base/clock'

export interface ManualClock extends Clock {
  /** Moves time on and runs what has become due, in order. */
  advance(ms: number): void
  /** In how many milliseconds each timer that still waits is due. */
  due(): readonly number[]
}

/** Time that stands still until a test moves it. */
export function manualClock(): ManualClock {
  const timers = new Set<{ at: number; action: () => void }>()
  let time = 0
  return {
    now: () => time,
    monotonic: () => time,
    after(ms, action) {
      const timer = { at: time + ms, action }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    due: () => [...timers].map(({ at }) => at - time),
    advance(ms) {
      const target = time + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= target).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        time = next.at
        next.action()
      }
      time = target
    },
  }
}
