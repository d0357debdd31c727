import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissionedDatapoint, CommissioningFile, CommissioningResult } from '@plantroom/contract/commissioning'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { batteryRoom, drivenBatteryRoom, withDatapoints } from './support/building.ts'
import { eventually } from './support/eventually.ts'
import { plantroom, type Ran } from './support/run.ts'
import { operatorShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
beforeEach(async () => void (await stack.commission(room())))
afterAll(() => stack?.[Symbol.asyncDispose]())

const room = () => batteryRoom(stack.simulator.ready.modbus.port)

/** Runs `plantroom commission` with a file of this name and content. */
function commission(content: string, name = 'room.yaml', ...flags: string[]): Promise<Ran> {
  const path = join(stack.folder, name)
  writeFileSync(path, content)
  return plantroom(['commission', stack.deviceId, path, ...flags], operatorShell(stack))
}

async function commissioned(file: CommissioningFile): Promise<CommissioningResult> {
  const { code, stdout, stderr } = await commission(stringify(file), 'room.yaml', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as CommissioningResult
}

/** Fetches the inverter's datapoints from the controller. */
async function onDevice() {
  const { status, body } = await stack.partner.datapoints(stack.connectionId('Inverter'))
  expect(status, body.message).toBe(200)
  return body.data.datapoints
}

const changed = (name: string, change: object): CommissioningFile =>
  withDatapoints(room(), 'Inverter', (before) =>
    before.map((datapoint) => (datapoint.name === name ? { ...datapoint, ...change } : datapoint)),
  )

describe('plantroom commission', () => {
  test('prints the same ids each time, for YAML and JSON', async () => {
    const first = await commissioned(room())
    expect(first).toEqual({
      technicalSystemId: expect.stringMatching(/./),
      connections: ['Inverter', 'Grid meter', 'Boiler'].map((name) => ({
        id: stack.connectionId(name),
        name,
        datapoints: room()
          .connections.find((connection) => connection.name === name)
          ?.datapoints.map((datapoint) => ({ id: stack.datapointId(datapoint.name), name: datapoint.name })),
      })),
    })
    expect(await commissioned(room())).toEqual(first)
    const { code, stdout } = await commission(JSON.stringify(room()), 'room.json', '--json')
    expect({ code, printed: JSON.parse(stdout) }).toEqual({ code: 0, printed: first })
  })

  test('prints ids and names for people', async () => {
    const { code, stdout } = await commission(stringify(room()))
    expect(code).toBe(0)
    expect(stdout).toMatch(/Battery room$/m)
    for (const name of ['Inverter', 'Grid meter']) expect(stdout).toContain(`${stack.connectionId(name)}  ${name}\n`)
    expect(stdout).toContain(`${stack.datapointId('State of charge')}  State of charge\n`)
  })

  test('warns about a WRITE datapoint without a releaseValue only', async () => {
    const valve = (change: Partial<CommissionedDatapoint>) =>
      changed('Charge power limit', { accessType: 'WRITE', ...change })
    const warning =
      /^warning: line \d+: connections\[0\]\.datapoints\[\d\]: WRITE datapoint without releaseValue: .+\n$/
    const people = await commission(stringify(valve({})))
    expect(people).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) })
    const program = await commission(stringify(valve({})), 'room.yaml', '--json')
    expect(program.code).toBe(0)
    expect(`${JSON.parse(program.stderr).note.message}\n`).toMatch(warning)
    expect(JSON.parse(program.stdout).warnings).toEqual([
      { path: expect.stringMatching(/^connections\[0\]/), message: expect.stringMatching(/^WRITE datapoint/) },
    ])

    expect(await commissioned(valve({ releaseValue: 10 }))).not.toHaveProperty('warnings')
    const [loaded] = (await onDevice()).filter(({ name }) => name === 'Charge power limit')
    expect(loaded).toMatchObject({ accessType: 'WRITE' })
    expect(loaded).not.toHaveProperty('releaseValue')
  })

  test('prints one line with the size of a file that is too large, and what to do', async () => {
    const datapoints = Array.from({ length: 20_000 }, (_, register) => ({
      ...{ name: `Datapoint ${register}`, accessType: 'READ' as const, data: { register, type: 'int16' } },
    }))
    const [inverter] = room().connections
    const connections = [0, 1].map((half) => ({
      ...inverter,
      name: `Half ${half}`,
      datapoints: datapoints.slice(half * 10_000, (half + 1) * 10_000),
    }))
    const { code, stderr } = await commission(JSON.stringify({ technicalSystem: 'Large', connections }), 'large.json')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^plantroom commission: the command has \d+ bytes, more than the 4194304 that a device accepts: split the file into several technical systems, or shorten names and data \(400 INVALID from http:\S+\)\n$/,
    )
  })

  test('changes only what differs', async () => {
    const before = await onDevice()
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 10, outputValue2: 1000 }
    await commissioned(changed('Charge power', { scaler }))

    const raw = (await stack.equipment.holding(1, 100, 1)).readInt16BE(0)
    await eventually(async () => {
      const { body } = await stack.partner.values(stack.connectionId('Inverter'))
      expect(body.data.values[stack.datapointId('Charge power')]?.value).toBe(raw / 100)
    })
    for (const datapoint of await onDevice()) {
      const old = before.find(({ id }) => id === datapoint.id)
      if (datapoint.name !== 'Charge power') expect(datapoint).toEqual(old)
      else expect(datapoint).toEqual({ ...old, scaler, updatedAt: expect.not.stringMatching(old?.updatedAt ?? '') })
    }
  })

  test('removes datapoints that are no longer in the file, and restores their ids when they return', async () => {
    await commissioned(withDatapoints(room(), 'Inverter', ([, ...rest]) => rest))
    expect((await onDevice()).map(({ name }) => name)).not.toContain('Charge power')
    const { body } = await stack.partner.values(stack.connectionId('Inverter'))
    expect(Object.keys(body.data.values)).toHaveLength(9)
    expect(body.data.values).not.toHaveProperty(stack.datapointId('Charge power'))

    await commissioned({ ...room(), connections: room().connections.slice(1) })
    expect((await stack.partner.values(stack.connectionId('Inverter'))).status).toBe(499)

    const { connections } = await commissioned(room())
    expect(connections[0]?.datapoints[0]).toEqual({ id: stack.datapointId('Charge power'), name: 'Charge power' })
  })
})

