import { createLog } from '@plantroom/base/log'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { targetReqId } from './plan.ts'
import { type ReleaseDeps, release } from './release.ts'
import type { ReleaseTask } from './target-store.ts'

const task = (about: Partial<ReleaseTask> = {}): ReleaseTask => ({
  ...{ subject: 'dsp_1 0', deviceId: 'dev_1', organizationId: 'org_1', claim: 1, attempts: 1 },
  ...{ sentUntil: new Date(0), sentBefore: null, dispatchId: 'dsp_1', position: 0, datapointId: 'dp_1' },
  ...{ placedBy: 'key_1', placedByName: 'Market', overrideId: null, placeableUntil: null },
  ...{ cancelledBy: null, cancelledByName: null, round: 0, limit: null, isReplaced: false },
  ...about,
})

/** Releases targets of a controller that accepts, and returns the command. */
async function commandFor(about: Partial<ReleaseTask>): Promise<unknown[]> {
  const asked: unknown[][] = []
  const link = { ask: async (...args: unknown[]) => void asked.push(args) } as unknown as ReleaseDeps['link']
  const log = createLog('test', 'silent')
  const tasks = [task(about), task({ ...about, datapointId: 'dp_2' })]
  expect(await release(tasks, { link, clock: createManualClock(), log })).toEqual(tasks.map((one) => ({ task: one })))
  expect(asked).toHaveLength(1)
  return asked[0] ?? []
}

const reqIds = ['dp_1', 'dp_2'].map((id) => targetReqId('dsp_1', id))

test('the release of an expired dispatch is asked for by its caller, for all targets at once', async () => {
  expect(await commandFor({})).toEqual([
    'dev_1',
    'cancelOverridesByReqId',
    { placedBy: 'key_1', reqIds, reason: 'the fleet dispatch expired' },
    { keyId: 'key_1', callerName: 'Market', manages: true },
  ])
})

test('the release of a cancelled dispatch is asked for by who cancelled it, under a name that fits', async () => {
  const name = 'x'.repeat(MAX_CALLER_NAME + 1)
  const [, , data, caller] = await commandFor({ cancelledBy: 'user:1', cancelledByName: name })
  expect(data).toEqual({ placedBy: 'key_1', reqIds, reason: 'the fleet dispatch was cancelled' })
  expect(caller).toEqual({ keyId: 'user:1', callerName: name.slice(1), manages: true })
})
