import { type Clock, sleep } from '@plantroom/base/clock'
import { uncorrelated } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'

const RETRY_MS = 1_000
/** Items in one statement: few enough that the next statement is soon. */
const GROUP = 50

/** Stores items in groups: while one group is written, the next one gathers. Shares are served in turn. */
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
  /** Whose item it is. Many items of one do not delay those of others. */
  shareOf?(item: Item): string
  /** How many may wait while the database does not answer. More are dropped. */
  most?: number
  clock: Clock
  log: Log
}): GroupWriter<Item> {
  const { write, what, shareOf = () => '', most = Number.POSITIVE_INFINITY, clock, log } = deps
  const shares = new Map<string, Item[]>()
  /** Also the items that are being written. */
  let waiting = 0
  let writing: Promise<void> | undefined
  const closing = new AbortController()

  /** Takes the oldest items of all shares, as many of each as there is room for. */
  function takeGroup(): Item[] {
    const group: Item[] = []
    while (group.length < GROUP && shares.size > 0) {
      const each = Math.max(1, Math.floor((GROUP - group.length) / shares.size))
      for (const [share, items] of shares) {
        group.push(...items.splice(0, Math.min(each, GROUP - group.length)))
        if (items.length === 0) shares.delete(share)
      }
    }
    return group
  }

  async function writeWaiting(): Promise<void> {
    let group: Item[] = []
    while (waiting > 0) {
      if (group.length === 0) group = takeGroup()
      try {
        await write(group)
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, `could not store ${what}; retrying`)
        await sleep(clock, RETRY_MS, closing.signal)
        continue
      }
      waiting -= group.length
      group = []
    }
  }

  return {
    add(...items) {
      if (waiting >= most) return
      waiting += items.length
      for (const item of items) {
        const share = shareOf(item)
        const own = shares.get(share)
        if (own) own.push(item)
        else shares.set(share, [item])
      }
      writing ??= uncorrelated(writeWaiting).finally(() => {
        writing = undefined
      })
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}
