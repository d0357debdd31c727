import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import { compactMeasurements } from './compaction.ts'
import { noteCompacted } from './compaction-store.ts'
import { deleteExpired, deleteOrphans } from './retention-store.ts'

const RUN_MS = 10 * 60_000

interface UpkeepDeps {
  db: Db
  clock: Clock
  log: Log
}

/**
 * Compacts past days, and deletes what is no longer kept, now and every ten minutes. Several workers may do it. The
 * returned function stops it and resolves when the current step has ended.
 */
export function startMeasurementUpkeep(deps: UpkeepDeps): () => Promise<void> {
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    // A run that takes longer than the interval goes on.
    running ??= keepUp(deps, stopped.signal).finally(() => {
      running = undefined
    })
  }
  run()
  const cancel = every(deps.clock, RUN_MS, run)
  return async () => {
    cancel()
    stopped.abort()
    await running
  }
}

async function keepUp({ db, clock, log }: UpkeepDeps, signal: AbortSignal): Promise<void> {
  try {
    // First, so that values that are about to be deleted are not compacted.
    const deleted =
      (await deleteExpired(db, { now: clock.now(), signal })) + (await deleteOrphans(db, { now: clock.now(), signal }))
    if (deleted > 0) log.info({ rows: deleted }, 'deleted old measurements')
    const values = await compactMeasurements(db, { now: clock.now(), signal })
    if (values > 0) log.info({ values }, 'compacted measurements')
    if (!signal.aborted) await noteCompacted(db, new Date(clock.now()))
  } catch (error) {
    if (signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ error: reason }, 'could not compact measurements; retrying in ten minutes')
  }
}
