import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from './support/certificate.ts'
import { fileAppears, launchDemo, readDemoJson, startDemo } from './support/demo.ts'
import { PLANTROOM } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { partner } from './support/partner.ts'
import { processesOf } from './support/processes.ts'
import { run } from './support/run.ts'

let own: OwnFolder
let folder: string

beforeAll(() => {
  own = ownFolder()
  folder = join(own.path, 'data')
})
afterAll(() => own?.[Symbol.asyncDispose]())

/** Starts a server of another program, on this port or on any. */
async function takePort(port: number): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

/** Returns the only line that the demo prints on stderr. */
async function refusal(at: string, settings = {}): Promise<string> {
  const demo = launchDemo(at, settings)
  expect(await demo.ended).toEqual({ code: 1, signal: null })
  expect(demo.stdout()).toBe('')
  expect(demo.stderr().trimEnd().split('\n')).toHaveLength(1)
  expect(processesOf(at)).toEqual([])
  return demo.stderr()
}

describe('a demo that cannot start', () => {
  test.each(['PLANTROOM_PORT', 'PLANTROOM_MQTT_PORT'])(
    'names the port that is taken and the setting %s',
    async (name) => {
      await using taken = await takePort(0)
      const line = await refusal(folder, { [name]: String(taken.port) })
      expect(line).toContain(`port ${taken.port} `)
      expect(line).toContain(` ${name} `)
    },
  )

  test('names the taken port of the building', async () => {
    await using taken = await takePort(0)
    const name = 'PLANTROOM_SIMULATOR_MQTT_PORT'
    const line = await refusal(folder, { [name]: String(taken.port) })
    expect(line).toContain(`127.0.0.1:${taken.port}: the port is taken`)
    expect(line).toContain(` ${name} `)
  })

  test.each(['PLANTROOM_PORT', 'PLANTROOM_SIMULATOR_OBIX_PORT'])('names an invalid setting: %s', async (name) => {
    expect(await refusal(folder, { [name]: 'eighty' })).toContain(`${name}: eighty`)
  })

  test('names a data folder that it cannot create', async () => {
    const file = join(own.path, 'file')
    writeFileSync(file, '')
    const line = await refusal(join(file, 'data'))
    expect(line).toContain(join(file, 'data'))
    expect(line).toContain('PLANTROOM_DATA')
  })
})

describe('Ctrl-C while the demo starts', () => {
  test.each([
    ['the database is made', 'fresh', 'postgres'],
    ['the cloud starts', 'data', 'logs/cloud.log'],
    ['the building starts', 'data', 'logs/simulator.log'],
    ['the device starts', 'data', 'logs/edge.log'],
  ])('leaves nothing behind: %s', async (_when, name, sign) => {
    const at = join(own.path, name)
    rmSync(join(at, 'logs'), { recursive: true, force: true })
    const demo = launchDemo(at)
    await fileAppears(at, sign)
    demo.interrupt()
    expect(await demo.ended).toEqual({ code: 0, signal: null })
    expect(demo.stderr()).toBe('')
    expect(processesOf(at)).toEqual([])
  })
})

describe('a demo that is killed', () => {
  test('ends its parts, and the next demo starts on the same folder', async () => {
    const demo = await startDemo(folder)
    expect(processesOf(folder).length).toBeGreaterThan(4)
    demo.kill()
    await eventually(() => expect(processesOf(folder)).toEqual([]))

    const next = await startDemo(folder)
    next.interrupt()
    expect(await next.ended).toEqual({ code: 0, signal: null })
    expect(processesOf(folder)).toEqual([])
    expect(existsSync(join(folder, 'demo.json'))).toBe(true)
  })
})

describe('a demo', () => {
  test('that is stopped right after its cloud was killed leaves no database server running', async () => {
    const demo = await startDemo(folder)
    process.kill(readDemoJson(folder).pids.cloud, 'SIGKILL')
    demo.interrupt()
    expect(await demo.ended).toEqual({ code: 0, signal: null })
    expect(processesOf(folder)).toEqual([])
  })

  test('moves equipment whose previous port is taken, and connects to it there', async () => {
    const { connections: before } = readDemoJson(folder)
    const url = new URL(before.find(({ protocol }) => protocol === 'mqtt')?.endpoint ?? '')
    await using taken = await takePort(Number(url.port))
    const demo = await startDemo(folder)
    const file = readDemoJson(folder)
    expect(file.connections.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const heatPump = file.connections.find(({ protocol }) => protocol === 'mqtt')
    expect(heatPump?.endpoint).not.toContain(`:${taken.port}`)
    for (const { id } of file.connections) {
      await eventually(async () => expect((await partner(() => file).values(id)).body.data.status).toBe(1))
    }
    demo.interrupt()
    expect((await demo.ended).code).toBe(0)
  })

  test('uses its embedded parts, whatever the environment sets', async () => {
    const demo = await startDemo(folder, {
      DATABASE_URL: 'postgresql://127.0.0.1:9/none',
      MQTT_URL: 'mqtt://127.0.0.1:9',
      PLANTROOM_PUBLIC_URL: 'https://plantroom.example',
      PLANTROOM_SIMULATOR_OBIX_LOGIN: 'installer:secret',
    })
    const file = readDemoJson(folder)
    expect(file.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const airHandler = file.connections.find(({ protocol }) => protocol === 'obix')
    await eventually(async () =>
      expect((await partner(() => file).values(airHandler?.id ?? '')).body.data.status).toBe(1),
    )
    demo.interrupt()
    expect((await demo.ended).code).toBe(0)
  })

  test('runs with a self-signed certificate that the command line trusts', async () => {
    const { certFile, keyFile } = await makeCertificate(own.path)
    const settings = { PLANTROOM_TLS_CERT: certFile, PLANTROOM_TLS_KEY: keyFile }
    const demo = await startDemo(folder, settings)
    expect(readDemoJson(folder).baseUrl).toMatch(/^https:/)
    const line = demo.stdout().match(/^curl .*$/m)?.[0] ?? ''
    await eventually(async () => {
      const pasted = await run('bash', ['-c', line])
      expect(JSON.parse(pasted.stdout).data.status).toBe(1)
    })
    const listed = await run(PLANTROOM, ['key', 'list'], { ...settings, PLANTROOM_DATA: folder })
    expect([listed.code, listed.stderr]).toEqual([0, ''])
    demo.interrupt()
    expect((await demo.ended).code).toBe(0)
  })
})
