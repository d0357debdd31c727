import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { TargetTest } from '@plantroom/contract/automatic-exports'
import { Failure } from '@plantroom/contract/failure'
import type { Db } from '../../platform/db/database.ts'
import type { Seal } from '../../platform/seal/index.ts'
import { type AskedTest, type AskedTestStore, createAskedTestStore, TESTS } from './asked-test-store.ts'
import { openTarget, type TargetDeps } from './targets/open-target.ts'
import { TargetFailure } from './targets/target.ts'
import { testTarget } from './targets/test-target.ts'

/** For all steps of a test. */
const TEST_MS = 30_000

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

/** Runs the tests that people ask for. */
export const targetTests = (deps: WorkerDeps) =>
  TESTS.kind(async (lease) => {
    const asked = await deps.store.open(lease)
    await deps.store.settle(lease, await runTest(deps, asked))
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
