import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'

const RETRY_MS = 1_000
const BATCH = 500

/** Writes results in groups: while one group is written, the next one gathers. */
export interface ResultWriter<Result> {
  add(result: Result): void
  /** Resolves when everything is written, or the database does not answer. Nothing is added afterwards. */
  close(): Promise<void>
}

/** Results that are never written are found out again when their lease ends: controllers answer a repeated reqId alike. */
export function createResultWriter<Result>(deps: {
  write(results: readonly Result[]): Promise<void>
  clock: Clock
  log: Log
}): ResultWriter<Result> {
  const { write, clock, log } = deps
  let waiting: Result[] = []
  let writing: Promise<void> | undefined
  const closing = new AbortController()

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      try {
        await write(batch)
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, 'could not store outcomes of a fleet dispatch; retrying')
        await sleep(clock, RETRY_MS, closing.signal)
        continue
      }
      waiting = waiting.slice(batch.length)
    }
  }

  return {
    add(result) {
      if (closing.signal.aborted) return
      waiting.push(result)
      writing ??= writeWaiting().finally(() => {
        writing = undefined
      })
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}
