import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { UnreadableReply } from '../devices/ask.ts'
import { type PlaceDeps, place, unsent } from './place.ts'
import { targetReqId } from './plan.ts'
import type { Placement } from './target-store.ts'

const START = Date.UTC(2030, 0, 1)
const target = (about: Partial<Placement> = {}): Placement => ({
  ...{ subject: 'dsp_1 0', deviceId: 'dev_1', organizationId: 'org_1', claim: 1, attempts: 1 },
  ...{ dispatchId: 'dsp_1', position: 0, datapointId: 'dp_1', placedBy: 'key_1', placedByName: 'Market', value: 5 },
  ...{ from: new Date(START), to: new Date(START + 900_000), reason: null, isAllowed: true },
  ...{ round: 0, limit: null },
  ...{ sentUntil: new Date(START + 60_000), sentBefore: null },
  ...about,
})

type Ask = (...args: Parameters<PlaceDeps['link']['ask']>) => Promise<unknown>

/** Places a target with a controller that answers as the test says. */
async function placed(about: Partial<Placement>, ask: Ask, { isOnline = true, isActive = true } = {}) {
  const asked: unknown[][] = []
  const link = {
    ask: (...args: Parameters<Ask>) => {
      asked.push(args)
      return ask(...args)
    },
    presence: { isOnline: () => isOnline },
  } as unknown as PlaceDeps['link']
  const { task, ...result } = await place(target(about), {
    link,
    isActive: () => isActive,
    clock: createManualClock(START),
  })
  expect(task).toEqual(target(about))
  return { result, asked }
}
const accept = async () => ({ id: 'ovr_1' })
const fail = (error: Error, isSent = true): Ask => {
  return async (...[, , , , { onSent } = {}]) => {
    if (isSent) onSent?.()
    throw error
  }
}

describe('a target', () => {
  test('is placed by its caller, with the same reqId at every attempt', async () => {
    const { result, asked } = await placed({ placedByName: 'x'.repeat(300) }, accept)
    expect(result).toEqual({ kind: 'accepted', overrideId: 'ovr_1' })
    const data = { datapointId: 'dp_1', value: 5, from: '2030-01-01T00:00:00.000Z', to: '2030-01-01T00:15:00.000Z' }
    const by = { reqId: targetReqId('dsp_1', 'dp_1'), keyId: 'key_1', callerName: expect.stringMatching(/^x{1,255}$/) }
    const options = { deadline: START + 3_000, onSent: expect.any(Function) }
    expect(asked).toEqual([['dev_1', 'demandResponseOverride', data, by, options]])
  })

  test('has the reason of its dispatch', async () => {
    const { asked } = await placed({ reason: 'peak' }, accept)
    expect(asked[0]?.[2]).toMatchObject({ reason: 'peak' })
  })

  test.each([
    [1, 3_000],
    [2, 6_000],
    [4, 24_000],
    [6, 60_000],
    [100, 60_000],
  ])('at attempt %i waits %i ms for the reply, but not past its deadline', async (attempts, ms) => {
    const { asked } = await placed({ attempts }, accept)
    expect(asked[0]?.[4]).toMatchObject({ deadline: START + ms })
  })

  test('waits no longer than 3,072 s, however often it was tried', async () => {
    const { asked } = await placed({ attempts: 100, sentUntil: new Date(START + 1e9) }, accept)
    expect(asked[0]?.[4]).toMatchObject({ deadline: START + 3_072_000 })
  })

  test.each([null, new Date(START)])(
    'is refused when its caller lost the right, and may hold if it was sent',
    async (sentBefore) => {
      const { result, asked } = await placed({ isAllowed: false, sentBefore }, accept)
      const reason = 'who placed the dispatch may no longer control this device'
      expect(result).toEqual({ kind: 'refused', reason, mayHold: sentBefore !== null })
      expect(asked).toEqual([])
    },
  )

  test('waits while its key does not work', async () => {
    const { result, asked } = await placed({ sentBefore: new Date(START) }, accept, { isActive: false })
    expect(result).toMatchObject({ kind: 'retry', again: { hasFailed: true, sentUntil: new Date(START) } })
    expect(asked).toEqual([])
  })

  test.each([null, new Date(START)])('that the controller rejects is refused: sent before %s', async (sentBefore) => {
    const { result } = await placed({ sentBefore }, fail(new Failure('rejected', 'no such datapoint')))
    expect(result).toEqual({ kind: 'refused', reason: 'no such datapoint', mayHold: sentBefore !== null })
  })

  test.each([
    ['is empty', { connections: [] }, 'retry'],
    ['has lost its memory', { connections: [{}], memory: { lost: 'cut off' } }, 'retry'],
    ['has what it needs', { connections: [{}], memory: {} }, 'refused'],
    ['does not say what it has', new Failure('offline', 'no answer'), 'retry'],
    ['answers what cannot be read', new UnreadableReply('getControlState', 'at is missing'), 'refused'],
  ])('that is rejected by a controller that %s', async (_name, state, kind) => {
    const { result, asked } = await placed({}, async (_id, command, ...rest) => {
      if (command !== 'getControlState')
        return fail(new Failure('rejected', 'no such datapoint'))(_id, command, ...rest)
      if (state instanceof Failure) throw state
      return { holds: [], overrides: [], ...state }
    })
    expect(result.kind).toBe(kind)
    if (kind === 'retry') expect(result).toMatchObject({ again: { sentUntil: null } })
    expect(asked.map(([, command]) => command)).toEqual(['demandResponseOverride', 'getControlState'])
  })

  test('may hold when the reply cannot be read, or has no id', async () => {
    const unreadable = await placed({}, fail(new UnreadableReply('demandResponseOverride', 'id is missing')))
    expect(unreadable.result).toMatchObject({ kind: 'refused', mayHold: true })
    const reason = 'the controller answered without an id: update its software'
    expect((await placed({}, async () => ({ id: '' }))).result).toEqual({ kind: 'refused', reason, mayHold: true })
  })

  test('has a reason of at most 500 characters that can be stored', async () => {
    const { result } = await placed({}, fail(new Failure('rejected', `${'x'.repeat(499)}😀`)))
    expect(result).toMatchObject({ reason: `${'x'.repeat(499)}\ufffd` })
  })

  test('is tried again after no answer: later while the controller is online, and as soon as it is back', async () => {
    const offline = new Failure('offline', 'no answer')
    expect((await placed({}, fail(offline))).result).toMatchObject({ kind: 'retry', again: { hasFailed: true } })
    const { result } = await placed({}, fail(offline), { isOnline: false })
    expect(result).toEqual({ kind: 'retry', again: { inMs: 0, hasFailed: true } })
  })

  test('that was not sent keeps until when it was sent before', async () => {
    const { result } = await placed({}, fail(new Failure('offline', 'not connected'), false))
    expect(result).toMatchObject({ kind: 'retry', again: { sentUntil: null } })
    expect(unsent(target({ sentBefore: new Date(START) }))).toMatchObject({ again: { sentUntil: new Date(START) } })
  })
})
