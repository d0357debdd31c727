import { createLog } from '@plantroom/base/log'
import type { ControlState, Hold } from '@plantroom/contract/control-state'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { readReplyIfValid } from './ask.ts'
import { createDeviceStateStore } from './device-state-store.ts'
import { createDeviceStore } from './device-store.ts'
import { createLastStates } from './last-states.ts'

const AT = '2030-01-01T00:00:00.000Z'

const aHold = (datapointId: string, changes: Partial<Hold> = {}): Hold => ({
  ...{ datapointId, state: 'holding', by: 'demand-response', value: 18, overrideId: null, until: AT, trouble: null },
  ...{ next: { by: 'plain', value: 21 }, beneath: { by: 'plain', value: 21 }, troubleReason: null },
  ...changes,
})

const aState = (changes: Partial<ControlState> = {}, values: object = {}): ControlState => ({
  ...{ at: AT, clockSuspect: false, holds: [], overrides: [] },
  connections: [{ connectionId: 'con_1', status: 1, error: null, timestamp: AT, values: values as never }],
  ...changes,
})

const value = (number: number) => ({ value: number, timestamp: AT })
const bytes = (state: unknown) => Buffer.from(JSON.stringify(state))

async function start() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const organizations = createOrganizationStore(db)
  await organizations.addOrganization('org', 'Organization')
  await organizations.addSite('site', 'org', { name: 'Site', timeZone: 'Europe/Tallinn' })
  const devices = createDeviceStore(db)
  for (const id of ['dev_1', 'dev_2']) {
    await devices.add({ id, organizationId: 'org', siteId: 'site', name: id, secretHash: Buffer.alloc(32) })
  }
  const clock = createManualClock()
  const store = createDeviceStateStore(db)
  const open = () => {
    const findDevice = (id: string) => (id === 'dev_none' ? undefined : {})
    return createLastStates({ store, findDevice, clock, log: createLog('test', 'silent') })
  }
  const counts = () => db.selectFrom('device_state').select(['device_id', 'held', 'troubled']).execute()
  return { db, devices, clock, store, open, states: open(), counts }
}

describe('the last state of a device', () => {
  test('is what it said last, also after a restart of the cloud', async () => {
    const { clock, states, open, counts } = await start()
    const holds = [aHold('a'), aHold('b', { trouble: 'not-taken', troubleReason: 'reads 21' })]
    states.receive('dev_1', bytes(aState({ holds })))
    await states.close()
    const receivedAt = clock.now()
    await clock.advance(180_000)
    expect(await open().find('dev_1')).toEqual({ receivedAt, state: aState({ holds }) })
    expect(await open().find('dev_2')).toBeUndefined()
    expect(await counts()).toEqual([{ device_id: 'dev_1', held: 2, troubled: 1 }])
  })

  test('keeps the values of the last poll that a later message does not repeat', async () => {
    const { states } = await start()
    const polled = aState({}, { a: value(1), b: value(2) })
    states.polled('dev_1', polled)
    states.receive('dev_1', bytes(aState({ holds: [aHold('a')] }, { a: value(18) })))
    const { state } = (await states.find('dev_1')) ?? {}
    expect(state?.holds).toHaveLength(1)
    expect(state?.connections[0]?.values).toEqual({ a: value(18), b: value(2) })
    const other = aState({ clockSuspect: true }, { b: value(3) })
    states.polled('dev_1', other)
    expect((await states.find('dev_1'))?.state.connections[0]?.values).toEqual({ b: value(3) })
  })

  test('is stored after a poll when it differs, and once a minute', async () => {
    const { clock, states } = await start()
    const poll = (state: ControlState) => states.polled('dev_1', state)
    const receivedAt = async () => (await states.find('dev_1'))?.receivedAt
    const first = clock.now()
    poll(aState())
    await clock.advance(59_000)
    poll(aState())
    expect(await receivedAt()).toBe(first)
    poll(aState({ holds: [aHold('a')] }))
    expect(await receivedAt()).toBe(first + 59_000)
    await clock.advance(60_000)
    poll(aState({ holds: [aHold('a')] }))
    expect(await receivedAt()).toBe(first + 119_000)
  })

  test('is never replaced by an earlier one of a slower process', async () => {
    const { clock, store, states } = await start()
    const late = { deviceId: 'dev_1', receivedAt: clock.now() - 1, state: aState(), hasAllValues: false }
    states.receive('dev_1', bytes(aState({ holds: [aHold('a')] })))
    await states.find('dev_1')
    await store.save([late])
    expect((await states.find('dev_1'))?.state.holds).toHaveLength(1)
  })

  test('is not that of a message that a poll has overtaken', async () => {
    const { states } = await start()
    const polled = aState({ at: '2030-01-01T00:00:10.000Z', holds: [aHold('a')] })
    states.polled('dev_1', polled)
    states.receive('dev_1', bytes(aState({ at: '2030-01-01T00:00:09.000Z' })))
    expect((await states.find('dev_1'))?.state.holds).toHaveLength(1)
  })

  test('goes with the device, and never stops those of others', async () => {
    const { devices, states, open } = await start()
    states.receive('dev_1', bytes(aState()))
    states.receive('dev_none', bytes(aState()))
    states.receive('dev_2', Buffer.from('no state'))
    states.receive('dev_2', bytes(aState({ holds: [aHold('a', { troubleReason: 'x\0\ud800' })] })))
    expect((await states.find('dev_2'))?.state.holds[0]?.troubleReason).toBe('x\uFFFD\uFFFD')
    await devices.remove('org', 'dev_1')
    states.receive('dev_1', bytes(aState()))
    await states.close()
    expect(await open().find('dev_1')).toBeUndefined()
  })
})

