import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeyStore } from '../../organization/access/keys/key-store.ts'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createAsk } from './ask.ts'
import { createDeviceStateStore } from './device-state-store.ts'
import { createDeviceStore } from './device-store.ts'
import type { Dispatch } from './dispatch.ts'
import { createOverrideReleaseStore } from './override-release-store.ts'
import { createOverrideReleases } from './override-releases.ts'
import { createPresence } from './presence.ts'
import { gatherReturns } from './returns.ts'
import { createTaskStore } from './task-store.ts'
import { startDeviceTasks } from './tasks.ts'

const log = createLog('test', 'silent')

/** An organization with the devices `a` on one site and `b` on another, and a key for each scope. */
async function start() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const clock = createManualClock()
  const organizations = createOrganizationStore(db)
  const devices = createDeviceStore(db)
  const keys = createKeyStore(db)
  for (const org of ['ours', 'theirs']) {
    await organizations.addOrganization(org, org)
    for (const name of ['a', 'b']) {
      const id = org === 'ours' ? name : `their_${name}`
      await organizations.addSite(`site_${id}`, org, { name })
      await devices.add({ id, organizationId: org, siteId: `site_${id}`, name, secretHash: Buffer.alloc(32) })
    }
  }
  const addKey = (id: string, siteIds: string[] | null, permission: 'edge-device:read_write' | 'measurement:read') =>
    keys.add({ id, organizationId: 'ours', name: id, hash: Buffer.alloc(32), permissions: [permission], siteIds })
  await addKey('everywhere', null, 'edge-device:read_write')
  await addKey('on_a', ['site_a'], 'edge-device:read_write')
  await addKey('reader', null, 'measurement:read')
  const online = new Set<string>()
  const world = {
    answer: async (_deviceId: string): Promise<Buffer> => Buffer.from('{"success":true,"count":0,"cancelled":[]}'),
  }
  /** The device and caller of each release that was sent, with the process that sent it. */
  const sent: string[] = []
  function startProcess(name: string) {
    const returns = gatherReturns(clock)
    onTestFinished(() => returns.close())
    const dispatch: Dispatch = (deviceId, command, { data, keyId, callerName, manages }) => {
      if (command === 'demandResponseCancel') {
        expect([keyId, callerName, manages]).toEqual(['user:usr_2', 'bob@example.com', true])
        sent.push(`${name} ${deviceId} ${data.id} ${data.reason}`)
        return world.answer(deviceId)
      }
      expect([command, keyId, callerName, data.reason]).toEqual([
        'cancelOverrides',
        'user:usr_1',
        'ann@example.com',
        'the API key was revoked',
      ])
      sent.push(`${name} ${deviceId} ${data.placedBy}`)
      return world.answer(deviceId)
    }
    const link = {
      ask: createAsk(dispatch),
      presence: { ...createPresence(() => {}), isOnline: (id: string) => online.has(id) },
      onBack: returns.onBack,
    }
    const tasks = startDeviceTasks({ store: createTaskStore(db), link, clock, log })
    const releases = createOverrideReleases({ store: createOverrideReleaseStore(db), tasks, link, clock, log })
    // Not awaited: the clock, by which it waits, stands still.
    const close = () => void tasks.close()
    onTestFinished(close)
    return { releases, close, back: returns.add }
  }
  const first = startProcess('first')
  async function revoke(keyId: string) {
    const by = { id: 'user:usr_1', name: 'ann@example.com' }
    await db.transaction().execute(async (tx) => {
      expect(await createKeyStore(tx).revoke('ours', keyId, new Date(clock.now()))).toBeDefined()
      await first.releases.record(tx, keyId, by)
    })
    return first.releases.releaseNow(keyId)
  }
  const left = async () =>
    (await db.selectFrom('override_release').select(['device_id', 'placed_by']).orderBy('device_id').execute()).map(
      (row) => `${row.device_id} ${row.placed_by}`,
    )
  function connect(deviceId: string, ...processes: { back(deviceId: string): void }[]) {
    online.add(deviceId)
    for (const process of processes) process.back(deviceId)
  }
  return { db, clock, online, world, sent, first, startProcess, revoke, left, connect, devices }
}

