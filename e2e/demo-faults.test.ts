import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from './support/certificate.ts'
import { fileAppears, launchDemo, readDemoJson, startDemo } from './support/demo.ts'
import { PLANTROOM } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
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
  expect(demo.stderr().trimEnd().split('\n')).toEqual([expect.any(String)])
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
  const MOMENTS: [string, string, string][] = [
    ['the database is made', 'fresh', 'postgres'],
    ['the building starts', 'data', 'logs/simulator.log'],
    ['the cloud starts', 'data', 'logs/cloud.log'],
    ['the device starts', 'data', 'logs/edge.log'],
  ]
  test.each(isCampaign ? MOMENTS : MOMENTS.slice(0, 2))('leaves nothing behind: %s', async (_when, name, sign) => {
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

describe('a demo', () => {
  test('that is killed ends its parts, and the next one starts on the same folder', async () => {
    const demo = await startDemo(folder)
    expect(processesOf(folder).length).toBeGreaterThan(4)
    demo.kill()
    await eventually(() => expect(processesOf(folder)).toEqual([]))

    const next = await startDemo(folder)
    // Stopped right after its cloud was killed, it leaves no database server running.
    process.kill(readDemoJson(folder).pids.cloud, 'SIGKILL')
    next.interrupt()
    expect(await next.ended).toEqual({ code: 0, signal: null })
    expect(processesOf(folder)).toEqual([])
    expect(existsSync(join(folder, 'demo.json'))).toBe(true)
  })

  test('uses its embedded parts, a free port and a self-signed certificate, whatever the environment sets', async () => {
    const { connections: before } = readDemoJson(folder)
    const url = new URL(before.find(({ protocol }) => protocol === 'mqtt')?.endpoint ?? '')
    await using taken = await takePort(Number(url.port))
    const { certFile, keyFile } = await makeCertificate(own.path)
    const settings = { PLANTROOM_TLS_CERT: certFile, PLANTROOM_TLS_KEY: keyFile }
    const demo = await startDemo(folder, {
      ...settings,
      DATABASE_URL: 'postgresql://127.0.0.1:9/none',
      MQTT_URL: 'mqtt://127.0.0.1:9',
      PLANTROOM_PUBLIC_URL: 'https://plantroom.example',
      PLANTROOM_SIMULATOR_OBIX_LOGIN: 'installer:secret',
    })
    const file = readDemoJson(folder)
    expect(file.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(file.connections.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const heatPump = file.connections.find(({ protocol }) => protocol === 'mqtt')
    expect(heatPump?.endpoint).not.toContain(`:${taken.port}`)

    // The command line trusts the certificate, and the controller reaches equipment that moved or asks for a login.
    const line = demo.stdout().match(/^curl .*$/m)?.[0] ?? ''
    await eventually(async () => {
      const pasted = await run('bash', ['-c', line])
      expect(JSON.parse(pasted.stdout).data.status).toBe(1)
    })
    for (const { name } of file.connections) {
      await eventually(async () => {
        const listed = await run(PLANTROOM, ['dr', 'values', name, '--json'], { ...settings, PLANTROOM_DATA: folder })
        expect([listed.code, listed.stderr, JSON.parse(listed.stdout).status]).toEqual([0, '', 1])
      })
    }
    demo.interrupt()
    expect((await demo.ended).code).toBe(0)
  })
})
