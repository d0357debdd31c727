import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import type { Duty } from '../../platform/work/index.ts'
import { compactMeasurements } from './compaction.ts'
import { noteCompacted } from './compaction-store.ts'
import { deleteExpired, deleteOrphans } from './retention-store.ts'

const RUN_MS = 10 * 60_000

interface UpkeepDeps {
  db: Db
  clock: Clock
  log: Log
}

/** Compacts past days, and deletes what is no longer kept, every ten minutes. */
export const measurementUpkeep = ({ db, clock, log }: UpkeepDeps): Duty => ({
  name: 'measurement-upkeep',
  everyMs: RUN_MS,
  async run(signal) {
    // First, so that values that are about to be deleted are not compacted.
    const deleted =
      (await deleteExpired(db, { now: clock.now(), signal })) + (await deleteOrphans(db, { now: clock.now(), signal }))
    if (deleted > 0) log.info({ rows: deleted }, 'deleted old measurements')
    const values = await compactMeasurements(db, { now: clock.now(), signal })
    if (values > 0) log.info({ values }, 'compacted measurements')
    if (signal.aborted) return 'more'
    await noteCompacted(db, new Date(clock.now()))
    return undefined
  },
})
