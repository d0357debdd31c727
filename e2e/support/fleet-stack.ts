import { join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { type Bucket, startBucket } from './bucket.ts'
import { batteryRoom } from './building.ts'
import { ROOT, type Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import { ownFolder } from './folder.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { type FleetOptions, registerFleet } from './imitated-fleet.ts'
import { type Equipment, equipmentAt } from './modbus.ts'
import { installMosquitto, type Mosquitto } from './mosquitto.ts'
import type { Credential } from './mqtt-client.ts'
import { type Part, startPart } from './part.ts'
import { type Partner, partner } from './partner.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const ADMIN_TOKEN = 'one-admin-token-for-all-processes'
const WORKER = join(ROOT, 'packages/cloud/src/worker.ts')

interface CloudReady {
  baseUrl: string
  port: number
}

/** The documented set-up: two clouds behind a proxy, two workers, PostgreSQL, Mosquitto, S3, one real controller. */
export interface FleetStack extends AsyncDisposable {
  readonly folder: string
  readonly postgres: Postgres
  readonly mosquitto: Mosquitto
  readonly bucket: Bucket
  readonly proxy: Haproxy
  readonly clouds: readonly [Part<CloudReady>, Part<CloudReady>]
  readonly workers: readonly [Part<object>, Part<object>]
  readonly edge: Part<object>
  readonly orgId: string
  readonly siteId: string
  readonly apiKey: string
  readonly deviceId: string
  /** Through the proxy. */
  readonly admin: Client
  /** Straight to one cloud process. */
  adminOf(cloud: Part<CloudReady>): Client
  /** Commands to the real controller, through the proxy. */
  readonly partner: Partner
  readonly equipment: Equipment
  readonly connectionId: string
  readonly datapointId: string
  /** How to start the imitated controllers, which are registered with the cloud and the broker. */
  readonly fleet: FleetOptions
  readonly logins: readonly Credential[]
}

export async function startFleetStack(fleet: { count: number; args: readonly string[] }): Promise<FleetStack> {
  const cleanup = new AsyncDisposableStack()
  try {
    return await build(fleet, cleanup)
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function build(
  { count, args }: { count: number; args: readonly string[] },
  cleanup: AsyncDisposableStack,
): Promise<FleetStack> {
  const folder = cleanup.use(ownFolder()).path
  const postgres = cleanup.use(await startPostgres(folder))
  const mosquitto = await installMosquitto(folder)
  cleanup.defer(() => mosquitto.kill())
  await mosquitto.start()
  const bucket = cleanup.use(await startBucket())
  const services = await startServices(cleanup, {
    PLANTROOM_DATA: folder,
    PLANTROOM_ADMIN_TOKEN: ADMIN_TOKEN,
    DATABASE_URL: postgres.databaseUrl,
    MQTT_URL: mosquitto.cloudUrl,
    PLANTROOM_RETRY_DELAY_S: '1',
    ...bucket.settings,
  })
  const proxy = cleanup.use(
    await startHaproxy(
      folder,
      services.clouds.map(({ ready }) => ready.port),
    ),
  )

  const admin = createClient(sendWithToken(proxy.baseUrl, ADMIN_TOKEN))
  const orgId = (await admin.addOrganization({ body: { name: 'Fleet' } })).id
  const siteId = (await admin.addSite({ orgId, body: { name: 'Site', maintenanceRequests: true } })).id
  const permissions = ['edge-device:read_write', 'ticket:read_write'] as const
  const { apiKey } = await admin.createKey({ orgId, body: { name: 'Partner', permissions, siteIds: null } })
  const shell: Settings = {
    PLANTROOM_DATA: join(folder, 'none'),
    PLANTROOM_URL: proxy.baseUrl,
    PLANTROOM_ADMIN_TOKEN: ADMIN_TOKEN,
    PLANTROOM_ORG: orgId,
    NODE_EXTRA_CA_CERTS: mosquitto.certFile,
  }
  const options = { shell, folder, count, args: ['--site', siteId, ...args] }
  const logins = await registerFleet(options)
  await mosquitto.admitAll(logins)
  const controller = await startController(cleanup, { folder, admin, orgId, siteId, mosquitto })
  const { deviceId } = controller
  return {
    ...{ folder, postgres, mosquitto, bucket, proxy, orgId, siteId, apiKey, admin, logins, fleet: options },
    ...services,
    ...controller,
    adminOf: ({ ready }) => createClient(sendWithToken(ready.baseUrl, ADMIN_TOKEN)),
    partner: partner(() => ({ baseUrl: proxy.baseUrl, apiKey, orgId, deviceId })),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

async function startServices(cleanup: AsyncDisposableStack, settings: Settings) {
  const startCloud = () =>
    startPart<CloudReady>('cloud', (before) => ({ ...settings, PLANTROOM_PORT: String(before?.port ?? 0) }))
  const startWorker = () => startPart<object>('cloud', () => settings, WORKER)
  const clouds = await Promise.all([startCloud(), startCloud()])
  const workers = await Promise.all([startWorker(), startWorker()])
  for (const part of [...clouds, ...workers]) cleanup.defer(async () => void (await part.stop()))
  return { clouds, workers }
}

/** Starts a simulated building and a real controller, with the battery room commissioned. */
async function startController(
  cleanup: AsyncDisposableStack,
  deps: { folder: string; admin: Client; orgId: string; siteId: string; mosquitto: Mosquitto },
) {
  const { folder, admin, orgId, siteId, mosquitto } = deps
  const device = await admin.addDevice({ orgId, body: { name: 'Real controller', siteId } })
  await mosquitto.admit({ username: device.id, password: device.secret })
  const simulator = await startPart<{ modbus: { port: number } }>('simulator', () => ({
    PLANTROOM_DATA: folder,
    PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
    PLANTROOM_SIMULATOR_MQTT_PORT: '0',
    PLANTROOM_SIMULATOR_OBIX_PORT: '0',
  }))
  cleanup.defer(async () => void (await simulator.stop()))
  const edge = await startPart<object>('edge', () => ({
    PLANTROOM_DATA: folder,
    MQTT_URL: mosquitto.deviceUrl,
    NODE_EXTRA_CA_CERTS: mosquitto.certFile,
    PLANTROOM_DEVICE_ID: device.id,
    PLANTROOM_DEVICE_SECRET: device.secret,
  }))
  cleanup.defer(async () => void (await edge.stop()))
  const body = batteryRoom(simulator.ready.modbus.port)
  // Loading the same file again changes nothing, so it may be repeated until the controller is online.
  const { connections } = await eventually(() => admin.commission({ orgId, deviceId: device.id, body }))
  const inverter = connections.find(({ name }) => name === 'Inverter')
  return {
    edge,
    deviceId: device.id,
    equipment: equipmentAt(() => simulator.ready.modbus.port),
    connectionId: inverter?.id ?? '',
    datapointId: inverter?.datapoints.find(({ name }) => name === 'Charge power')?.id ?? '',
  }
}
