import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { freePort } from '@plantroom/testkit/free-port'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMosquitto, withoutMosquitto } from '../platform/broker/testing/mosquitto.ts'
import { createTestDatabase } from '../testing/database.ts'

/** A cloud that loads its sources on a busy machine. */
const START_MS = 90_000

const MAIN = join(import.meta.dirname, '../main.ts')

/** Starts a real cloud, until the test ends. */
async function startProcess(settings: Record<string, string>) {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    PLANTROOM_DATA: temporaryFolder(),
    PLANTROOM_HOST: '127.0.0.1',
    PLANTROOM_PORT: String(port),
    PLANTROOM_MQTT_PORT: '0',
    PLANTROOM_LOG_FORMAT: 'json',
    ...settings,
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { child, get, output: () => output }
}

/** The address of a database behind a port where nothing listens until `open` is called. */
async function behindPort(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const socket = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port')}`
  const port = await freePort()
  const server = createServer((client) => {
    const upstream = connect(socket)
    for (const one of [client, upstream]) one.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.pipe(upstream).pipe(client)
  })
  onTestFinished(() => void server.close())
  return {
    url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    open: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

async function waitsFor(what: string, cloud: Awaited<ReturnType<typeof startProcess>>) {
  await eventually(async () => {
    const { status, body } = await cloud.get('/readyz')
    expect([status, body.status]).toEqual([503, 'unavailable'])
    expect(body.waiting).toContain(what)
  }, START_MS)
  expect((await cloud.get('/healthz')).status).toBe(200)
  expect(cloud.output()).toContain(`waiting: ${what}`)
  expect(cloud.child.exitCode).toBeNull()
}

const becomesReady = (cloud: Awaited<ReturnType<typeof startProcess>>) =>
  eventually(
    async () => expect((await cloud.get('/readyz')).body).toMatchObject({ status: 'ok', broker: 'ok' }),
    START_MS,
  )

describe('a cloud that starts', () => {
  test(
    'while the database is away waits for it, says so, and continues',
    async () => {
      const database = await behindPort(await createTestDatabase())
      const cloud = await startProcess({ DATABASE_URL: database.url })
      await waitsFor('the database at DATABASE_URL', cloud)
      await database.open()
      await becomesReady(cloud)
    },
    2 * START_MS,
  )

  test.skipIf(withoutMosquitto)(
    'while the broker is away waits for it, says so, and continues',
    async () => {
      const broker = await startMosquitto()
      await broker.kill()
      const cloud = await startProcess({ DATABASE_URL: await createTestDatabase(), MQTT_URL: broker.cloudUrl })
      await waitsFor('the broker at MQTT_URL', cloud)
      await broker.start()
      await becomesReady(cloud)
    },
    2 * START_MS,
  )
})
