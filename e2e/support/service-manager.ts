import type { Part } from './part.ts'

/** Restarts a program whenever it ends, as a service manager does. */
export interface ServiceManager extends AsyncDisposable {
  /** Number of times the program ended. */
  readonly crashes: number
  /** Time of the last successful start; infinity while the program is down. */
  readonly upSince: number
  /** Makes the next starts crash too, each at its point. */
  crashOnNextStarts(points: readonly string[]): void
}

export function keepRunning(program: Part<unknown>): ServiceManager {
  let crashes = 0
  let upSince = Date.now()
  let nextStarts: string[] = []
  let over = false

  async function attend(): Promise<void> {
    for (;;) {
      await program.ended
      if (over) return
      crashes += 1
      upSince = Number.POSITIVE_INFINITY
      try {
        await program.start({ PLANTROOM_TEST_CRASH_AT: nextStarts.shift() ?? '' })
        upSince = Date.now()
      } catch {
        // It crashed during the start: the loop starts it again.
      }
    }
  }
  const attending = attend()

  return {
    get crashes() {
      return crashes
    },
    get upSince() {
      return upSince
    },
    crashOnNextStarts(points) {
      nextStarts = [...points]
    },
    async [Symbol.asyncDispose]() {
      over = true
      await program.kill()
      await attending
    },
  }
}
