import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { createLog, type Log } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { isPlainToAnotherMachine } from '@plantroom/contract/broker-url'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { loadAdminToken } from './access/admin-token.ts'
import { secretMatches } from './access/api-key.ts'
import { authorizeRoutes } from './access/authorize.ts'
import { openKeyRegistry } from './access/key-registry.ts'
import { keyRoutes } from './access/key-routes.ts'
import { createKeyStore } from './access/key-store.ts'
import { createSessionStore } from './access/session-store.ts'
import { startSessionSweep } from './access/session-sweep.ts'
import { createSessions } from './access/sessions.ts'
import { createSetupToken } from './access/setup-token.ts'
import { createUserStore } from './access/user-store.ts'
import type { DeviceBus } from './broker/device-bus.ts'
import { startEmbeddedBroker } from './broker/embedded-broker.ts'
import { openMqttBus } from './broker/mqtt-bus.ts'
import type { CloudConfig } from './config.ts'
import { checkFolder, prepareFolder, takeFolder } from './data-folder.ts'
import { openChangeFeed } from './db/change-feed.ts'
import { type DatabaseAddress, openDatabase } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded/start.ts'
import { migrate } from './db/migrate.ts'
import { openMirror } from './db/mirror.ts'
import { commandRoutes } from './devices/command-routes.ts'
import { commissioningRoutes } from './devices/commissioning-routes.ts'
import { deviceRoutes } from './devices/device-routes.ts'
import { createDeviceStore, type Device } from './devices/device-store.ts'
import { createDispatch } from './devices/dispatch.ts'
import { createInbox } from './devices/inbox.ts'
import { createLiveDevices } from './devices/live-devices.ts'
import { liveRoutes } from './devices/live-routes.ts'
import { createPendingReplies } from './devices/pending-replies.ts'
import { createPlacerStore } from './devices/placer-store.ts'
import { createPresence } from './devices/presence.ts'
import { createTechnicalSystemStore } from './devices/technical-system-store.ts'
import { createTurns } from './devices/turns.ts'
import { openFiles, register as registerFiles } from './files/index.ts'
import { consoleRoutes } from './http/console.ts'
import { bucketOrigin } from './http/console-policy.ts'
import { healthRoutes } from './http/health-routes.ts'
import { measure } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { createServer } from './http/server.ts'
import { createJobStore } from './jobs/index.ts'
import { register as registerMail } from './mail/index.ts'
import { organizationRoutes } from './organizations/organization-routes.ts'
import { createOrganizationStore, type SiteReach } from './organizations/organization-store.ts'
import { JOB_KINDS, register as registerPackages } from './packages/index.ts'
import { createNameStore } from './reports/name-store.ts'
import { receiveReports } from './reports/receive-reports.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { createReportStore } from './reports/report-store.ts'
import { register as registerRequests } from './requests/index.ts'
import { createEventStreams } from './streams/event-stream.ts'
import { broadcastRoutes } from './telemetry/broadcast-routes.ts'
import { createBroadcasts } from './telemetry/broadcasts.ts'
import { measurementRoutes } from './telemetry/measurement-routes.ts'
import { createMeasurementStore } from './telemetry/measurement-store.ts'
import { receiveMeasurements } from './telemetry/receive-measurements.ts'
import { addSignInRoutes } from './wire-sign-in.ts'

/** As the front door builds it. */
const CONSOLE = join(import.meta.dirname, '../../web/dist')

/** What a parent process, such as the demo, needs to know of a running cloud. */
export interface CloudReady {
  baseUrl: string
  port: number
  mqttUrl: string
  /** Of the embedded broker. */
  mqttPort: number | null
  adminToken: string
}

export interface Cloud extends Running {
  ready: CloudReady
  /** Every route there is, with who may call it. */
  routes: readonly RouteOptions[]
}

