/** Time as a dependency: what waits or stamps takes a `Clock`, so that a test can move it. */
export interface Clock {
  /** Wall time in milliseconds since 1970. May be stepped in either direction. */
  now(): number
  /** Milliseconds since an arbitrary start. Only ever grows. */
  monotonic(): number
  /** Runs `action` once after `ms`; the returned function calls it off. */
  after(ms: number, action: () => void): () => void
}

// A longer one would go off at once: Node keeps the delay in 31 bits.
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
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
}

/** Runs `action` every `ms`, first after one interval; the returned function ends it. */
export function every(clock: Clock, ms: number, action: () => void): () => void {
  let cancel = clock.after(ms, tick)
  function tick() {
    cancel = clock.after(ms, tick)
    action()
  }
  return () => cancel()
}

/** Resolves after `ms`, or at once when `signal` aborts. */
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
