import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { isRunning } from '@plantroom/testkit/child-program'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wholeBuilding } from './support/building.ts'
import { type Demo, type DemoJson, demoJsonPath, launchDemo, readDemoJson, startDemo } from './support/demo.ts'
import { runPage } from './support/documentation/run-page.ts'
import { ROOT } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'
import { connectMqtt } from './support/mqtt-client.ts'
import { partner } from './support/partner.ts'
import { processesOf } from './support/processes.ts'
import { plantroom, run } from './support/run.ts'

let own: OwnFolder
let folder: string
let demo: Demo
let file: DemoJson

beforeAll(async () => {
  own = ownFolder()
  folder = join(own.path, 'my data')
  demo = await startDemo(folder)
  file = readDemoJson(folder)
})
afterAll(() => own?.[Symbol.asyncDispose]())

const ID = expect.stringMatching(/^[\w-]+$/)

function named(name: string): DemoJson['connections'][number] {
  const connection = file.connections.find((each) => each.name === name)
  if (!connection) throw new Error(`there is no connection ${name} in demo.json`)
  return connection
}

// Reads the equipment at the address in demo.json, without our drivers.

async function heldByInverter(): Promise<number> {
  const port = Number(named('Inverter').endpoint.split(':')[1])
  return (await equipmentAt(() => port).holding(1, 100, 1)).readInt16BE(0) / 10
}

async function heldByHeatPump(): Promise<number> {
  await using client = await connectMqtt(named('Heat pump').endpoint, { username: 'installer', password: '' })
  const retained = new Promise<Buffer>((resolve) => client.once('message', (_topic, payload) => resolve(payload)))
  await client.subscribeAsync('hp/flow')
  return (JSON.parse((await retained).toString()) as { value: number }).value
}

async function heldByAirHandler(): Promise<number> {
  const response = await fetch(new URL('points/supplyAir/', named('AHU').endpoint))
  return Number(/<real [^>]*\bval="([^"]*)"/.exec(await response.text())?.[1])
}

/** The command line that a person pastes into a shell. */
const curlLine = () =>
  demo
    .stdout()
    .split('\n')
    .find((line) => line.startsWith('curl ')) ?? ''

/** Polls all connections of the first `demo.json` and expects values read after `since`. */
async function liveSince(since: number): Promise<void> {
  for (const { id, datapoints } of file.connections) {
    const { status, body } = await partner(() => file).values(id)
    expect(status, body.message).toBe(200)
    expect(body.data).toMatchObject({ connectionId: id, status: 1, error: null })
    expect(Object.keys(body.data.values).sort()).toEqual(datapoints.map((datapoint) => datapoint.id).sort())
    for (const entry of Object.values(body.data.values)) expect(Date.parse(entry.timestamp)).toBeGreaterThan(since)
  }
}

