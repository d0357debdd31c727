import { join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { type Bucket, startBucket } from './bucket.ts'
import { type Controller, startController } from './controller.ts'
import { ROOT, type Settings } from './environment.ts'
import { ownFolder } from './folder.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { type FleetOptions, registerFleet } from './imitated-fleet.ts'
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
export interface FleetStack extends AsyncDisposable, Controller {
  readonly folder: string
  readonly postgres: Postgres
  readonly mosquitto: Mosquitto
  readonly bucket: Bucket
  readonly proxy: Haproxy
  readonly clouds: readonly [Part<CloudReady>, Part<CloudReady>]
  readonly workers: readonly [Part<object>, Part<object>]
  readonly orgId: string
  readonly siteId: string
  readonly apiKey: string
  /** Through the proxy. */
  readonly admin: Client
  /** Straight to one cloud process. */
  adminOf(cloud: Part<CloudReady>): Client
  /** Commands to the real controller, through the proxy. */
  readonly partner: Partner
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
  const connect = async ({ id, secret }: { id: string; secret: string }) => {
    await mosquitto.admit({ username: id, password: secret })
    return { MQTT_URL: mosquitto.deviceUrl, NODE_EXTRA_CA_CERTS: mosquitto.certFile }
  }
  const controller = await startController(cleanup, { folder, admin, orgId, siteId, connect })
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
