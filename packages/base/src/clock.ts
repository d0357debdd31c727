import { uncorrelated } from './correlation.ts'

/** Time as a dependency: code that waits or records times takes a `Clock`, so that a test can control it. */
export interface Clock {
  /** Wall time in milliseconds since 1970. It may jump in either direction. */
  now(): number
  /** Milliseconds since an arbitrary start. It never decreases. */
  monotonic(): number
  /**
   * Runs `action` once after `ms`, and after the data that had arrived by then was handled: a process that was paused
   * must not take an answer for missing. The returned function cancels it.
   */
  after(ms: number, action: () => void): () => void
}

// Node stores the delay in 31 bits; a longer timer would fire immediately.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, action) {
    if (ms > LONGEST_TIMER_MS) {
      let cancel = systemClock.after(LONGEST_TIMER_MS, () => {
        cancel = systemClock.after(ms - LONGEST_TIMER_MS, action)
      })
      return () => cancel()
    }
    let immediate: NodeJS.Immediate | undefined
    // Node runs due timers before it reads from sockets, and immediates after it.
    const runAfterReading = () => {
      immediate = setImmediate(action)
    }
    // A timer serves no single request, even if one happened to start it.
    const timer = uncorrelated(() => setTimeout(runAfterReading, ms))
    return () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    }
  },
}

/** Runs `action` every `ms`, first after one interval. The returned function stops it. */
export function every(clock: Clock, ms: number, action: () => void): () => void {
  let cancel = clock.after(ms, tick)
  function tick() {
    cancel = clock.after(ms, tick)
    action()
  }
  return () => cancel()
}

/** Runs `action` every `ms` of this machine, but does not keep the process alive for it. The returned function stops it. */
export function inBackground(ms: number, action: () => void): () => void {
  const timer = uncorrelated(() => setInterval(action, ms))
  timer.unref()
  return () => clearInterval(timer)
}

/** Resolves after `ms`, or immediately when `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const wake = () => {
      cancel()
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(ms, wake)
    signal?.addEventListener('abort', wake)
  })
}

/** Waits for `done`, but no longer than `ms`. Rejects when `done` does. */
export async function within(clock: Clock, ms: number, done: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  await Promise.race([done, sleep(clock, ms, settled.signal)]).finally(() => settled.abort())
}