describe('plantroom demo', () => {
  test('prints addresses, login, ids and key', () => {
    const { user, connections } = file
    const ids = [file.orgId, file.propertyId, file.deviceId, ...connections.map(({ id }) => id)]
    for (const word of [file.baseUrl, file.mqttUrl, user.email, user.password, file.apiKey, file.adminToken, ...ids]) {
      expect(demo.stdout()).toContain(word)
    }
    expect(demo.stdout()).toContain(demoJsonPath(folder))
    expect(demo.stderr()).toBe('')
  })

  test('prints a curl command that returns live values', async () => {
    await eventually(async () => {
      const { code, stdout, stderr } = await run('bash', ['-c', `${curlLine()} -w '\\n%{http_code} %{content_type}'`])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const [body = '', status] = stdout.split('\n')
      expect(status).toBe('200 application/json; charset=utf-8')
      const { data } = JSON.parse(body) as { data: { status: number; values: Record<string, { value: unknown }> } }
      expect(data.status).toBe(1)
      const values = Object.values(data.values)
      expect(values.length).toBeGreaterThan(0)
      for (const { value } of values) expect(value).toEqual(expect.any(Number))
    })
  })

  test('writes demo.json with every field, readable by its owner only', () => {
    expect(statSync(demoJsonPath(folder)).mode & 0o777).toBe(0o600)
    expect(file).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ticketApiBase: `${file.baseUrl}/api`,
      schemaUrl: `${file.baseUrl}/schemas/ticket-export-v1.json`,
      orgId: ID,
      propertyId: ID,
      deviceId: ID,
      apiKey: expect.stringMatching(/^plr_\w+_\w+$/),
      adminToken: expect.stringMatching(/^.{16,}$/),
      user: { email: expect.stringMatching(/^\S+@\S+\.\S+$/), password: expect.stringMatching(/^.{12,}$/) },
      mqttUrl: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
      connections: expect.any(Array),
      commissioned: { 'Battery room': ID, Heating: ID, Ventilation: ID },
      pids: {
        cloud: expect.any(Number),
        worker: expect.any(Number),
        edge: expect.any(Number),
        simulator: expect.any(Number),
      },
    })
  })

  test('writes the commissioned building, its ids and its addresses to demo.json', () => {
    const place = { host: '127.0.0.1', port: expect.any(Number), url: expect.any(String) }
    const commissioned = wholeBuilding().connections
    expect(file.connections.map(({ name }) => name)).toEqual(['Inverter', 'Grid meter', 'Boiler', 'Heat pump', 'AHU'])
    expect(file.connections).toHaveLength(commissioned.length)
    for (const { name, protocol, settings, datapoints } of commissioned) {
      const connection = file.connections.find((each) => each.name === name)
      const placeless = Object.keys(settings).map((key) => [key, place[key as keyof typeof place] ?? settings[key]])
      expect(connection).toMatchObject({ id: ID, protocol, settings: Object.fromEntries(placeless) })
      expect(connection?.datapoints).toEqual(
        datapoints.map((datapoint) =>
          expect.objectContaining({
            ...datapoint,
            id: ID,
            connectionId: connection?.id,
            scaler: expect.objectContaining({ inputValue1: expect.any(Number), outputValue2: expect.any(Number) }),
          }),
        ),
      )
    }
    const ports = named('Inverter').settings.port
    expect(file.connections.map(({ endpoint }) => endpoint)).toEqual([
      ...Array.from({ length: 3 }, () => `127.0.0.1:${ports}`),
      expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/obix\/$/),
    ])
    for (const { protocol, settings, endpoint } of file.connections) {
      if (protocol !== 'modbus-tcp') expect(settings.url).toBe(endpoint)
    }
  })

  test('connects all of its equipment', () => eventually(() => liveSince(0)))

  test.each([
    { connection: 'Inverter', datapoint: 'Charge power', value: 20, held: heldByInverter },
    { connection: 'Heat pump', datapoint: 'Flow temperature', value: 40, held: heldByHeatPump },
    { connection: 'AHU', datapoint: 'Supply air', value: 25, held: heldByAirHandler },
  ])('holds $datapoint of the $connection, at the equipment itself, and gives it back', async (tried) => {
    const { id, datapoints } = named(tried.connection)
    const first = datapoints.find(({ accessType }) => accessType !== 'READ')
    expect(first?.name).toBe(tried.datapoint)
    const datapointId = first?.id ?? ''
    const entry = async () => (await partner(() => file).values(id)).body.data.values[datapointId]
    await eventually(async () => expect((await entry())?.value).toEqual(expect.any(Number)))
    const before = await tried.held()
    expect(before).not.toBe(tried.value)

    const setpoint = { datapointId, value: tried.value, from: Date.now() - 1000, to: Date.now() + 3_600_000 }
    const { status, body } = await partner(() => file).override(setpoint)
    expect(status, body.message).toBe(200)
    await eventually(async () => expect(await tried.held()).toBe(tried.value))
    await eventually(async () =>
      expect(await entry()).toMatchObject({ value: tried.value, lockedBy: 'demand-response' }),
    )

    await partner(() => file).cancel(body.data.id)
    await eventually(async () => expect(await tried.held()).toBe(before))
    await eventually(async () => expect(await entry()).toEqual({ value: before, timestamp: expect.any(String) }))
  })

  test('runs each part in its own process', () => {
    const pids = Object.values(file.pids)
    expect(new Set([...pids, demo.pid]).size).toBe(5)
    for (const pid of pids) expect(isRunning(pid)).toBe(true)
    for (const [name, pid] of Object.entries(file.pids)) {
      const program = name === 'worker' ? 'cloud-worker.js' : `${name}-main.js`
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(program)
    }
  })

  test('serves the other commands of the same data folder', async () => {
    const { code, stdout } = await plantroom(['dr', 'values', 'Inverter'], { PLANTROOM_DATA: folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^dp_\w+ +State of charge +[\d.]+ /m)
  })

  test('is the command that npm start runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
    expect(scripts.start).toBe('./plantroom demo')
  })

  test('refuses a second demo on the same folder with one line, and keeps running', async () => {
    const second = launchDemo(folder)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.stdout()).toBe('')
    expect(second.stderr()).toMatch(/^plantroom demo: .*in use.*PLANTROOM_DATA.*\n$/)
    expect(second.stderr()).toContain(folder)
    await liveSince(Date.now() - 60_000)
    expect(readDemoJson(folder)).toEqual(file)
  })

  test('answers the curl commands of the documentation', async () => {
    const page = 'docs/how-to/dispatch-overrides.md'
    expect(await runPage(page, join(own.path, 'reader'), { folder, file })).toEqual([])
  })
})

