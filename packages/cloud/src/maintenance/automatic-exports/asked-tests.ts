import { type Clock, sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { TargetTest } from '@plantroom/contract/automatic-exports'
import { Failure } from '@plantroom/contract/failure'
import type { Db } from '../../platform/db/database.ts'
import type { Seal } from '../../platform/seal/index.ts'
import type { Duty, WorkKind } from '../../platform/work/index.ts'
import { type AskedTest, type AskedTestStore, createAskedTestStore, TESTS } from './asked-test-store.ts'
import { openTarget, type TargetDeps } from './targets/open-target.ts'
import { TargetFailure } from './targets/target.ts'
import { testTarget } from './targets/test-target.ts'

/** For all steps of a test. */
const TEST_MS = 30_000
/** How long the cloud waits for a worker and its test. */
const WAIT_MS = 40_000
const LOOK_MS = 250
const HOUR_MS = 3_600_000

interface WorkerDeps extends TargetDeps {
  store: AskedTestStore
  seal: Seal
  clock: Clock
}

/** Stores a test, in the transaction of the caller, and returns its id. */
export async function askForTest(tx: Db, asked: Omit<AskedTest, 'id'>, clock: Clock): Promise<string> {
  const id = newId('test')
  await createAskedTestStore(tx).add({ id, ...asked }, new Date(clock.now()))
  return id
}

/** Waits for the outcome of a test that a worker runs. */
export async function awaitTest(db: Db, id: string, clock: Clock): Promise<TargetTest> {
  const store = createAskedTestStore(db)
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
      `no worker finished the test within ${WAIT_MS / 1000} s: try again, or ask the operator whether a worker runs`,
    )
  } finally {
    await store.remove(id)
  }
}

/** Runs the tests that people ask for. */
export const targetTests = (deps: WorkerDeps): WorkKind<'automatic_export_asked', 'id'> => ({
  name: 'target-test',
  rows: TESTS,
  atOnce: 4,
  perOrganization: 2,
  lookMs: LOOK_MS,
  async run(lease) {
    const asked = await deps.store.open(lease)
    await deps.store.settle(lease, await runTest(deps, asked))
  },
})

/** Removes tests that no cloud process waits for any more. */
export const forgetTests = ({ store, clock }: Pick<WorkerDeps, 'store' | 'clock'>): Duty => ({
  name: 'target-tests',
  everyMs: HOUR_MS,
  async run() {
    await store.removeBefore(new Date(clock.now() - HOUR_MS))
    return undefined
  },
})

async function runTest(deps: WorkerDeps, asked: AskedTest): Promise<TargetTest> {
  const late = new AbortController()
  const cancel = deps.clock.after(TEST_MS, () =>
    late.abort(
      new TargetFailure(`the target did not answer within ${TEST_MS / 1000} s: check the address and the firewall`),
    ),
  )
  try {
    const secret = asked.secret === null ? undefined : deps.seal.open(asked.secret, asked.targetId)
    const opened = await openTarget({ ...asked, secret }, deps)
    return await testTarget(opened, late.signal).finally(() => opened.close())
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof TargetFailure)) throw error
    return { ok: false, failedStep: 'connect', message: error.message }
  } finally {
    cancel()
  }
}
