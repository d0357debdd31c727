import { createLog } from '@plantroom/base/log'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createDeviceNameStore, createNaming } from './device-name-store.ts'
import { entriesOf, entryOf, namesOf } from './testing/entries.ts'

async function open() {
  const connectionString = await createTestDatabase()
  const db = openDatabase({ connectionString }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await db.insertInto('organization').values({ id: 'org', name: 'Organization' }).execute()
  await db.insertInto('site').values({ id: 'site', organization_id: 'org', name: 'Site' }).execute()
  const device = { organization_id: 'org', site_id: 'site', secret_hash: Buffer.alloc(32) }
  await db
    .insertInto('device')
    .values([
      { ...device, id: 'dev_1', name: 'Controller' },
      { ...device, id: 'dev_2', name: 'Other' },
    ])
    .execute()
  const system = (id: string, deviceId: string, name: string, connections: ReturnType<typeof aConnection>[]) =>
    db
      .insertInto('technical_system')
      .values({ id, device_id: deviceId, name, document: JSON.stringify(aSystem(id, connections)) })
      .execute()
  return { names: createDeviceNameStore(db), system }
}

describe('the names of a device', () => {
  test('include its systems, connections and datapoints', async () => {
    const { names, system } = await open()
    const point = (id: string, name: string) => aDatapoint({ id, name })
    await system('ts_1', 'dev_1', 'Heating', [
      aConnection({ id: 'conn_1', name: 'Boiler', datapoints: [point('dp_1', 'Setpoint'), point('dp_2', 'Flow')] }),
      aConnection({ id: 'conn_2', name: 'Pump', datapoints: [] }),
    ])
    await system('ts_2', 'dev_1', 'Cooling', [
      aConnection({ id: 'conn_3', name: 'Chiller', datapoints: [point('dp_3', 'Limit')] }),
    ])
    await system('ts_3', 'dev_2', 'Not ours', [])
    expect(await names.find('dev_1')).toEqual({
      device: 'Controller',
      technicalSystems: new Map([
        ['ts_1', 'Heating'],
        ['ts_2', 'Cooling'],
      ]),
      connections: new Map([
        ['conn_1', 'Boiler'],
        ['conn_2', 'Pump'],
        ['conn_3', 'Chiller'],
      ]),
      datapoints: new Map([
        ['dp_1', 'Setpoint'],
        ['dp_2', 'Flow'],
        ['dp_3', 'Limit'],
      ]),
    })
  })

  test('are only its own before it is commissioned, and undefined when it no longer exists', async () => {
    const { names } = await open()
    expect(await names.find('dev_1')).toMatchObject({ device: 'Controller', datapoints: new Map() })
    expect(await names.find('dev_gone')).toBeUndefined()
  })
})

function start(options: { maxNames?: number; gone?: string } = {}) {
  const asked: string[] = []
  const addNames = createNaming({
    ...options,
    names: {
      async find(deviceId) {
        asked.push(deviceId)
        return deviceId === options.gone ? undefined : namesOf(deviceId)
      },
    },
  })
  return { asked, addNames }
}

describe('names of reports', () => {
  test('are looked up once per device', async () => {
    const { asked, addNames } = start({ gone: 'c' })
    const entries = ['a', 'b', 'a', 'c', 'b', 'c'].map((deviceId, index) => entryOf(deviceId, index))
    const named = await addNames(entries)
    expect(named.map(({ entry }) => entry)).toEqual(entries)
    expect(named.map(({ names }) => names?.device)).toEqual([
      'Device a',
      'Device b',
      'Device a',
      undefined,
      'Device b',
      undefined,
    ])
    await addNames(entries)
    expect(asked).toEqual(['a', 'b', 'c'])
  })

  test('are cached for the devices used last', async () => {
    const { asked, addNames } = start({ maxNames: 6 })
    await addNames(entriesOf('a', 2))
    await addNames(entriesOf('b', 2))
    await addNames(entriesOf('a', 2))
    await addNames(entriesOf('c', 2))
    expect(asked).toEqual(['a', 'b', 'c'])
    await addNames(entriesOf('a', 2))
    expect(asked).toEqual(['a', 'b', 'c'])
    await addNames(entriesOf('b', 2))
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  test('are complete on a page with more devices than the cache holds', async () => {
    const { addNames } = start({ maxNames: 1 })
    const named = await addNames(['a', 'b', 'c'].map((deviceId) => entryOf(deviceId, 1)))
    expect(named.map(({ names }) => names?.device)).toEqual(['Device a', 'Device b', 'Device c'])
  })
})