describe('a state that a device sends', () => {
  test('has the declared fields only, with defaults for those of earlier versions', () => {
    const { beneath: _, troubleReason: __, ...old } = aHold('a')
    const read = readReplyIfValid(
      'getControlState',
      bytes({ ...aState(), holds: [{ ...old, more: { deep: [] } }], more: 1 }),
    )
    expect(read).toEqual(aState({ holds: [aHold('a')] }))
  })

  test.each([
    '[]',
    'null',
    '{"connections":[],"holds":[],"overrides":[]}',
    JSON.stringify({ ...aState(), holds: [{ ...aHold('a'), by: 'somebody' }] }),
    JSON.stringify({ ...aState(), holds: [aHold('a'), null] }),
    JSON.stringify({ ...aState(), overrides: [{ id: 'a' }] }),
    JSON.stringify({ ...aState(), connections: [{ connectionId: 'c', status: 7, timestamp: AT, values: {} }] }),
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  ])('is refused as a whole when a part cannot be read: %.60s', (text) => {
    expect(readReplyIfValid('getControlState', Buffer.from(text))).toBeUndefined()
  })
})

describe('a controller that lost its memory', () => {
  const memory = (id: string, run: string, from: number, count = from) => ({ id, run, from, count })
  const held = (own: ControlState['memory']) => aState({ holds: [aHold('a')], ...(own && { memory: own }) })
  const empty = (own: ControlState['memory']) => aState({ connections: [], ...(own && { memory: own }) })

  /** Receives the states one after the other, each stored before the next, and returns what is given back. */
  async function receive(all: readonly ControlState[]) {
    const { db, clock, open } = await start()
    for (const state of all) {
      const states = open()
      states.receive('dev_1', bytes(state))
      await states.close()
      await clock.advance(5_000)
    }
    const rows = await db.selectFrom('device_replacement').select(['cause', 'state', 'memory']).execute()
    return { db, rows: rows.map(({ cause, state, memory: own }) => ({ cause, holds: state?.holds, run: own?.run })) }
  }
  const given = (run: string) => [{ cause: 'memory-lost', holds: [aHold('a')], run }]

  test.each<[string, ControlState[], unknown[]]>([
    ['is empty with another memory', [held(memory('m1', 'r1', 1)), empty(memory('m2', 'r2', 1))], given('r2')],
    ['is empty, and did not say which memory it had', [held(undefined), empty(memory('m2', 'r2', 1))], given('r2')],
    ['says so', [held(memory('m1', 'r1', 1)), held({ ...memory('m1', 'r2', 9), lost: 'cut off' })], given('r2')],
    ['has an older copy', [held(memory('m1', 'r1', 1, 9)), empty(memory('m1', 'r2', 8, 20))], given('r2')],
    [
      'starts again before it gets it back',
      [held(memory('m1', 'r1', 1)), empty(memory('m2', 'r2', 1)), empty(memory('m2', 'r3', 2))],
      given('r3'),
    ],
    [
      'says so and was never heard before',
      [held({ ...memory('m1', 'r2', 9), lost: 'x' })],
      [{ cause: 'memory-lost', run: 'r2' }],
    ],
  ])('gets it back when it %s', async (_, states, expected) => {
    expect((await receive(states)).rows).toEqual(expected)
  })

  test.each<[string, ControlState[]]>([
    ['released what it held', [held(memory('m1', 'r1', 1, 9)), empty(memory('m1', 'r1', 1, 12))]],
    ['started again', [held(memory('m1', 'r1', 1, 9)), empty(memory('m1', 'r2', 9, 12))]],
    ['is newer than the copy of a restored cloud', [held(memory('m1', 'r1', 1, 9)), held(memory('m2', 'r5', 3, 7))]],
    ['is of an earlier version', [held(undefined), empty(undefined)]],
    ['was updated', [held(undefined), held(memory('m1', 'r1', 1))]],
    ['is new', [empty(memory('m1', 'r1', 1))]],
    ['never had anything', [empty(memory('m1', 'r1', 1)), empty(memory('m2', 'r2', 1))]],
    [
      'answered two cloud processes in another order',
      [held(memory('m1', 'r1', 1, 9)), empty(memory('m1', 'r1', 1, 8))],
    ],
  ])('has not when it %s', async (_, states) => {
    expect((await receive(states)).rows).toEqual([])
  })

  test('does not lose the first copy when it comes back empty twice', async () => {
    const { rows } = await receive([
      held(memory('m1', 'r1', 1)),
      empty(memory('m2', 'r2', 1)),
      empty(memory('m3', 'r3', 1)),
    ])
    expect(rows).toEqual(given('r3'))
  })
})
