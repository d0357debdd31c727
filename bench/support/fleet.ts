import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { startEmbeddedPostgres } from '@plantroom/cloud/db/embedded/start'
import type { FleetStatus } from '@plantroom/contract/fleet-simulation'
import { type Mosquitto, startMosquitto } from './mosquitto.ts'
import { startProgram, stopProgram } from './processes.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')
const ADMIN_TOKEN = 'the-admin-token-of-the-benchmark'
const PATIENCE_MS = 300_000
const LOOK_MS = 50

/** A device in a file of `plantroom simulate-fleet`. */
export interface BenchDevice {
  id: string
  secret: string
  system?: { connectionId: string; datapointIds: string[] }
}

export interface BenchCloud {
  readonly baseUrl: string
  readonly child: ChildProcess
}

/** PostgreSQL and Mosquitto, cloud processes on them, and registered devices. */
export interface FleetBench extends AsyncDisposable {
  readonly folder: string
  readonly mosquitto: Mosquitto
  readonly databaseUrl: string
  readonly orgId: string
  readonly siteId: string
  readonly apiKey: string
  readonly adminToken: string
  readonly clouds: BenchCloud[]
  startCloud(): Promise<BenchCloud>
  startWorker(): Promise<AsyncDisposable>
  /** How many devices a cloud process calls online. */
  online(cloud: BenchCloud): Promise<number>
  /** Registers as many new devices, also with the broker. Returns the file with their credentials. */
  register(name: string, count: number, args?: readonly string[]): Promise<string>
  devicesIn(file: string): BenchDevice[]
  start(file: string, count: number, args: readonly string[]): FleetRun
}

/** A running `plantroom simulate-fleet`. */
export interface FleetRun extends AsyncDisposable {
  readonly status: FleetStatus | undefined
  /** Waits until the status fulfils a condition. */
  until(what: string, holds: (status: FleetStatus) => boolean): Promise<FleetStatus>
  /** The controllers say goodbye. */
  stop(): Promise<void>
  /** The controllers lose their power. */
  kill(): Promise<void>
}

export async function startFleetBench(folder: string): Promise<FleetBench> {
  await using started = new AsyncDisposableStack()
  const log = createLog('bench', 'warn')
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), clock: systemClock, log })
  started.defer(() => postgres.stop())
  const { host, user, database } = postgres.connection
  const databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  const mosquitto = await startMosquitto(join(folder, 'mosquitto'))
  started.defer(() => mosquitto.stop())
  const clouds: BenchCloud[] = []
  started.defer(() => Promise.all(clouds.map(({ child }) => stopProgram(child))).then(() => {}))

  const env = {
    ...{ PLANTROOM_DATA: folder, PLANTROOM_PORT: '0', PLANTROOM_LOG_LEVEL: 'warn' },
    ...{ PLANTROOM_ADMIN_TOKEN: ADMIN_TOKEN, DATABASE_URL: databaseUrl, MQTT_URL: mosquitto.cloudUrl },
  }
  async function startCloud(): Promise<BenchCloud> {
    const program = join(PACKAGES, 'cloud/src/main.ts')
    const { child, ready } = await startProgram<{ baseUrl: string }>(program, { env })
    const cloud = { baseUrl: ready.baseUrl, child }
    clouds.push(cloud)
    return cloud
  }
  async function startWorker(): Promise<AsyncDisposable> {
    const { child } = await startProgram<object>(join(PACKAGES, 'cloud/src/worker.ts'), { env })
    return { [Symbol.asyncDispose]: () => stopProgram(child) }
  }
  const { baseUrl } = await startCloud()
  const admin = createClient(sendWithToken(baseUrl, ADMIN_TOKEN))
  const orgId = (await admin.addOrganization({ body: { name: 'Fleet' } })).id
  const siteId = (await admin.addSite({ orgId, body: { name: 'Fleet' } })).id
  const body = { name: 'Bench', permissions: ['edge-device:read_write'], siteIds: null } as const
  const { apiKey } = await admin.createKey({ orgId, body })

  const simulate = (file: string, count: number, args: readonly string[]) =>
    startSimulating({
      env: { PLANTROOM_URL: liveCloud(clouds).baseUrl, PLANTROOM_ADMIN_TOKEN: ADMIN_TOKEN, PLANTROOM_ORG: orgId },
      args: [String(count), '--site', siteId, '--credentials', file, '--url', mosquitto.deviceUrl, ...args],
    })
  const devicesIn = (file: string): BenchDevice[] => JSON.parse(readFileSync(file, 'utf8')).devices
  const kept = started.move()
  return {
    ...{
      folder,
      mosquitto,
      databaseUrl,
      orgId,
      siteId,
      apiKey,
      adminToken: ADMIN_TOKEN,
      clouds,
      startCloud,
      startWorker,
      devicesIn,
    },
    online: onlineDevices,
    async register(name, count, args = []) {
      const file = join(folder, `${name}.json`)
      await simulate(file, count, ['--register-only', ...args]).done()
      mosquitto.admit(devicesIn(file))
      return file
    },
    start(file, count, args) {
      // The file names the service that registered them, which may have been replaced.
      const credentials = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...credentials, service: liveCloud(clouds).baseUrl }), { mode: 0o600 })
      return simulate(file, count, args)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function liveCloud(clouds: readonly BenchCloud[]): BenchCloud {
  const live = clouds.find(({ child }) => child.exitCode === null && child.signalCode === null)
  if (!live) throw new Error('no cloud process is running')
  return live
}

async function onlineDevices({ baseUrl }: BenchCloud): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^plantroom_devices_online(?:{.*})? (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

function startSimulating(options: { env: NodeJS.ProcessEnv; args: readonly string[] }): FleetRun & {
  /** Resolves when it has ended with success. */
  done(): Promise<void>
} {
  const program = join(PACKAGES, 'cli/src/main.ts')
  const args = [program, 'simulate-fleet', ...options.args, '--json', '--every', '0.2']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let status: FleetStatus | undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    status = JSON.parse(line)
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const end = async (signal: NodeJS.Signals) => {
    if (!hasEnded()) child.kill(signal)
    await exit
  }
  return {
    get status() {
      return status
    },
    async until(what, holds) {
      const giveUpAt = performance.now() + PATIENCE_MS
      while (!status || !holds(status)) {
        if (hasEnded()) throw new Error('the imitated controllers ended: see the lines above')
        if (performance.now() > giveUpAt) throw new Error(`${what} never came true: ${JSON.stringify(status)}`)
        await setTimeout(LOOK_MS)
      }
      return status
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async done() {
      const code = await exit
      if (code !== 0) throw new Error(`plantroom simulate-fleet ended with ${code}: see the lines above`)
    },
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}