describe('peak shaving and schedules', () => {
  // A power limit would add a warning: its meter was not tested.
  const driven = (): CommissioningFile => {
    const { powerLimit, ...file } = drivenBatteryRoom(stack.simulator.ready.modbus.port)
    return file
  }
  const systems = async () => (await stack.admin.listTechnicalSystems(stack.ids)).technicalSystems

  test('are commissioned with the datapoints, and removed by the next file without them', async () => {
    await commissioned(driven())
    const [system] = await systems()
    expect(system).toMatchObject({
      peakShaving: {
        meterId: stack.datapointId('Grid power'),
        loads: [{ datapointId: stack.datapointId('Charge power limit') }],
      },
      schedules: [{ name: 'Working hours', datapointId: stack.datapointId('Discharge reserve') }],
      failsafes: [],
    })
    const scheduled = (await onDevice()).filter(({ cloudScheduleId }) => cloudScheduleId !== null)
    expect(scheduled.map(({ name, cloudScheduleId }) => [name, cloudScheduleId])).toEqual([
      ['Discharge reserve', system?.schedules?.[0]?.id],
    ])

    await commissioned(room())
    expect(await systems()).toMatchObject([{ peakShaving: null, schedules: [], failsafes: [] }])
    expect((await onDevice()).every(({ cloudScheduleId }) => cloudScheduleId === null)).toBe(true)
  })

  test('follow the time zone of the site after the next commissioning', async () => {
    const site = (...args: string[]) => plantroom(['site', ...args], operatorShell(stack))
    const zone = async () => (await systems())[0]?.timeZone
    const { code, stdout } = await site('update', stack.siteId, '--time-zone', 'Europe/Tallinn')
    expect(code).toBe(0)
    expect(stdout).toContain(`site ${stack.siteId}: Test site, Europe/Tallinn, Maintenance Requests on\n`)
    expect(stdout).toContain('commission the devices of this site again')
    expect((await site('list')).stdout).toContain(`${stack.siteId}  Test site  Europe/Tallinn  on\n`)

    expect(await zone()).toBe('UTC')
    await commissioned(driven())
    expect(await zone()).toBe('Europe/Tallinn')

    expect((await site('update', stack.siteId)).code).toBe(2)
    const mistaken = await site('add', 'Elsewhere', '--time-zone', 'Mars/Olympus')
    expect({ ...mistaken, lines: mistaken.stderr.trim().split('\n').length }).toMatchObject({ code: 1, lines: 1 })
    expect(mistaken.stderr).toContain('timeZone')
    const added = await site('add', 'Elsewhere', '--time-zone', 'Asia/Tokyo', '--json')
    expect(JSON.parse(added.stdout)).toMatchObject({ name: 'Elsewhere', timeZone: 'Asia/Tokyo' })
  })
})