/** Builds the cloud from its settings. What was started is stopped again when a later part fails. */
export async function startCloud(config: CloudConfig): Promise<Cloud> {
  const parts = new AsyncDisposableStack()
  try {
    return await build(config, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function build(config: CloudConfig, parts: AsyncDisposableStack): Promise<Cloud> {
  const clock = systemClock
  const log = createLog('cloud', config.logLevel)
  const cloudId = newId('cloud')

  await prepareFolder(config.folder)
  const adminToken = await loadAdminToken(config.folder, config.adminToken)
  const address = await databaseAddress(config, parts, log)
  const db = openDatabase(address, log)
  parts.defer(() => db.destroy())
  await migrate(db).catch((error: Error) => {
    if (error instanceof Failure || !config.databaseUrl) throw error
    throw new Failure('unavailable', `the database at DATABASE_URL cannot be used: ${error.message || String(error)}`)
  })

  const feed = await openChangeFeed({ address, clock, log })
  parts.defer(() => feed.close())
  const keyStore = createKeyStore(db)
  const keys = await openKeyRegistry({ store: keyStore, feed, clock, log })
  parts.defer(() => keys.close())

  let disconnect: (deviceId: string) => void = () => {}
  const deviceStore = createDeviceStore(db)
  const devices = await openMirror<Device>({
    table: 'device',
    feed,
    clock,
    log,
    loadAll: deviceStore.loadAll,
    loadOne: deviceStore.loadOne,
    onChange(before, after) {
      if (before && !after?.secretHash.equals(before.secretHash)) disconnect(before.id)
    },
  })

  const organizations = createOrganizationStore(db)
  const sites = await openMirror<SiteReach>({
    table: 'site',
    feed,
    clock,
    log,
    loadAll: organizations.loadSites,
    loadOne: organizations.loadSite,
  })

  let baseUrl = ''
  const files = await openFiles(config, { parts, clock, baseUrl: () => baseUrl })

  const broker = await openBus(config, cloudId, devices.get, log)
  const { bus } = broker
  disconnect = broker.disconnect
  parts.defer(() => bus.close())
  const pending = createPendingReplies(clock)
  const presence = createPresence(pending.abandon)

  const findDevice = devices.get
  const stored = { reports: 0, measurements: 0 }
  const count = (what: keyof typeof stored) => (more: number) => {
    stored[what] += more
  }
  const reportStore = createReportStore(db)
  const reports = receiveReports({ bus, store: reportStore, findDevice, onStored: count('reports'), log })
  parts.defer(() => reports.close())
  const measurementStore = createMeasurementStore(db)
  const measurements = receiveMeasurements({
    bus,
    store: measurementStore,
    findDevice,
    onStored: count('measurements'),
    clock,
    log,
  })
  parts.defer(() => measurements.close())
  const broadcasts = createBroadcasts()

  const receivers = {
    reports: reports.receive,
    measurements: measurements.receive,
    broadcast: broadcasts.receive,
  }
  bus.receive(createInbox({ bus, pending, presence, clock, receivers }))
  const dispatch = createDispatch({
    bus,
    presence,
    pending,
    turns: createTurns({ underWay: 32, waiting: 256 }),
    clock,
    cloudId,
    replyTimeoutMs: config.replyTimeoutMs,
  })

  const users = createUserStore(db)
  const sessionStore = createSessionStore(db)
  const sessions = createSessions({ store: sessionStore, clock })
  parts.defer(startSessionSweep({ store: sessionStore, clock, log }))
  const setupToken = createSetupToken(config.folder)

  const app = createServer({ tls: config.tls, log, clock })
  parts.defer(() => app.close())
  const publicOrigin = config.publicUrl && new URL(config.publicUrl).origin
  const routes = authorizeRoutes(app, { keys, sessions, adminToken, publicOrigin, findDevice, findSite: sites.get })
  await describeApi(app)
  measure(app, {
    devicesOnline: () => presence.onlineCount,
    reportsStored: () => stored.reports,
    measurementsStored: () => stored.measurements,
    jobs: createJobStore(db, JOB_KINDS).counts,
  })
  healthRoutes(app, {
    database: async () => void (await sql`SELECT 1`.execute(db)),
    broker: async () => {
      if (!bus.connected) throw new Error('not connected')
    },
    disk: () => checkFolder(config.folder),
  })
  const streams = createEventStreams(app, { clock })
  commandRoutes(app, { dispatch })
  reportRoutes(app, { store: reportStore, names: createNameStore(db) })
  measurementRoutes(app, { store: measurementStore, findDevice, clock })
  broadcastRoutes(app, { broadcasts, findDevice, streams })
  const live = createLiveDevices({ dispatch, placers: createPlacerStore(db), clock, log })
  parts.defer(() => live.close())
  liveRoutes(app, { live, findDevice, streams })
  organizationRoutes(app, { organizations, siteChanged: sites.refresh })
  deviceRoutes(app, { store: deviceStore, devices, presence })
  commissioningRoutes(app, { devices, systems: createTechnicalSystemStore(db), dispatch, clock })
  keyRoutes(app, { store: keyStore, keys, clock })
  await addSignInRoutes(app, {
    db,
    users,
    sessions,
    setupToken,
    clock,
    baseUrl: () => baseUrl,
    siteChanged: sites.refresh,
  })
  await registerFiles(app, { files, clock, log })
  registerPackages(app, { db, files: files.store, streams, clock })
  registerRequests(app, { db, files: files.store, clock })
  registerMail(app, { db })
  await consoleRoutes(app, {
    folder: CONSOLE,
    uploadsTo: config.s3 && bucketOrigin(config.s3),
    secure: config.tls !== undefined || (config.publicUrl?.startsWith('https:') ?? false),
    log,
  })
  const port = await listen(app, config)

  baseUrl = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://${hostInUrl(config.host)}:${port}`
  log.info({ url: baseUrl, broker: broker.url }, 'ready')
  if (!(await users.isAnyone())) {
    const url = `${baseUrl}/setup?token=${await setupToken.load()}`
    log.warn({ url }, 'nobody can sign in yet: open this address to set up')
  }
  for (const word of exposure(config)) log.warn(word)
  const ready = { baseUrl, port, mqttUrl: broker.url, mqttPort: broker.port, adminToken }
  return { routes, ready, stop: () => parts.disposeAsync() }
}

async function databaseAddress(config: CloudConfig, parts: AsyncDisposableStack, log: Log): Promise<DatabaseAddress> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  parts.defer(takeFolder(config.folder))
  const postgres = await startEmbeddedPostgres({ folder: join(config.folder, 'postgres'), clock: systemClock, log })
  parts.defer(() => postgres.stop())
  return postgres.connection
}

async function openBus(
  config: CloudConfig,
  cloudId: string,
  findDevice: (id: string) => Device | undefined,
  log: Log,
): Promise<{ bus: DeviceBus; url: string; port: number | null; disconnect(deviceId: string): void }> {
  if (config.mqttUrl) {
    const bus = await openMqttBus({ url: config.mqttUrl, cloudId, clock: systemClock, log })
    const url = new URL(config.mqttUrl)
    // The address is published without our password. That broker's own rules end a device's link.
    url.username = url.password = ''
    return { bus, url: url.href, port: null, disconnect: () => {} }
  }
  const bus = await startEmbeddedBroker({
    host: config.host,
    port: config.mqttPort,
    tls: config.tls,
    authenticate: (deviceId, secret) => {
      const device = findDevice(deviceId)
      return device !== undefined && secretMatches(secret, device.secretHash)
    },
    log,
  })
  const url = `${config.tls ? 'mqtts' : 'mqtt'}://${hostInUrl(config.host)}:${bus.port}`
  return { bus, url, port: bus.port, disconnect: bus.disconnect }
}

async function listen(app: FastifyInstance, config: CloudConfig): Promise<number> {
  const { host, port } = config
  try {
    await app.listen({ host, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(
      'unavailable',
      `port ${port} on ${host} is taken: stop what uses it or set PLANTROOM_PORT (0 picks a free one)`,
    )
  }
  const bound = app.server.address()
  return typeof bound === 'object' && bound ? bound.port : port
}

/** What an operator should know about who can reach this process, or read what it sends. */
function exposure(config: CloudConfig): string[] {
  const plainBroker = config.mqttUrl !== undefined && isPlainToAnotherMachine(config.mqttUrl)
  return [
    ...reachability(config),
    ...(plainBroker ? ['MQTT_URL is not encrypted: others on the network can read and send setpoints'] : []),
  ]
}

function reachability(config: CloudConfig): string[] {
  if (['127.0.0.1', '::1', 'localhost'].includes(config.host)) {
    return ['reachable from this machine only; set PLANTROOM_HOST to be reached from others']
  }
  return config.tls
    ? []
    : [
        'keys and passwords travel unencrypted: set PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY, or put a proxy with TLS in front',
      ]
}

/** An address that a program on this machine can call, also when it listens on all of them. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
