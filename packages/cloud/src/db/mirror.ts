import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ChangeFeed } from './change-feed.ts'

const RETRY_MS = 1_000

/** A table in memory: a look-up costs no database access, and a change anywhere arrives by itself. */
export interface Mirror<Row> {
  get(id: string): Row | undefined
  /** Resolves when this row is as the database has it: for whoever has just changed it. */
  refresh(id: string): Promise<void>
}

export async function openMirror<Row extends { id: string }>(options: {
  table: string
  feed: ChangeFeed
  clock: Clock
  log: Log
  loadAll(): Promise<Row[]>
  loadOne(id: string): Promise<Row | undefined>
  onChange?(before: Row | undefined, after: Row | undefined): void
}): Promise<Mirror<Row>> {
  const { table, feed, clock, log, loadAll, loadOne, onChange } = options
  const rows = new Map<string, Row>()
  let lastRead: Promise<unknown> = Promise.resolve()

  // One after the other: a slow read that began before a change must not overwrite what was read after it.
  function inTurn(read: () => Promise<void>): Promise<void> {
    const turn = lastRead.then(read)
    lastRead = turn.catch(() => {})
    return turn
  }

  const refresh = (id: string) => inTurn(async () => set(id, await loadOne(id)))

  const reload = () =>
    inTurn(async () => {
      const fresh = new Map((await loadAll()).map((row) => [row.id, row]))
      for (const id of new Set([...rows.keys(), ...fresh.keys()])) set(id, fresh.get(id))
    })

  function set(id: string, row: Row | undefined) {
    const before = rows.get(id)
    if (row) rows.set(id, row)
    else rows.delete(id)
    onChange?.(before, row)
  }

  // A revocation that was heard of but could not be read must not be forgotten.
  function untilRead(read: () => Promise<void>) {
    read().catch((error: Error) => {
      if (feed.closed) return
      log.warn({ table, error: error.message }, 'could not read a change; trying again')
      clock.after(RETRY_MS, () => untilRead(read))
    })
  }

  feed.follow(table, { changed: (id) => untilRead(() => refresh(id)), missed: () => untilRead(reload) })
  await reload()
  return { get: (id) => rows.get(id), refresh }
}
