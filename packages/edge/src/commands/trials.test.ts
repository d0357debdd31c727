import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { createMemoryDriver } from '../testing/memory-driver.ts'

const TRIAL_S = 600
const { connected: CONNECTED } = CONNECTION_STATUS
const writable = { accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } } as const
const power = aDatapoint({ id: 'power', name: 'Power', ...writable, data: { register: 1 } })
const meter = aDatapoint({ id: 'meter', data: { register: 9 } })

const battery = (host: string) =>
  aConnection({ id: 'bat', name: 'Battery', datapoints: [power], settings: { host, register: 0 } })
const grid = (host: string) => aConnection({ id: 'grid', name: 'Grid', datapoints: [meter], settings: { host } })
const system = (batteryHost = 'right', gridHost = 'meter'): TechnicalSystem =>
  aSystem('sys', [battery(batteryHost), grid(gridHost)])

/** A controller with a battery at `right`, another one at `other`, and nothing at `wrong`. */
async function aSite() {
  const hosts = {
    right: createMemoryDriver({ power: 10 }),
    other: createMemoryDriver({ power: 30 }),
    meter: createMemoryDriver({ meter: 3 }),
    wrong: createMemoryDriver({ power: 99, meter: 99 }),
  }
  hosts.wrong.cut = 'no route to host'
  const device = await startController(system(), { points: {}, hosts })
  onTestFinished(() => device.stop())
  await device.pass(1)
  const load = (loadId: string, next: TechnicalSystem, about = {}) =>
    device.call('commission', { technicalSystem: next, loadId, ...about })
  return { device, hosts, load }
}

const rolledBack = (device: Controller) => device.state?.rolledBack

test('a file that keeps what it had is kept, also through a restart', async () => {
  const { device, load } = await aSite()
  await load('load_1', system('other'))
  await device.pass(200)
  expect(device.state?.trial).toMatchObject({ loadIds: ['load_1'], down: [], waitsFor: [] })
  await device.restart()
  await device.pass(TRIAL_S)
  expect(device.state).not.toHaveProperty('trial')
  expect(rolledBack(device)).toBeUndefined()
  await device.override('power', 20, 0, 5)
  await device.pass(10)
  expect((await device.values()).power?.value).toBe(30)
})

test('a file that loses a connection is rolled back, and what it held before works again', async () => {
  const { device, hosts, load } = await aSite()
  await load('load_1', system('wrong'))
  await device.pass(TRIAL_S - 10)
  expect(device.state?.trial).toMatchObject({ down: ['Battery'] })
  await device.pass(20)
  expect(rolledBack(device)).toMatchObject({ loadIds: ['load_1'], reason: 'connections-lost', lost: ['Battery'] })
  await device.override('power', 20, 0, 5)
  expect(hosts.right.points.get('power')).toBe(20)
  await device.pass(10)
  expect(hosts.right.points.get('power')).toBe(10)
  await device.restart()
  await device.pass(10)
  expect(device.state?.connections.map(({ status }) => status)).toEqual([CONNECTED, CONNECTED])
})

test('a connection of an unchanged system that the file takes away counts too', async () => {
  const { device, hosts, load } = await aSite()
  await load('load_1', aSystem('second', [aConnection({ id: 'new', settings: { host: 'other' } })]))
  // A gateway that serves one client at a time.
  hosts.meter.cut = 'connection refused'
  await hosts.meter.close()
  await device.pass(TRIAL_S + 10)
  expect(rolledBack(device)).toMatchObject({ reason: 'connections-lost', lost: ['Grid'] })
  expect(device.state?.connections.map(({ connectionId }) => connectionId)).toEqual(['bat', 'grid'])
})

describe('what does not undo a file', () => {
  test.each<[string, (site: Awaited<ReturnType<typeof aSite>>) => Promise<unknown>]>([
    [
      'equipment that restarts',
      async ({ device, hosts, load }) => {
        await load('load_1', system('other'))
        await device.pass(TRIAL_S - 200)
        hosts.meter.cut = 'restarting'
        await hosts.meter.close()
        await device.pass(230)
        hosts.meter.cut = undefined
      },
    ],
    [
      'equipment that was down before',
      async ({ device, hosts, load }) => {
        hosts.meter.cut = 'off'
        await hosts.meter.close()
        await device.pass(5)
        await load('load_1', system('other'))
      },
    ],
    [
      'a clock that is stepped by a day',
      async ({ device, load }) => {
        await load('load_1', system('wrong'))
        device.clock.step(86_400_000)
        await device.pass(30)
      },
    ],
    ['a load that says so', ({ load }) => load('load_1', system('wrong'), { keep: true })],
    ['a service that knows no trials', ({ device }) => device.call('commission', { technicalSystem: system('wrong') })],
    ['the removal of the connection', ({ load }) => load('load_1', aSystem('sys', [grid('meter')]))],
  ])('%s', async (what, act) => {
    const site = await aSite()
    await act(site)
    if (!what.startsWith('a clock')) await site.device.pass(TRIAL_S + 10)
    expect(rolledBack(site.device)).toBeUndefined()
  })

  test('changes of schedules alone are no trial', async () => {
    const { device, load } = await aSite()
    await load('load_1', { ...system(), schedules: [] })
    await device.pass(10)
    expect(device.state).not.toHaveProperty('trial')
  })

  test('the first file of a controller', async () => {
    const device = await startController(system(), { points: {}, isEmpty: true })
    onTestFinished(() => device.stop())
    await device.call('commission', { technicalSystem: system(), loadId: 'load_1' })
    device.uplink = false
    await device.pass(TRIAL_S + 10)
    device.uplink = true
    await device.reconnect()
    expect(rolledBack(device)).toBeUndefined()
    expect(device.state?.connections).toHaveLength(2)
  })
})

