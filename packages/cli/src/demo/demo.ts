import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { trustOwnCertificate } from '../clients.ts'
import { COMMON_FLAGS } from '../command.ts'
import { type CliConfig, readConfig } from '../config.ts'
import { command, verb } from '../declare.ts'
import { banner } from './banner.ts'
import { commissionBuilding } from './building.ts'
import { type DemoFile, writeDemoFile } from './demo-file.ts'
import { COMMAND, createParts, PACKAGES, type Parts } from './parts.ts'
import { seedDemo } from './seed-demo.ts'
import { startSimulator } from './simulator.ts'

interface CloudReady {
  baseUrl: string
  port: number
  mqttUrl: string
  mqttPort: number | null
  adminToken: string
}

export const demo = command('demo', {
  group: 'run',
  about: 'run a cloud, a worker, an edge device and a simulated building on this machine',
  notes: `Prints addresses, login, ids, keys and a curl command, and writes them to demo.json in the data folder (PLANTROOM_DATA, default ./.plantroom). A second start keeps the data and the ids.`,
  verbs: {
    '': verb({
      about: 'run the cloud, a worker, an edge device and a simulated building until Ctrl-C',
      options: { json: COMMON_FLAGS.json },
      json: 'the content of demo.json',
      run: (flags) => runDemo(flags.json),
    }),
  },
})

async function runDemo(json: boolean | undefined): Promise<void> {
  const config = readConfig({}, undefined, null)
  trustOwnCertificate(config)
  const stop = new AbortController()
  const stopAsked = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

  let file: DemoFile | undefined
  let saved: Promise<void> = Promise.resolve()
  await using parts = await createParts({
    ...config,
    signal: stop.signal,
    onRestart() {
      // Write one after the other, so that the older of two states is never written last.
      saved = saved.then(async () => {
        if (file) await writeDemoFile(config.folder, { ...file, pids: parts.pids() }).catch(() => {})
      })
    },
  })
  try {
    file = await startDemo(config, parts, stop.signal)
  } catch (error) {
    if (stop.signal.aborted) return
    throw error
  }
  console.log(json ? JSON.stringify(file) : banner(file, config, COMMAND))
  await stopAsked
}

/** Waits for both, also when one fails: a part that still starts would not be stopped. */
async function both<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

async function startDemo(config: CliConfig, parts: Parts, signal: AbortSignal): Promise<DemoFile> {
  const starting = parts.run<CloudReady>({
    name: 'cloud',
    packageName: 'cloud',
    // Keep the chosen port: the device and copied curl commands use it.
    settings: (before) => ({
      ...(before && { PLANTROOM_PORT: String(before.port) }),
      ...(before?.mqttPort && { PLANTROOM_MQTT_PORT: String(before.mqttPort) }),
    }),
    // The cloud's database server survives it.
    needsCleanStop: true,
  })
  // While the cloud creates its database.
  const [cloud, simulator] = await both(
    starting,
    startSimulator({ parts, environment: config.environment, last: config.demo }),
  )
  const { baseUrl, mqttUrl, adminToken } = cloud.ready
  const worker = parts.run({
    name: 'worker',
    packageName: 'cloud',
    program: 'worker.ts',
    // Exported packages then reference the schema that this demo serves.
    settings: () => ({ PLANTROOM_PUBLIC_URL: baseUrl }),
  })
  const operator = createClient(sendWithToken(baseUrl, adminToken))
  const [seed] = await both(seedDemo(operator, config.demo), worker)
  const { orgId, siteId, deviceId, deviceSecret, apiKey, user } = seed

  await parts.run({
    name: 'edge',
    packageName: 'edge',
    // The same flags as on a controller.
    nodeFlags: ['--max-semi-space-size=1'],
    settings: () => ({
      MQTT_URL: mqttUrl,
      // Always the same machine, whatever PLANTROOM_HOST says.
      PLANTROOM_ALLOW_PLAIN_MQTT: '1',
      PLANTROOM_DEVICE_ID: deviceId,
      PLANTROOM_DEVICE_SECRET: deviceSecret,
      ...(config.tlsCert && { NODE_EXTRA_CA_CERTS: config.tlsCert }),
    }),
  })
  const building = await commissionBuilding({
    operator,
    clock: systemClock,
    signal,
    orgId,
    deviceId,
    equipment: simulator.ready,
    folder: join(PACKAGES, 'simulator/demo'),
    last: config.demo,
  })

  const file: DemoFile = {
    baseUrl,
    ticketApiBase: `${baseUrl}/api`,
    schemaUrl: `${baseUrl}/schemas/ticket-export-v1.json`,
    orgId,
    propertyId: siteId,
    deviceId,
    apiKey,
    adminToken,
    user,
    mqttUrl,
    ...building,
    pids: parts.pids(),
  }
  await writeDemoFile(config.folder, file)
  return file
}
