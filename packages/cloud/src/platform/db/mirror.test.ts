import { correlate } from '@plantroom/base/correlation'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDeviceStore, type Device, type DeviceStore } from '../../control/devices/device-store.ts'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { type ChangeFeed, openChangeFeed } from './change-feed.ts'
import { type DatabaseAddress, type Db, openDatabase } from './database.ts'
import { type Mirror, openMirror } from './mirror.ts'
import { type DatabaseProxy, startProxy } from './testing/proxy.ts'

const log = createLog('test', 'silent')

interface Open {
  mirror: Mirror<Device>
  /** That the mirror reads with. */
  db: Db
  /** The store of another process. */
  elsewhere: DeviceStore
  feed: ChangeFeed
  clock: ManualClock
  /** Between the mirror and the database. The feed has its own. */
  proxy: DatabaseProxy
  feedProxy: DatabaseProxy
  changes: [Device | undefined, Device | undefined][]
}

async function open(
  options: { loadOne?(store: DeviceStore, id: string): Promise<Device | undefined> } = {},
): Promise<Open> {
  const connectionString = await createTestDatabase()
  const elsewhere = openStore({ connectionString })
  await elsewhere.organizations.addOrganization('org', 'Organization')
  await elsewhere.organizations.addSite('site', 'org', { name: 'Site' })
  await elsewhere.devices.add(device('dev_first'))

  const clock = createManualClock()
  const [proxy, feedProxy] = [await startProxy(connectionString), await startProxy(connectionString)]
  const feed = await openChangeFeed({ address: feedProxy.address, db: elsewhere.db, clock, log })
  onTestFinished(() => feed.close())
  const { db, devices } = openStore(proxy.address)
  const changes: Open['changes'] = []
  const mirror = await openMirror<Device>({
    table: 'device',
    feed,
    clock,
    log,
    loadAll: devices.loadAll,
    loadOne: (id) => (options.loadOne ? options.loadOne(devices, id) : devices.loadOne(id)),
  })
  mirror.subscribe((before, after) => changes.push([before, after]))
  return { mirror, db, elsewhere: elsewhere.devices, feed, clock, proxy, feedProxy, changes }
}

function openStore(address: DatabaseAddress) {
  const db: Db = openDatabase(address, log)
  onTestFinished(() => db.destroy())
  return { db, devices: createDeviceStore(db), organizations: createOrganizationStore(db) }
}

/** Has the length of a hash and is readable. */
const hashOf = (secret: string) => Buffer.from(secret.padEnd(32))
const device = (id: string, secret = '1') => ({
  id,
  organizationId: 'org',
  siteId: 'site',
  name: id,
  secretHash: hashOf(secret),
})
const setSecret = (store: DeviceStore, id: string, secret: string) => store.setSecret('org', id, hashOf(secret))
const secretIn = (mirror: Mirror<Device>, id: string) => mirror.get(id)?.secretHash.toString().trimEnd()

describe('a table in memory', () => {
  test('contains the rows of the database when it opens', async () => {
    const { mirror } = await open()
    expect(mirror.get('dev_first')).toMatchObject(device('dev_first'))
    expect(mirror.get('dev_none')).toBeUndefined()
  })

  test('follows the changes of another process and announces each', async () => {
    const { mirror, elsewhere, changes } = await open()
    await elsewhere.add(device('dev_new'))
    await eventually(() => expect(secretIn(mirror, 'dev_new')).toBe('1'))
    await setSecret(elsewhere, 'dev_new', '2')
    await eventually(() => expect(secretIn(mirror, 'dev_new')).toBe('2'))
    await elsewhere.remove('org', 'dev_new')
    await eventually(() => expect(mirror.get('dev_new')).toBeUndefined())
    const secrets = changes.map(([before, after]) => [
      before?.secretHash.toString().trimEnd(),
      after?.secretHash.toString().trimEnd(),
    ])
    expect(secrets).toEqual([
      [undefined, '1'],
      ['1', '2'],
      ['2', undefined],
    ])
  })

  test('contains a change after a refresh', async () => {
    const { mirror, elsewhere } = await open()
    await setSecret(elsewhere, 'dev_first', '2')
    await mirror.refresh('dev_first')
    expect(secretIn(mirror, 'dev_first')).toBe('2')
  })

  test('is not overwritten by a slow, older read', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let reads = 0
    const { mirror, elsewhere } = await open({
      async loadOne(store, id) {
        const row = await store.loadOne(id)
        reads += 1
        if (reads === 1) await held
        return row
      },
    })
    const slow = mirror.refresh('dev_first')
    await eventually(() => expect(reads).toBe(1))
    await setSecret(elsewhere, 'dev_first', '2')
    const quick = mirror.refresh('dev_first')
    release()
    await Promise.all([slow, quick])
    expect(secretIn(mirror, 'dev_first')).toBe('2')
  })
})

