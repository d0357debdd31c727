import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '@plantroom/testkit/child-program'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Demo, type DemoJson, demoJsonPath, launchDemo, readDemoJson, startDemo } from './support/demo.ts'
import { ROOT } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { equipmentAt } from './support/modbus.ts'
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

/** The line that a person pastes into a shell. */
const curlLine = () =>
  demo
    .stdout()
    .split('\n')
    .find((line) => line.startsWith('curl ')) ?? ''

/** Polls all connections with what `demo.json` said at first, and expects values read after `since`. */
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

  test('prints a curl line that answers with live values when it is pasted', async () => {
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

  test('writes demo.json with every field, for its owner only', () => {
    expect(statSync(demoJsonPath(folder)).mode & 0o777).toBe(0o600)
    const id = expect.stringMatching(/^[\w-]+$/)
    expect(file).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ticketApiBase: `${file.baseUrl}/api`,
      schemaUrl: `${file.baseUrl}/schemas/ticket-export-v1.json`,
      orgId: id,
      propertyId: id,
      deviceId: id,
      apiKey: expect.stringMatching(/^plr_\w+_\w+$/),
      adminToken: expect.stringMatching(/^.{16,}$/),
      user: { email: expect.stringMatching(/^\S+@\S+\.\S+$/), password: expect.stringMatching(/^.{12,}$/) },
      mqttUrl: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
      connections: expect.any(Array),
      pids: { cloud: expect.any(Number), edge: expect.any(Number), simulator: expect.any(Number) },
    })
    expect(file.connections.map(({ name }) => name)).toEqual(expect.arrayContaining(['Inverter', 'Grid meter']))
    for (const connection of file.connections.filter(({ protocol }) => protocol === 'modbus-tcp')) {
      const { settings, endpoint } = connection
      expect(endpoint).toBe(`127.0.0.1:${settings.port}`)
      expect(connection).toMatchObject({ id, settings: { unitId: expect.any(Number) } })
      for (const datapoint of connection.datapoints) {
        expect(datapoint).toMatchObject({
          id,
          connectionId: connection.id,
          name: expect.any(String),
          accessType: expect.stringMatching(/^(READ|READ_WRITE|WRITE)$/),
          data: { register: expect.any(Number) },
          scaler: { inputValue1: expect.any(Number), outputValue2: expect.any(Number) },
        })
      }
    }
  })

  test('runs on equipment that can be looked at where demo.json says', async () => {
    const inverter = file.connections.find(({ name }) => name === 'Inverter')
    const equipment = equipmentAt(() => Number(inverter?.endpoint.split(':')[1]))
    const { body } = await partner(() => file).values(inverter?.id ?? '')
    const [setpoint] = inverter?.datapoints ?? []
    expect(body.data.values[setpoint?.id ?? '']?.value).toBe((await equipment.holding(1, 100, 1)).readInt16BE(0) / 10)
  })

  test('has each part in a process of its own', () => {
    const pids = Object.values(file.pids)
    expect(new Set([...pids, demo.pid]).size).toBe(4)
    for (const pid of pids) expect(isRunning(pid)).toBe(true)
    for (const [name, pid] of Object.entries(file.pids)) {
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(`packages/${name}/src/main.ts`)
    }
  })

  test('is what the other commands talk to in the same data folder', async () => {
    const { code, stdout } = await plantroom(['dr', 'values', 'Inverter'], { PLANTROOM_DATA: folder })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^dp_\w+ +State of charge +[\d.]+ /m)
  })

  test('is what npm start runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
    expect(scripts.start).toBe('./plantroom demo')
  })

  test('refuses a second one on the same folder with one line, and goes on', async () => {
    const second = launchDemo(folder)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.stdout()).toBe('')
    expect(second.stderr()).toMatch(/^plantroom demo: .*in use.*PLANTROOM_DATA.*\n$/)
    expect(second.stderr()).toContain(folder)
    await liveSince(Date.now() - 60_000)
    expect(readDemoJson(folder)).toEqual(file)
  })
})

describe('a part that is killed', () => {
  test.each(['edge', 'simulator', 'cloud'] as const)('is there again by itself: %s', async (name) => {
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

  test('takes no other with it when all are killed at once', async () => {
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
  test('ends the demo and all that belongs to it; the next start has it all again', async () => {
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
})
