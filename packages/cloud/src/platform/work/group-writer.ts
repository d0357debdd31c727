import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'

const RETRY_MS = 1_000
/** Items in one statement. */
const GROUP = 500

/** Stores items in groups: while one group is written, the next one gathers. */
export interface GroupWriter<Item> {
  add(...items: readonly Item[]): void
  /** Resolves when everything is written, or the database does not answer. */
  close(): Promise<void>
}

/** Writes later than the caller asks, and retries: who adds an item neither waits for the database nor fails with it. */
export function createGroupWriter<Item>(deps: {
  write(items: readonly Item[]): Promise<unknown>
  /** What the items are, for the log. */
  what: string
  /** How many may wait while the database does not answer. More are dropped. */
  most?: number
  clock: Clock
  log: Log
}): GroupWriter<Item> {
  const { write, what, most = Number.POSITIVE_INFINITY, clock, log } = deps
  let waiting: Item[] = []
  let writing: Promise<void> | undefined
  const closing = new AbortController()

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP)
      try {
        await write(group)
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, `could not store ${what}; retrying`)
        await sleep(clock, RETRY_MS, closing.signal)
        continue
      }
      waiting = waiting.slice(group.length)
    }
  }

  return {
    add(...items) {
      if (waiting.length >= most) return
      waiting.push(...items)
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
