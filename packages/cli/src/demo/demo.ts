import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createAdminClient } from '@plantroom/client/admin'
import { type Command, parse, positionals } from '../command.ts'
import { type CliConfig, readConfig } from '../config.ts'
import { banner } from './banner.ts'
import { commissionBuilding } from './building.ts'
import { type DemoFile, writeDemoFile } from './demo-file.ts'
import { furnish } from './furnish.ts'
import { type Supervised, supervise } from './supervise.ts'

const PACKAGES = join(import.meta.dirname, '../../..')
const SIMULATOR_PORT = 15020

interface CloudReady {
  baseUrl: string
  port: number
  mqttUrl: string
  mqttPort: number | null
  adminToken: string
}

interface SimulatorReady {
  modbus: { host: string; port: number }
}

export const demo: Command = {
  usage: `plantroom demo [--json]      cloud, an edge device and a simulated building on this machine, until Ctrl-C

Prints addresses, login, ids, key and a curl line, and writes them to demo.json in the data folder
(PLANTROOM_DATA, default ./.plantroom). A second start keeps the data and the ids.`,
  async run(args) {
    const { values, positionals: given } = parse(args, { json: { type: 'boolean' } })
    positionals(given)
    const stopAsked = new Promise<'stop'>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('stop'))
    })
    await using parts = new AsyncDisposableStack()
    const started = startDemo(readConfig(), parts)
    // A Ctrl-C while it starts: what is up by then is stopped as soon as the step under way is done.
    const outcome = await Promise.race([started, stopAsked])
    if (outcome === 'stop') return void (await started.catch(() => {}))
    console.log(values.json ? JSON.stringify(outcome.file) : banner(outcome.file, outcome.config))
    await stopAsked
  },
}

async function startDemo(
  config: CliConfig,
  parts: AsyncDisposableStack,
): Promise<{ file: DemoFile; config: CliConfig }> {
  const { folder } = config
  const logs = join(folder, 'logs')
  await mkdir(logs, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the data folder ${folder} cannot be written (${error.code}): set PLANTROOM_DATA to one that can`)
  })
  let file: DemoFile | undefined
  let saved: Promise<void> = Promise.resolve()

  const running: Record<string, Supervised<unknown>> = {}
  async function run<Ready>(
    name: string,
    room: string,
    environment: (before: Ready | undefined) => NodeJS.ProcessEnv,
  ): Promise<Supervised<Ready>> {
    const part = await supervise<Ready>({
      name,
      program: join(PACKAGES, room, 'src/main.ts'),
      environment: (before) => ({ ...config.environment, PLANTROOM_DATA: folder, ...environment(before) }),
      logFile: join(logs, `${name}.log`),
      clock: systemClock,
      onRestart: () => {
        // One after the other: two at once would take each other's temporary file.
        saved = saved.then(savePids).catch(() => {})
      },
    })
    parts.defer(() => part.stop())
    running[name] = part
    return part
  }

  const pids = () => Object.fromEntries(Object.entries(running).map(([name, part]) => [name, part.pid]))
  async function savePids() {
    if (!file) return
    file = { ...file, pids: pids() }
    await writeDemoFile(folder, file)
  }

  const cloud = await run<CloudReady>('cloud', 'cloud', (before) => ({
    // A port that was picked stays: the device and everybody's curl line know it.
    ...(before && { PLANTROOM_PORT: String(before.port) }),
    ...(before?.mqttPort && { PLANTROOM_MQTT_PORT: String(before.mqttPort) }),
  }))
  const { baseUrl, mqttUrl, adminToken } = cloud.ready
  const admin = createAdminClient({ baseUrl, adminToken })
  const furniture = await furnish(admin, config.demo)

  const simulator = await startSimulator(run, config)
  await run('edge', 'edge', () => ({
    MQTT_URL: mqttUrl,
    PLANTROOM_DEVICE_ID: furniture.deviceId,
    PLANTROOM_DEVICE_SECRET: furniture.deviceSecret,
  }))
  const connections = await commissionBuilding({
    admin,
    clock: systemClock,
    orgId: furniture.orgId,
    deviceId: furniture.deviceId,
    modbus: simulator.ready.modbus,
    folder: join(PACKAGES, 'simulator/demo'),
  })

  file = {
    baseUrl,
    ticketApiBase: `${baseUrl}/api`,
    schemaUrl: `${baseUrl}/schemas/ticket-export-v1.json`,
    orgId: furniture.orgId,
    propertyId: furniture.siteId,
    deviceId: furniture.deviceId,
    apiKey: furniture.apiKey,
    adminToken,
    user: furniture.user,
    mqttUrl,
    connections,
    pids: pids(),
  }
  await writeDemoFile(folder, file)
  return { file, config }
}

type Run = <Ready>(
  name: string,
  room: string,
  environment: (before: Ready | undefined) => NodeJS.ProcessEnv,
) => Promise<Supervised<Ready>>

/** On the port of the last start, else the usual one; when that is taken, on any: nobody has to know it by heart. */
async function startSimulator(run: Run, config: CliConfig): Promise<Supervised<SimulatorReady>> {
  const last = config.demo?.connections.find((connection) => connection.protocol === 'modbus-tcp')?.endpoint
  const usual = Number(last?.split(':').at(-1)) || SIMULATOR_PORT
  const on = (port: number) =>
    run<SimulatorReady>('simulator', 'simulator', (before) => ({
      PLANTROOM_SIMULATOR_MODBUS_PORT: String(before?.modbus.port ?? port),
      // The equipment stays on this machine, wherever the cloud listens.
      PLANTROOM_HOST: '127.0.0.1',
    }))
  try {
    return await on(usual)
  } catch {
    return await on(0)
  }
}
