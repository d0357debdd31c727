import { createLog } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createDeviceStore } from './device-store.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'

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
  return { store: createTechnicalSystemStore(db), devices }
}

function system(name: string, connections: readonly string[], deviceId = 'dev_1'): TechnicalSystem {
  return {
    id: `sys_${deviceId}_${name}`,
    name,
    connections: connections.map((connection) => ({
      id: `con_${connection}`,
      name: connection,
      protocol: 'mqtt',
      settings: { nested: [{ text: 'größer ✓ "quoted"', number: 1.5e300, nothing: null }] },
      datapoints: [],
    })),
  }
}

const names = (systems: readonly TechnicalSystem[]) =>
  systems.map(({ name, connections }) => [name, connections.map((connection) => connection.name)])

/** A gate that the test opens. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

describe('changing a system', () => {
  test('stores it and passes it to the next change, with the time zone of the site', async () => {
    const { store } = await start()
    const first = system('Heating', ['a'])
    expect(
      await store.change('dev_1', 'Heating', async (before) => {
        expect(before).toBeUndefined()
        return first
      }),
    ).toEqual({ before: undefined, after: first })
    expect(await store.list('dev_1')).toEqual([first])
    await store.change('dev_1', 'Heating', async (before, timeZone) => {
      expect(before).toEqual(first)
      expect(timeZone).toBe('Europe/Tallinn')
      return system('Heating', ['b'])
    })
    expect(names(await store.list('dev_1'))).toEqual([['Heating', ['b']]])
  })

  test('does not affect other systems or devices', async () => {
    const { store } = await start()
    await store.change('dev_1', 'Heating', async () => system('Heating', ['a']))
    await store.change('dev_1', 'Cooling', async () => system('Cooling', ['b']))
    await store.change('dev_2', 'Heating', async (before) => {
      expect(before).toBeUndefined()
      return system('Heating', ['c'], 'dev_2')
    })
    await store.change('dev_1', 'Heating', async () => system('Heating', []))
    expect(names(await store.list('dev_1'))).toEqual([['Cooling', ['b']]])
    expect(names(await store.list('dev_2'))).toEqual([['Heating', ['c']]])
  })

  test('stores nothing when the change fails', async () => {
    const { store } = await start()
    await store.change('dev_1', 'Heating', async () => system('Heating', ['before']))
    const refused = (name: string) =>
      store.change('dev_1', name, async () => {
        throw new Error('the device said no')
      })
    await expect(refused('Heating')).rejects.toThrow('the device said no')
    await expect(refused('Cooling')).rejects.toThrow('the device said no')
    expect(names(await store.list('dev_1'))).toEqual([['Heating', ['before']]])
    // The next change is not blocked.
    await store.change('dev_1', 'Heating', async () => system('Heating', ['after']))
    expect(names(await store.list('dev_1'))).toEqual([['Heating', ['after']]])
  })

  test('deletes a system without connections, whether or not it existed', async () => {
    const { store } = await start()
    const empty = async () => system('Heating', [])
    await store.change('dev_1', 'Heating', async () => system('Heating', ['a']))
    for (let times = 0; times < 2; times += 1) {
      expect(await store.change('dev_1', 'Heating', empty)).toMatchObject({ after: { connections: [] } })
      expect(await store.list('dev_1')).toEqual([])
    }
  })

  test('does nothing for an unknown device', async () => {
    const { store } = await start()
    let asked = false
    const changed = await store.change('dev_none', 'Heating', async () => {
      asked = true
      return system('Heating', ['a'])
    })
    expect([changed, asked]).toEqual([undefined, false])
  })
})

describe('concurrent changes', () => {
  test('of one device run one after another, even for different systems', async () => {
    const { store } = await start()
    const [first, steps] = [gate(), [] as string[]]
    const change = (name: string, connection: string, passed?: Promise<void>) =>
      store.change('dev_1', name, async (before) => {
        steps.push(`begin ${connection}`)
        await passed
        steps.push(`end ${connection}`)
        const connections = before?.connections.map((one) => one.name) ?? []
        return system(name, [...connections, connection])
      })

    const slow = change('Heating', 'slow', first.passed)
    await eventually(() => expect(steps).toEqual(['begin slow']))
    const others = [change('Heating', 'next'), change('Cooling', 'other')]
    // Meanwhile, changes to another device are not blocked.
    await store.change('dev_2', 'Heating', async () => system('Heating', ['elsewhere'], 'dev_2'))
    expect(steps).toEqual(['begin slow'])
    first.open()
    await Promise.all([slow, ...others])

    expect(steps.length).toBe(6)
    for (let step = 0; step < steps.length; step += 2) {
      expect(steps[step + 1]).toBe(steps[step]?.replace('begin', 'end'))
    }
    expect(
      new Map((await store.list('dev_1')).map((one) => [one.name, one.connections.map(({ name }) => name)])),
    ).toEqual(
      new Map([
        ['Heating', ['slow', 'next']],
        ['Cooling', ['other']],
      ]),
    )
  })

  test('are never lost', async () => {
    const { store } = await start()
    const wanted = Array.from({ length: 30 }, (_, index) => `c${index}`)
    await Promise.all(
      wanted.map((connection) =>
        store.change('dev_1', 'Heating', async (before) =>
          system('Heating', [...(before?.connections.map(({ name }) => name) ?? []), connection]),
        ),
      ),
    )
    const [kept] = await store.list('dev_1')
    expect(kept?.connections.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted())
  })
})

describe('the systems of a device', () => {
  test('are listed in the order of their creation', async () => {
    const { store } = await start()
    for (const name of ['Zone', 'Air', 'Main']) await store.change('dev_1', name, async () => system(name, ['a']))
    await store.change('dev_1', 'Zone', async () => system('Zone', ['changed']))
    expect((await store.list('dev_1')).map(({ name }) => name)).toEqual(['Zone', 'Air', 'Main'])
  })

  test('are deleted with the device', async () => {
    const { store, devices } = await start()
    await store.change('dev_1', 'Heating', async () => system('Heating', ['a']))
    await devices.remove('org', 'dev_1')
    expect(await store.list('dev_1')).toEqual([])
  })
})