describe('a controller that is not heard again', () => {
  test('goes back, keeps that until it is heard, and says so then', async () => {
    const { device, load } = await aSite()
    await load('load_1', system('other'))
    device.uplink = false
    await device.pass(TRIAL_S + 10)
    await device.restart(30)
    await device.reconnect()
    expect(rolledBack(device)).toMatchObject({ loadIds: ['load_1'], reason: 'not-heard', lost: [] })
    expect((await device.values()).power?.value).toBe(10)
  })

  test('goes back after a power cut in the middle, with the running time of both lives', async () => {
    const { device, load } = await aSite()
    await load('load_1', system('other'))
    device.uplink = false
    await device.pass(400)
    await device.crash(3_600)
    await device.pass(200)
    expect((await device.values()).power?.value).toBe(30)
    await device.pass(110)
    expect((await device.values()).power?.value).toBe(10)
  })

  test('goes back when it has to start again and again', async () => {
    const { device, load } = await aSite()
    await load('load_1', system('other'))
    for (let start = 0; start < 11; start += 1) await device.crash(1)
    await device.pass(10)
    expect(rolledBack(device)).toMatchObject({ reason: 'restarts' })
    expect((await device.values()).power?.value).toBe(10)
  })
})

describe('going back', () => {
  test('continues a hold over the old way, and restores there', async () => {
    const { device, hosts, load } = await aSite()
    await device.override('power', 20, 0, 2 * TRIAL_S)
    await load('load_1', system('wrong'), { sameEquipment: true })
    await device.pass(TRIAL_S + 10)
    expect(rolledBack(device)).toMatchObject({ reason: 'connections-lost' })
    expect(hosts.right.points.get('power')).toBe(20)
    await device.pass(TRIAL_S)
    expect(hosts.right.points.get('power')).toBe(10)
    expect(hosts.wrong.writes).toEqual([])
    expect(device.reports.map(({ phase }) => phase).filter((phase) => phase !== 'write-failed')).toEqual([
      'applied',
      'released',
    ])
  })

  test('waits for equipment that is held over the new way until it is restored there', async () => {
    const { device, hosts, load } = await aSite()
    await load('load_1', system('other', 'wrong'))
    await device.override('power', 20, 0, TRIAL_S + 60)
    await device.pass(TRIAL_S + 10)
    expect(device.state?.trial).toMatchObject({ leftSeconds: 0, down: ['Grid'], waitsFor: ['Power'] })
    expect(hosts.other.points.get('power')).toBe(20)
    await device.pass(120)
    expect(rolledBack(device)).toMatchObject({ reason: 'connections-lost', lost: ['Grid'] })
    expect(hosts.other.points.get('power')).toBe(30)
    expect(hosts.right.points.get('power')).toBe(10)
  })

  test('does not wait for an override that never reached the equipment', async () => {
    const { device, hosts, load } = await aSite()
    await load('load_1', system('wrong'))
    await device.override('power', 20, 30, 2 * TRIAL_S)
    await device.pass(TRIAL_S + 20)
    expect(rolledBack(device)).toMatchObject({ lost: ['Battery'] })
    expect(hosts.right.points.get('power')).toBe(20)
    await device.pass(TRIAL_S)
    expect(hosts.right.points.get('power')).toBe(10)
  })

  test('undoes two bad files, and only the second of a good and a bad one', async () => {
    const { device, load } = await aSite()
    await load('load_1', system('wrong'))
    await device.pass(120)
    await load('load_2', system('wrong', 'wrong'))
    await device.pass(TRIAL_S + 10)
    expect(rolledBack(device)).toMatchObject({ loadIds: ['load_1', 'load_2'], lost: ['Battery', 'Grid'] })
    await load('load_3', system('other'))
    await device.pass(120)
    await load('load_4', system('other', 'wrong'))
    await device.pass(TRIAL_S + 10)
    expect(rolledBack(device)).toMatchObject({ loadIds: ['load_4'], lost: ['Grid'] })
    expect((await device.values()).power?.value).toBe(30)
  })

  test('is not done when the connection is back at the last moment', async () => {
    const { device, hosts, load } = await aSite()
    await load('load_1', system('wrong'))
    await device.pass(TRIAL_S - 10)
    hosts.wrong.cut = undefined
    await device.pass(20)
    expect(rolledBack(device)).toBeUndefined()
    expect((await device.values()).power?.value).toBe(99)
  })

  test('is done once, also when the power fails as it is saved', async () => {
    const { device, load } = await aSite()
    await load('load_1', system('wrong'))
    await device.pass(TRIAL_S - 20)
    device.dieAt('flush:after')
    await device.pass(25)
    expect(device.dead).toBe(true)
    await device.crash(1)
    await device.pass(2 * TRIAL_S)
    expect(rolledBack(device)).toMatchObject({ loadIds: ['load_1'] })
    expect((await device.values()).power?.value).toBe(10)
  })
})