describe('a mistake in a commissioning file', () => {
  const point: CommissionedDatapoint = { name: 'New', accessType: 'READ', data: { register: 200, type: 'int16' } }
  const add = (datapoint: object) =>
    withDatapoints(room(), 'Grid meter', (before) => [...before, datapoint as CommissionedDatapoint])

  test.each<[string, () => object, string]>([
    ['a wrong access type', () => add({ ...point, accessType: 'RW' }), 'connections[1].datapoints[7].accessType'],
    ['a name twice', () => add({ ...point, name: 'Grid power' }), 'connections[1].datapoints[7].name'],
    ['an unknown field', () => add({ ...point, colour: 'red' }), 'connections[1].datapoints[7].colour'],
    [
      'a scaler without a slope',
      () => add({ ...point, scaler: { inputValue1: 1, outputValue1: 0, inputValue2: 1, outputValue2: 1 } }),
      'connections[1].datapoints[7].scaler',
    ],
    [
      'an unknown register type',
      () => add({ ...point, data: { register: 200, type: 'int17' } }),
      'connections[1].datapoints[7].data.type',
    ],
    [
      'a register that cannot exist',
      () => add({ ...point, data: { register: 65_536, type: 'int16' } }),
      'connections[1].datapoints[7].data.register',
    ],
    [
      'an unknown setting',
      () => ({
        ...room(),
        connections: room().connections.map((it) => ({ ...it, settings: { ...it.settings, baud: 9600 } })),
      }),
      'connections[0].settings.baud',
    ],
    [
      'an unknown protocol',
      () => ({ ...room(), connections: room().connections.map((it) => ({ ...it, protocol: 'bacnet' })) }),
      'connections[0].protocol',
    ],
    ['no connections', () => ({ technicalSystem: 'Battery room' }), 'connections'],
    [
      'a meter that does not exist',
      () => ({ ...room(), peakShaving: { ...drivenBatteryRoom(1).peakShaving, meter: 'Gird power' } }),
      'peakShaving.meter',
    ],
    [
      'a schedule of a datapoint that cannot be written',
      () => ({
        ...room(),
        schedules: drivenBatteryRoom(1).schedules?.map((it) => ({ ...it, datapoint: 'Grid power' })),
      }),
      'schedules[0].datapoint',
    ],
  ])('%s is named by its path and changes nothing', async (_what, file, path) => {
    const device = await onDevice()
    const cloud = await stack.admin.listTechnicalSystems(stack.ids)
    // The file also removes a datapoint: the controller must refuse the whole file, not just the mistake.
    const wrong = file() as CommissioningFile
    const content = { ...wrong, ...(wrong.connections && withDatapoints(wrong, 'Inverter', ([, ...rest]) => rest)) }
    const { code, stdout, stderr } = await commission(stringify(content))

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    // One line for each mistake.
    for (const line of stderr.trim().split('\n')) expect(line).toMatch(/: \S/)
    expect(stderr).toContain(path)
    expect(await onDevice()).toEqual(device)
    expect(await stack.admin.listTechnicalSystems(stack.ids)).toEqual(cloud)
  })

  test.each([
    ['neither JSON nor YAML', 'connections: [', 'room.yaml'],
    ['not an object', '[]', 'room.json'],
  ])('%s is one line that names the file', async (_what, content, name) => {
    const { code, stderr } = await commission(content, name)
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toContain(join(stack.folder, name))
  })

  test('prints one line for a missing file or an unknown device', async () => {
    const missing = await plantroom(['commission', stack.deviceId, '/no/such/file.yaml'], operatorShell(stack))
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^plantroom commission: .*file.yaml.*\n$/),
    })
    const path = join(stack.folder, 'room.yaml')
    writeFileSync(path, stringify(room()))
    const unknown = await plantroom(['commission', 'dev_unknown', path], operatorShell(stack))
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^plantroom commission: .*dev_unknown.*\n$/),
    })
  })
})

describe('a controller that is offline', () => {
  test('is not commissioned, and the cloud keeps the previous system', async () => {
    const before = await stack.admin.listTechnicalSystems(stack.ids)
    await stack.edge.kill()
    await eventually(async () => expect(await stack.online()).toBe(false))

    const { code, stderr } = await commission(stringify(changed('Charge power', { analyticsInterval: 1 })))
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^plantroom commission: the device is offline.*DEVICE_OFFLINE from http:\S+\)\n$/),
    })
    expect(await stack.admin.listTechnicalSystems(stack.ids)).toEqual(before)
    await stack.edge.start()
  })
})

describe('equipment that is not commissioned', () => {
  test('is read and found through the controller, by the connections that it has', async () => {
    const [inverter] = room().connections
    const datapoint = inverter?.datapoints.find(({ name }) => name === 'State of charge')
    if (!inverter || !datapoint) throw new Error('no inverter')
    const { pollSeconds: _, unitId, ...settings } = inverter.settings
    const { protocol } = inverter
    const { data, scaler } = datapoint
    const body = { protocol, settings: { ...settings, unitId }, data, ...(scaler && { scaler }) }
    expect(await stack.admin.readEquipment({ ...stack.ids, body })).toMatchObject({
      value: expect.any(Number),
      error: null,
    })
    const { id } = await stack.admin.startScan({
      ...stack.ids,
      body: { protocol, settings: { ...settings, unitIds: '1-2' } },
    })
    const scan = await eventually(async () => {
      const looked = await stack.admin.getScan({ ...stack.ids, scanId: id })
      expect(looked.state).toBe('done')
      return looked
    })
    expect(scan.connections.map((found) => found.settings.unitId)).toContain(unitId)
    await expect(
      stack.admin.startScan({ ...stack.ids, body: { protocol, settings: { host: '10.0.0.0/8' } } }),
    ).rejects.toThrow('at most 256 addresses')
  })
})
