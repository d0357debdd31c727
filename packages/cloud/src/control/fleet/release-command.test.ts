import { createLog } from '@plantroom/base/log'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
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

describe('a release that fails', () => {
  async function failed(error: Error, about: Partial<ReleaseTask> = {}) {
    const lines: string[] = []
    const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
    const link = { ask: () => Promise.reject(error) } as unknown as ReleaseDeps['link']
    const tasks = [task(about), task({ ...about, datapointId: 'dp_2' })]
    const results = await release(tasks, { link, clock: createManualClock(), log })
    expect(results.map((one) => one.task)).toEqual(tasks)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ deviceId: 'dev_1', dispatchId: 'dsp_1' }])
    return { again: results.map((one) => one.again), reason: JSON.parse(lines.join()).reason }
  }
  const twice = (inMs: number) => [1, 2].map(() => ({ inMs, hasFailed: true }))

  test('is asked for again, after a longer wait each time', async () => {
    const offline = new Failure('offline', 'the controller does not answer')
    expect(await failed(offline)).toEqual({ again: twice(1_000), reason: 'the controller does not answer' })
    expect((await failed(offline, { attempts: 3 })).again).toEqual(twice(4_000))
    expect((await failed(new Error('a bug'))).again).toEqual(twice(1_000))
  })

  test('is asked for again after a minute when the controller rejects it', async () => {
    const rejected = new Failure('rejected', 'no such command')
    expect(await failed(rejected)).toEqual({ again: twice(60_000), reason: 'no such command' })
  })
})