describe('a part that is killed', () => {
  test.each(['edge', 'simulator', 'worker', 'cloud'] as const)('restarts: %s', async (name) => {
    const { pids: before } = readDemoJson(folder)
    const killedAt = Date.now()
    process.kill(before[name], 'SIGKILL')
    const { pids } = await eventually(() => {
      const now = readDemoJson(folder)
      expect(now.pids[name]).not.toBe(before[name])
      return now
    })
    expect(isRunning(pids[name])).toBe(true)
    expect(pids).toEqual({ ...before, [name]: pids[name] })
    await eventually(() => liveSince(killedAt))
    expect(readDemoJson(folder)).toEqual({ ...file, pids })
  })

  test('restarts: the database server, without a restart of any other part', async () => {
    const { pids } = readDemoJson(folder)
    const lines = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(lines[0]), 'SIGKILL')
    const client = createClient(sendWithToken(file.baseUrl, file.adminToken))
    await eventually(async () => {
      expect(await (await fetch(`${file.baseUrl}/metrics`)).text()).toContain('plantroom_database_restarts_total 1')
      expect((await client.listSites({ orgId: file.orgId })).sites).not.toEqual([])
    })
    expect(readDemoJson(folder).pids).toEqual(pids)
  })

  test('restarts even when all parts are killed together', async () => {
    const { pids: before } = readDemoJson(folder)
    const killedAt = Date.now()
    for (const pid of Object.values(before)) process.kill(pid, 'SIGKILL')
    await eventually(() => {
      const { pids } = readDemoJson(folder)
      for (const [name, pid] of Object.entries(before)) expect(pids).not.toHaveProperty(name, pid)
    })
    await eventually(() => liveSince(killedAt))
    expect(isRunning(demo.pid)).toBe(true)
  })
})

describe('Ctrl-C', () => {
  test('ends the demo and all its processes; the next start restores everything', async () => {
    demo.interrupt()
    expect(await demo.ended).toEqual({ code: 0, signal: null })
    expect(processesOf(folder)).toEqual([])

    demo = await startDemo(folder)
    const { orgId, propertyId, deviceId, apiKey, adminToken, user, connections } = readDemoJson(folder)
    expect({ orgId, propertyId, deviceId, apiKey, adminToken, user }).toEqual({
      orgId: file.orgId,
      propertyId: file.propertyId,
      deviceId: file.deviceId,
      apiKey: file.apiKey,
      adminToken: file.adminToken,
      user: file.user,
    })
    expect(connections).toEqual(file.connections)
    file = readDemoJson(folder)
    await eventually(() => liveSince(0))
  })

  test('of a demo of an old version without the heating: the next start adds it, and keeps the ids and what a person loaded', async () => {
    const { baseUrl, adminToken, orgId, deviceId } = file
    const admin = createClient(sendWithToken(baseUrl, adminToken))
    // It has no schedule, which would keep it from being removed during working hours.
    await admin.commission({ orgId, deviceId, body: { technicalSystem: 'Heating', connections: [] } })
    const { technicalSystems } = await admin.listTechnicalSystems({ orgId, deviceId })
    const systemId = String(technicalSystems.find(({ name }) => name === 'Ventilation')?.id)
    const shipped = await admin.getCommissioningFile({ orgId, deviceId, systemId })
    const schedules = shipped.schedules?.map((each) => ({
      ...each,
      slots: each.slots.map((slot) => ({ ...slot, to: '17:00' })),
    }))
    const theirs = { ...shipped, ...(schedules && { schedules }) }
    await admin.commission({ orgId, deviceId, body: theirs })
    demo.interrupt()
    expect(await demo.ended).toEqual({ code: 0, signal: null })
    const connections = file.connections.filter(({ protocol }) => protocol !== 'mqtt')
    writeFileSync(demoJsonPath(folder), JSON.stringify({ ...file, connections, commissioned: undefined }))

    demo = await startDemo(folder)
    const now = readDemoJson(folder)
    const ids = (of: DemoJson) =>
      of.connections.map(({ id, datapoints }) => [id, ...datapoints.map((each) => each.id)].join()).sort()
    expect(ids(now)).toEqual(ids(file))
    expect(now.connections.slice(0, connections.length)).toEqual(connections)
    file = now
    await eventually(() => liveSince(0))
    const again = createClient(sendWithToken(now.baseUrl, now.adminToken))
    expect(await again.getCommissioningFile({ orgId, deviceId, systemId })).toEqual(theirs)
  })
})
