import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../db/database.ts'
import { findDue, type LeasedRows, timeOf } from './leased-rows.ts'

/** Looks for rows that are due, for all kinds of work of a process with one statement. */
export interface Looks {
  /**
   * Looks once in each `everyMs`, and resolves with true when rows are due; with false when `signal` is aborted. Rejects
   * when the database fails.
   */
  untilDue(rows: LeasedRows, everyMs: number, signal: AbortSignal): Promise<boolean>
}

interface Watcher {
  rows: LeasedRows
  everyMs: number
  at: number
  found: PromiseWithResolvers<boolean>
}

export function createLooks({ db, clock }: { db: Db; clock: Clock }): Looks {
  const watchers = new Set<Watcher>()
  let cancel = () => {}
  let isLooking = false

  // At multiples of the interval, so that the looks of different kinds coincide.
  const nextAt = (everyMs: number) => (Math.floor(clock.monotonic() / everyMs) + 1) * everyMs

  function setTimer(): void {
    cancel()
    // One at a time: looks that queue behind a slow database would use up its connections.
    if (isLooking) return
    const first = Math.min(...[...watchers].map(({ at }) => at))
    if (watchers.size > 0) cancel = clock.after(Math.max(0, Math.ceil(first - clock.monotonic())), () => void look())
  }

  async function look(): Promise<void> {
    const now = clock.monotonic()
    const asked = [...watchers].filter(({ at }) => at <= now)
    isLooking = true
    try {
      const due = await findDue(
        db,
        asked.map(({ rows }) => rows),
        timeOf(clock),
      )
      for (const [place, { found }] of asked.entries()) if (due[place]) found.resolve(true)
    } catch (error) {
      for (const { found } of asked) found.reject(error)
    }
    for (const watcher of asked) watcher.at = nextAt(watcher.everyMs)
    isLooking = false
    setTimer()
  }

  return {
    async untilDue(rows, everyMs, signal) {
      const watcher = { rows, everyMs, at: nextAt(everyMs), found: Promise.withResolvers<boolean>() }
      const stop = () => watcher.found.resolve(false)
      signal.addEventListener('abort', stop)
      watchers.add(watcher)
      setTimer()
      try {
        if (signal.aborted) return false
        return await watcher.found.promise
      } finally {
        signal.removeEventListener('abort', stop)
        watchers.delete(watcher)
        setTimer()
      }
    },
  }
}