describe('a table in memory that missed changes', () => {
  test('reads all rows again, including added, changed and removed ones', async () => {
    const { mirror, elsewhere, feedProxy, clock, changes } = await open()
    await elsewhere.add(device('dev_changed'))
    await elsewhere.add(device('dev_removed'))
    await eventually(() => expect(mirror.get('dev_removed')).toBeDefined())

    await feedProxy.cut()
    await setSecret(elsewhere, 'dev_changed', '2')
    await elsewhere.remove('org', 'dev_removed')
    await elsewhere.add(device('dev_added'))
    expect(secretIn(mirror, 'dev_changed')).toBe('1')
    await feedProxy.restore()
    await eventually(() => expect(clock.waiting()[0]).toBe(1_000))
    await clock.advance(1_000)

    await eventually(() => expect(mirror.get('dev_added')).toBeDefined())
    expect(secretIn(mirror, 'dev_changed')).toBe('2')
    expect(mirror.get('dev_removed')).toBeUndefined()
    expect(changes.some(([before, after]) => before?.id === 'dev_removed' && !after)).toBe(true)
  })
})

describe('a change that cannot be read', () => {
  test('is read again until it succeeds, so that no revocation is lost', async () => {
    const { mirror, elsewhere, clock, proxy } = await open()
    await proxy.cut()
    await setSecret(elsewhere, 'dev_first', '2')
    for (let times = 0; times < 3; times += 1) {
      await eventually(() => expect(clock.waiting()).toContain(1_000))
      expect(secretIn(mirror, 'dev_first')).toBe('1')
      await clock.advance(1_000)
    }
    await proxy.restore()
    await eventually(async () => {
      await clock.advance(1_000)
      expect(secretIn(mirror, 'dev_first')).toBe('2')
    })
  })

  test('rejects the refresh that asked for it, and does not block the next', async () => {
    const { mirror, elsewhere, proxy } = await open()
    await proxy.cut()
    await expect(mirror.refresh('dev_first')).rejects.toThrow()
    await proxy.restore()
    await setSecret(elsewhere, 'dev_first', '2')
    await mirror.refresh('dev_first')
    expect(secretIn(mirror, 'dev_first')).toBe('2')
  })

  test('is read for an organization that has no connection left, because what others changed waits for that', async () => {
    const { mirror, db, elsewhere } = await open()
    const held = Promise.withResolvers<void>()
    const asGreedy = <Result>(work: () => Result) => correlate({ organizationId: 'greedy' }, work)
    const hold = () => db.connection().execute(() => held.promise)
    // More than its share, whatever that is.
    const greedy = Array.from({ length: 20 }, () => asGreedy(hold))
    await setSecret(elsewhere, 'dev_first', '2')
    await asGreedy(() => mirror.refresh('dev_first'))
    expect(secretIn(mirror, 'dev_first')).toBe('2')
    held.resolve()
    await Promise.allSettled(greedy)
  })

  test('is not read again after the feed is closed', async () => {
    const { elsewhere, feed, clock, proxy } = await open()
    await proxy.cut()
    await setSecret(elsewhere, 'dev_first', '2')
    await eventually(() => expect(clock.waiting()).toContain(1_000))
    await feed.close()
    await clock.advance(1_000)
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })
})
