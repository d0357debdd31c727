import { type Clock, sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { OpenadrCheck } from '@plantroom/contract/openadr'
import type { Db } from '../../platform/db/database.ts'
import { createCheckStore } from './check-store.ts'

/** How long the cloud waits for a worker and its check. */
const WAIT_MS = 75_000
const LOOK_MS = 250

/** Stores a check, in the transaction of the caller, and returns its id. */
export async function askForCheck(
  tx: Db,
  program: { id: string; organizationId: string },
  clock: Clock,
): Promise<string> {
  const id = newId('check')
  const { id: programId, organizationId } = program
  await createCheckStore(tx).add({ id, programId, organizationId }, new Date(clock.now()))
  return id
}

/** Waits for the outcome of a check that a worker runs. */
export async function awaitCheck(db: Db, id: string, clock: Clock): Promise<OpenadrCheck> {
  const store = createCheckStore(db)
  const giveUpAt = clock.monotonic() + WAIT_MS
  try {
    for (;;) {
      const outcome = await store.outcomeOf(id)
      if (outcome) return outcome
      if (clock.monotonic() >= giveUpAt) break
      await sleep(clock, LOOK_MS)
    }
    throw new Failure(
      'unavailable',
      `no worker finished the check within ${WAIT_MS / 1000} s: try again, or ask the operator whether a worker runs`,
    )
  } finally {
    await store.remove(id)
  }
}
