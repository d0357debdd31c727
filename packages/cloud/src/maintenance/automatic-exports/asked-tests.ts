import { type Clock, sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import type { TargetTest } from '@plantroom/contract/automatic-exports'
import { Failure } from '@plantroom/contract/failure'
import type { Db } from '../../platform/db/database.ts'
import type { Seal } from '../../platform/seal/index.ts'
import { type AskedTest, createAskedTestStore } from './asked-test-store.ts'
import { openTarget, type TargetDeps } from './targets/open-target.ts'
import { TargetFailure } from './targets/target.ts'
import { testTarget } from './targets/test-target.ts'

/** For all steps of a test. */
const TEST_MS = 30_000
/** How long the cloud waits for a worker and its test. */
const WAIT_MS = 40_000
const LOOK_MS = 250
const SWEEP_MS = 3_600_000
/** At the same time in one worker. */
const MOST_AT_ONCE = { all: 4, organization: 2 }

interface WorkerDeps extends TargetDeps {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
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

/** Runs the tests that people ask for, until `stop` is called, which waits for those that run. */
export function startTargetTests(deps: WorkerDeps): { stop(): Promise<void> } {
  const { db, clock, log } = deps
  const store = createAskedTestStore(db)
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Map<Promise<void>, string>()

  async function startDue(): Promise<void> {
    while (running.size < MOST_AT_ONCE.all && !signal.aborted) {
      const now = clock.now()
      const times = { now: new Date(now), since: new Date(now - WAIT_MS) }
      const asked = await store.claim({ ...times, busyOrganizations: busy([...running.values()]) })
      if (!asked) return
      const done = runTest(deps, asked)
        .then((outcome) => store.settle(asked.id, outcome))
        .catch((error: Error) => log.warn({ site: asked.siteId, error: error.message }, 'a test of a target failed'))
        .finally(() => running.delete(done))
      running.set(done, asked.organizationId)
    }
  }

  async function run(): Promise<void> {
    let sweepAt = clock.monotonic()
    while (!signal.aborted) {
      try {
        if (clock.monotonic() >= sweepAt) {
          sweepAt = clock.monotonic() + SWEEP_MS
          await store.removeBefore(new Date(clock.now() - SWEEP_MS))
        }
        await startDue()
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'could not look for tests of targets; retrying')
      }
      await sleep(clock, LOOK_MS, signal)
    }
    await Promise.all(running.keys())
  }

  const ended = run()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}

function busy(organizations: readonly string[]): string[] {
  const count = (id: string) => organizations.filter((other) => other === id).length
  return [...new Set(organizations)].filter((id) => count(id) >= MOST_AT_ONCE.organization)
}

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
