import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OverrideOwner } from './override-owner-store.ts'
import { createOverrideOwners } from './override-owners.ts'

const TO = '2030-01-01T01:00:00Z'

function start() {
  const clock = createManualClock()
  const stored: OverrideOwner[] = []
  const world = {
    answer: async (): Promise<Buffer> => Buffer.from('{"id":"ovr_1"}'),
    store: async (owners: readonly OverrideOwner[]) => void stored.push(...owners),
  }
  const owners = createOverrideOwners({
    dispatch: () => world.answer(),
    store: { add: (batch) => world.store(batch) },
    clock,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => owners.close())
  const send = (command = 'demandResponseOverride') =>
    owners.dispatch('dev', command, { reqId: 'req', keyId: 'key', data: { to: TO } })
  return { clock, stored, world, owners, send }
}

describe('an accepted override', () => {
  test('is stored with its owner and end, and its reply is passed on unchanged', async () => {
    const { stored, send } = start()
    expect((await send()).toString()).toBe('{"id":"ovr_1"}')
    expect(stored).toEqual([{ deviceId: 'dev', overrideId: 'ovr_1', placedBy: 'key', endsAt: new Date(TO) }])
  })

  test('does not wait for a database that does not answer, and is stored when it does', async () => {
    const { clock, stored, world, send } = start()
    const { store } = world
    world.store = () => Promise.reject(new Error('no database'))
    await send()
    await send()
    await clock.advance(1000)
    expect(stored).toEqual([])
    world.store = store
    await clock.advance(1000)
    expect(stored).toHaveLength(2)
  })

  test('is stored before the service ends', async () => {
    const { stored, world, owners, send } = start()
    const { store } = world
    const slow = Promise.withResolvers<void>()
    world.store = (batch) => slow.promise.then(() => store(batch))
    await send()
    const closed = owners.close()
    slow.resolve()
    await closed
    expect(stored).toHaveLength(1)
  })

  test('does not keep the service from ending without a database', async () => {
    const { clock, world, owners, send } = start()
    world.store = () => Promise.reject(new Error('no database'))
    await send()
    await clock.advance(0)
    await owners.close()
  })
})

describe('nothing is stored', () => {
  test.each(['', '{}', 'null', '{"id":7}', '{"id":""}', '{"id":"\\u0000"}', `{"id":"${'x'.repeat(256)}"}`])(
    'for the reply %j',
    async (reply) => {
      const { stored, world, send } = start()
      world.answer = async () => Buffer.from(reply)
      expect((await send()).toString()).toBe(reply)
      expect(stored).toEqual([])
    },
  )

  test('for another command or a refused override', async () => {
    const { stored, world, send } = start()
    await send('getTechnicalConnectionValues')
    world.answer = () => Promise.reject(new Failure('rejected', 'no'))
    await expect(send()).rejects.toThrow('no')
    expect(stored).toEqual([])
  })
})
