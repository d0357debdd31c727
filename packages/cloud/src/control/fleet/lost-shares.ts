import type { Clock } from '@plantroom/base/clock'
import { type Duty, timeOf } from '../../platform/work/index.ts'
import type { LostShareStore } from './lost-share-store.ts'

const LOOK_MS = 30_000
const BATCH = 100

/** Splits limits over several controllers again when a controller has lost its share after it had accepted it. */
export const lostShares = ({ store, clock }: { store: LostShareStore; clock: Clock }): Duty => ({
  name: 'lost-shares',
  everyMs: LOOK_MS,
  async run(signal) {
    const limits = await store.find(timeOf(clock), BATCH)
    const failed: unknown[] = []
    for (const id of limits) {
      if (signal.aborted) return undefined
      // One that fails does not keep the others from their turn.
      await store.split(id, timeOf(clock)).catch((error: unknown) => failed.push(error))
    }
    if (failed.length > 0) throw failed[0]
    return limits.length === BATCH ? 'more' : undefined
  },
})
