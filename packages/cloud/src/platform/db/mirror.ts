import { type Clock, sleep } from '@plantroom/base/clock'
import { uncorrelated } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'
import type { ChangeFeed } from './change-feed.ts'

const RETRY_MS = 1_000

/** Receives every change of a row; `undefined` before an insert and after a delete. */
type MirrorListener<Row> = (before: Row | undefined, after: Row | undefined) => void

/** A table in memory: a lookup costs no database access, and changes by any process arrive automatically. */
export interface Mirror<Row> {
  get(id: string): Row | undefined
  ids(): Iterable<string>
  all(): Iterable<Row>
  /** Reads one row again. Call it after changing the row, so that this process sees the change. */
  refresh(id: string): Promise<void>
  subscribe(listener: MirrorListener<Row>): void
}

export async function openMirror<Row extends { id: string }>(options: {
  table: string
  feed: ChangeFeed
  clock: Clock
  log: Log
  loadAll(): Promise<Row[]>
  loadOne(id: string): Promise<Row | undefined>
}): Promise<Mirror<Row>> {
  const { table, feed, clock, log, loadAll, loadOne } = options
  const rows = new Map<string, Row>()
  const listeners: MirrorListener<Row>[] = []
  let lastRead: Promise<unknown> = Promise.resolve()

  // Reads run one after another: a slow read from before a change must not overwrite a newer one. They belong to nobody's
  // request: what waits for the share of one organization would keep the changes of all others waiting.
  function inOrder(read: () => Promise<void>): Promise<void> {
    const next = uncorrelated(() => lastRead.then(read))
    lastRead = next.catch(() => {})
    return next
  }

  const refresh = (id: string) => inOrder(async () => set(id, await loadOne(id)))

  const reload = () =>
    inOrder(async () => {
      const fresh = new Map((await loadAll()).map((row) => [row.id, row]))
      for (const id of new Set([...rows.keys(), ...fresh.keys()])) set(id, fresh.get(id))
    })

  function set(id: string, row: Row | undefined) {
    const before = rows.get(id)
    if (row) rows.set(id, row)
    else rows.delete(id)
    for (const listener of listeners) listener(before, row)
  }

  // Retried until it succeeds: a revocation that was announced must not be lost.
  function readWithRetry(read: () => Promise<void>) {
    read().catch((error: Error) => {
      if (feed.closed) return
      log.warn({ table, error: error.message }, 'could not read a change; retrying')
      clock.after(RETRY_MS, () => readWithRetry(read))
    })
  }

  let isReloadWanted = false
  let isReloading = false

  // One reload at a time, however often it is asked for while the database is down.
  async function reloadUntilDone(): Promise<void> {
    isReloadWanted = true
    if (isReloading) return
    isReloading = true
    while (isReloadWanted && !feed.closed) {
      isReloadWanted = false
      await reload().catch(async (error: Error) => {
        isReloadWanted = true
        if (feed.closed) return
        log.warn({ table, error: error.message }, 'could not read the table again; retrying')
        await sleep(clock, RETRY_MS)
      })
    }
    isReloading = false
  }

  feed.follow(table, { changed: (id) => readWithRetry(() => refresh(id)), missed: () => void reloadUntilDone() })
  await reload()
  return {
    get: (id) => rows.get(id),
    ids: () => rows.keys(),
    all: () => rows.values(),
    refresh,
    subscribe: (listener) => void listeners.push(listener),
  }
}