/** Lets pending database statements finish, and then the timers they set. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    await clock.advance(Math.min(left, 10_000))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('revoking a key with its overrides', () => {
  test('asks every device that the key could control, and says what they cancelled', async () => {
    const { online, world, sent, revoke } = await start()
    online.add('a').add('b').add('their_a')
    world.answer = async (deviceId) =>
      Buffer.from(JSON.stringify({ count: 1, cancelled: [{ id: `ovr_${deviceId}`, datapointId: 'dp', more: 1 }] }))
    const { cancelled, pending } = await revoke('everywhere')
    // In the order of their answers.
    expect(cancelled.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { deviceId: 'a', id: 'ovr_a', datapointId: 'dp' },
      { deviceId: 'b', id: 'ovr_b', datapointId: 'dp' },
    ])
    expect(pending).toEqual([])
    expect(sent.toSorted()).toEqual(['first a everywhere', 'first b everywhere'])
  })

  test('asks only devices of the sites of the key', async () => {
    const { online, sent, revoke } = await start()
    online.add('a').add('b')
    await revoke('on_a')
    expect(sent).toEqual(['first a on_a'])
  })

  test('asks no device for a key that could only read', async () => {
    const { online, sent, revoke } = await start()
    online.add('a').add('b')
    expect(await revoke('reader')).toEqual({ cancelled: [], pending: [] })
    expect(sent).toEqual([])
  })

  test('names devices that are offline or do not answer', async () => {
    const { online, world, revoke } = await start()
    online.add('a')
    world.answer = () => Promise.reject(new Failure('offline', 'the device did not answer'))
    const { pending } = await revoke('everywhere')
    expect(pending).toEqual([
      { deviceId: 'a', name: 'a' },
      { deviceId: 'b', name: 'b' },
    ])
  })

  test('answers after a while, although many devices do not', async () => {
    const { clock, online, world, sent, revoke, devices } = await start()
    for (let index = 0; index < 120; index += 1) {
      const device = { id: `dev_${index}`, name: `Device ${index}`, siteId: 'site_a' }
      await devices.add({ ...device, organizationId: 'ours', secretHash: Buffer.alloc(32) })
      online.add(device.id)
    }
    world.answer = () =>
      new Promise((_resolve, reject) => clock.after(10_000, () => reject(new Failure('offline', 'no answer'))))
    const revoked = revoke('everywhere')
    await eventually(() => expect(sent).toHaveLength(50))
    await clock.advance(10_000)
    await eventually(() => expect(sent).toHaveLength(100))
    await clock.advance(10_000)
    expect((await revoked).pending).toHaveLength(122)
    // The sweep has begun to ask the first ones again.
    expect(new Set(sent).size).toBe(100)
  })

  test('can be repeated', async () => {
    const { online, sent, revoke } = await start()
    online.add('a')
    await revoke('on_a')
    expect(await revoke('on_a')).toEqual({ cancelled: [], pending: [] })
    expect(sent).toEqual(['first a on_a', 'first a on_a'])
  })
})

describe('a device that was offline', () => {
  test('is asked as soon as it is back, by one process', async () => {
    const { clock, sent, first, startProcess, revoke, connect } = await start()
    const second = startProcess('second')
    await revoke('on_a')
    expect(sent).toEqual([])
    connect('a', first, second)
    await pass(clock, 100)
    await eventually(() => expect(sent).toHaveLength(1))
    await pass(clock, 50_000)
    expect(sent).toHaveLength(1)
  })

  test('is asked by a process that started later', async () => {
    const { clock, sent, first, startProcess, revoke, connect } = await start()
    await revoke('on_a')
    first.close()
    connect('a', startProcess('second'))
    await pass(clock, 100)
    await eventually(() => expect(sent).toEqual(['second a on_a']))
  })

  test('is found by the sweep when its return was not noticed', async () => {
    const { clock, sent, online, revoke } = await start()
    await revoke('on_a')
    online.add('a')
    await pass(clock, 10_000)
    await eventually(() => expect(sent).toEqual(['first a on_a']))
  })

  test('is forgotten when it is removed', async () => {
    const { devices, revoke, left } = await start()
    await revoke('everywhere')
    await devices.remove('ours', 'a')
    expect(await left()).toEqual(['b everywhere'])
  })
})

describe('a device that does not answer', () => {
  test('is asked again until it does', async () => {
    const { clock, online, world, sent, revoke } = await start()
    const { answer } = world
    online.add('a')
    world.answer = () => Promise.reject(new Failure('offline', 'the device did not answer'))
    await revoke('on_a')
    world.answer = answer
    await eventually(async () => {
      await pass(clock, 10_000)
      expect(sent.length).toBeGreaterThan(1)
    })
  })

  test('is left to another process when the first one ends while it asks', async () => {
    const { clock, online, world, sent, first, startProcess, revoke } = await start()
    online.add('a')
    const { answer } = world
    world.answer = () => new Promise(() => {})
    void revoke('on_a')
    await eventually(() => expect(sent).toEqual(['first a on_a']))
    first.close()
    world.answer = answer
    startProcess('second')
    await pass(clock, 50_000)
    expect(sent).toHaveLength(1)
    await eventually(async () => {
      await pass(clock, 10_000)
      expect(sent).toContain('second a on_a')
    })
  })
})

describe('a device that has cancelled', () => {
  test('is asked once more after a minute, for commands that another process had accepted, and then no more', async () => {
    const { clock, online, sent, revoke, left } = await start()
    online.add('a')
    await revoke('on_a')
    expect(await left()).toEqual(['a on_a'])
    await pass(clock, 50_000)
    expect(sent).toHaveLength(1)
    await eventually(async () => {
      await pass(clock, 10_000)
      expect(await left()).toEqual([])
    })
    await pass(clock, 120_000)
    expect(sent).toHaveLength(2)
  })
})

describe('a release that a person asked for while the device was away', () => {
  const release = (clock: ManualClock, overrideId: string) => ({
    ...{ deviceId: 'a', overrideId, requestedAt: new Date(clock.now()), reason: 'too hot' },
    ...{ requestedBy: 'user:usr_2', requestedByName: 'bob@example.com' },
  })
  /** The last state of `a`, some time after now. */
  const say = async ({ db, clock }: Awaited<ReturnType<typeof start>>, overrides: object[], afterMs: number) =>
    createDeviceStateStore(db).save([
      {
        ...{ deviceId: 'a', receivedAt: clock.now() + afterMs, hasAllValues: false },
        state: { at: '', clockSuspect: false, connections: [], holds: [], overrides: overrides as never },
      },
    ])
  const one = (id: string, placedBy = 'key_1') => ({ id, placedBy, datapointId: `dp_${id}` })

  test('waits, is shown, is sent once by one process when the device is back, and is gone then', async () => {
    const it = await start()
    const { db, clock, first, startProcess, sent, left, connect } = it
    const second = startProcess('second')
    const store = createOverrideReleaseStore(db)
    await say(it, [one('ovr_1'), one('ovr_2')], 0)
    await store.add(release(clock, 'ovr_1'))
    await store.add({ ...release(clock, 'ovr_1'), requestedByName: 'again' })
    const at = new Date(clock.now()).toISOString()
    expect(await store.pending('a')).toEqual([
      { overrideId: 'ovr_1', datapointId: 'dp_ovr_1', by: 'bob@example.com', at },
    ])
    expect([await store.knows('a', 'ovr_2'), await store.knows('a', 'ovr_3')]).toEqual([true, false])
    connect('a', first, second)
    await clock.advance(200)
    await eventually(async () => expect(await left()).toEqual([]))
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatch(/^(first|second) a ovr_1 too hot$/)
    expect(await store.pending('a')).toEqual([])
  })

  test('of a revoked key is shown for each override that the key placed', async () => {
    const it = await start()
    await say(it, [one('ovr_1', 'everywhere'), one('ovr_2')], 0)
    await it.revoke('everywhere')
    expect(await createOverrideReleaseStore(it.db).pending('a')).toMatchObject([
      { overrideId: 'ovr_1', by: 'ann@example.com' },
    ])
  })

  test('that the device refuses is dropped when the override is over, and repeated while it is not', async () => {
    const it = await start()
    const { db, clock, first, world, sent, left, connect } = it
    world.answer = () => Promise.reject(new Failure('rejected', 'never issued'))
    await createOverrideReleaseStore(db).add(release(clock, 'ovr_1'))
    await say(it, [one('ovr_1')], 1)
    connect('a', first)
    await clock.advance(200)
    await eventually(() => expect(sent).toHaveLength(1))
    await eventually(async () => {
      await pass(clock, 10_000)
      expect(sent.length).toBeGreaterThan(1)
    })
    expect(await left()).toEqual(['a '])
    await say(it, [], 2)
    await eventually(async () => {
      await pass(clock, 10_000)
      expect(await left()).toEqual([])
    })
  })
})
