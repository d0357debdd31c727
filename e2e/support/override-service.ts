import type { Part } from './part.ts'

/** A service manager: a device that has ended is started again at once. */
export interface Service extends AsyncDisposable {
  /** How often it died. */
  readonly deaths: number
  /** When it was last up for longer than it takes to start; infinity while it is down. */
  readonly upSince: number
  /** The next starts die too, each at its point. */
  dieOnNextStarts(points: readonly string[]): void
}

export function keepRunning(device: Part<unknown>): Service {
  let deaths = 0
  let upSince = Date.now()
  let nextStarts: string[] = []
  let over = false

  async function attend(): Promise<void> {
    for (;;) {
      await device.ended
      if (over) return
      deaths += 1
      upSince = Number.POSITIVE_INFINITY
      try {
        await device.start({ PLANTROOM_TEST_DIE_AT: nextStarts.shift() ?? '' })
        upSince = Date.now()
      } catch {
        // It died on the way up: the loop sees that.
      }
    }
  }
  const attending = attend()

  return {
    get deaths() {
      return deaths
    },
    get upSince() {
      return upSince
    },
    dieOnNextStarts(points) {
      nextStarts = [...points]
    },
    async [Symbol.asyncDispose]() {
      over = true
      await device.kill()
      await attending
    },
  }
}
