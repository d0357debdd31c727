import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { writeLocalService } from '@plantroom/base/local-service'
import { createLog, keepRecentLines, type Log, logOutput } from '@plantroom/base/log'
import { openTrace } from '@plantroom/base/open-trace'
import { type Running, STOP_LIMIT_MS } from '@plantroom/base/program'
import type { RouteOptions } from 'fastify'
import type { CloudConfig } from '../config.ts'
import {
  countOpenAlerts,
  createAlertWorkStore,
  receiveHealth,
  register as registerAlerts,
  startEvaluator,
} from '../control/alerts/index.ts'
import {
  connectDevices,
  keepStates,
  openDevices,
  openDeviceTasks,
  register as registerDevices,
  rememberCancels,
} from '../control/devices/index.ts'
import { register as registerFleet } from '../control/fleet/index.ts'
import { register as registerOpenadr } from '../control/openadr/index.ts'
import { receiveReports, register as registerReports } from '../control/reports/index.ts'
import {
  compactionAge,
  createBroadcasts,
  receiveMeasurements,
  register as registerTelemetry,
} from '../control/telemetry/index.ts'
import { checkFolder, diskOf, prepareFolder, refuseHalfRestored } from '../data-folder.ts'
import { exportTroubles, register as registerAutomaticExports } from '../maintenance/automatic-exports/index.ts'
import { register as registerConversions } from '../maintenance/conversions/index.ts'
import { JOB_KINDS, register as registerPackages } from '../maintenance/packages/index.ts'
import { register as registerRequestCodes } from '../maintenance/request-codes/index.ts'
import { type LinkAlert, register as registerRequests } from '../maintenance/requests/index.ts'
import { register as registerUploads } from '../maintenance/uploads/index.ts'
import {
  type AccessControl,
  authorizeRoutes,
  type Hashing,
  openAccess,
  register as registerAccess,
} from '../organization/access/index.ts'
import {
  countUnsentActivity,
  openActivity,
  openRefusals,
  register as registerActivity,
} from '../organization/activity/index.ts'
import { openSites, register as registerOrganizations } from '../organization/organizations/index.ts'
import { register as registerPortfolio } from '../organization/portfolio/index.ts'
import { register as registerPush } from '../organization/push/index.ts'
import { recordEvent, register as registerWebhooks } from '../organization/webhooks/index.ts'
import { createIntake, createOrganizationQuota } from '../platform/broker/index.ts'
import { pingDatabase } from '../platform/db/database.ts'
import { openFiles, register as registerFiles } from '../platform/files/index.ts'
import {
  bucketOrigin,
  consoleRoutes,
  createDrain,
  createHostCheck,
  createServer,
  describeApi,
  helpRoutes,
  register as registerOperation,
} from '../platform/http/index.ts'
import { createJobStore } from '../platform/jobs/index.ts'
import { createAccountMailer, register as registerMail } from '../platform/mail/index.ts'
import { openOutbound } from '../platform/outbound/index.ts'
import { createEventStreams } from '../platform/streams/index.ts'
import { createBaseUrl, createCallerUrl, exposureWarnings, listen, localUrl } from './address.ts'
import { createBrokerUrl, openAccounts, openBroker, requireReachable } from './broker.ts'
import { openMigratedDatabase, requireAnnounced } from './database.ts'
import { startWhenPeersAreThere } from './wait-for-peers.ts'
import { workWaits } from './work-waits.ts'

/** The console as the front door builds it. */
const CONSOLE = join(import.meta.dirname, '../../../web/dist')
const HELP = join(import.meta.dirname, '../../../../docs/dist')

/** Lines of the log for problem reports. */
const MAX_KEPT_LINES = 2000

/** Of one controller. It keeps what exceeds them, and sends it later. Far more than equipment produces. */
const REPORTS_PER_MINUTE = 6_000
const MEASUREMENTS_PER_MINUTE = 120_000

/** For what is left to do when the last command is answered. */
const AFTER_REPLIES_MS = 5_000

/** The addresses and credentials of a running cloud, for a parent process such as the demo. */
interface CloudReady {
  baseUrl: string
  port: number
  mqttUrl: string
  /** The port of the embedded broker. */
  mqttPort: number | null
  adminToken: string
}

export interface Cloud extends Running {
  ready: CloudReady
  /** Every route, with who may call it. */
  routes: readonly RouteOptions[]
}

/** Builds the cloud once its database and its broker answer, however long that takes. */
export function startCloudWhenReady(config: CloudConfig): Promise<Cloud> {
  const log = createLog('cloud', config.logLevel, logOutput(config.logStyle))
  const start = (beforeListen: () => Promise<void>) => startCloud(config, { beforeListen })
  return startWhenPeersAreThere(config, { start, clock: systemClock, log })
}

/** Parts that a test, or the program around it, replaces. */
export interface OwnParts {
  /** The hashing of passwords is expensive on purpose. */
  hashing?: Hashing | undefined
  /** Runs before the server listens: something else may have used its port until now. */
  beforeListen?(): Promise<void>
}

/** Builds the cloud from its settings. When a part fails to start, the parts before it are stopped again. */
export async function startCloud(config: CloudConfig, own: OwnParts = {}): Promise<Cloud> {
  const parts = new AsyncDisposableStack()
  try {
    return await build(config, own, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function build(
  config: CloudConfig,
  { hashing, beforeListen }: OwnParts,
  parts: AsyncDisposableStack,
): Promise<Cloud> {
  const clock = systemClock
  const recentLog = keepRecentLines(MAX_KEPT_LINES, logOutput(config.logStyle))
  const log = createLog('cloud', config.logLevel, recentLog.destination)
  const trace = await openTrace('cloud', config.traces, { clock, log })
  parts.defer(async () => trace?.close())
  const cloudId = newId('cloud')
  const { tls, trustedProxies } = config
  const connectionsRefused = { http: 0, mqtt: 0 }
  const countRefused = (server: keyof typeof connectionsRefused) => () => {
    connectionsRefused[server] += 1
  }
  const connections = { ...config.limits.httpConnections, onRefused: countRefused('http') }
  const app = createServer({ tls, trustedProxies, isOwnHost: createHostCheck(config), log, clock, connections, trace })
  const drain = createDrain(app, { clock, log })
  const baseUrl = createBaseUrl(app, config)

  await prepareFolder(config.folder)
  await refuseHalfRestored(config.folder)
  const { db, feed, restarts } = await openMigratedDatabase(config, { parts, clock, log, trace })
  const { id: instance } = await db.selectFrom('instance').select('id').executeTakeFirstOrThrow()
  const storage = { db, feed, clock, log }
  const { folder, adminToken: configuredAdminToken, activityKey: configuredKey, activitySink } = config
  const activity = await openActivity({ db, folder, configuredKey, clock, log })
  const refusals = openRefusals({ db, activity, clock, log })
  parts.defer(() => refusals.close())
  const secrets = { configuredAdminToken, configuredFactorKey: config.factorKey }
  const access = await openAccess({ ...storage, folder, ...secrets, activity, hashing, parts })
  const sites = await openSites(storage)
  const devices = await openDevices(storage)
  const callerUrl = createCallerUrl(app, config, baseUrl)
  const files = await openFiles(config, { parts, clock, baseUrl: callerUrl })

  const accounts = await openAccounts(config, { cloudId, devices, db, clock, log })
  parts.defer(async () => accounts?.close())
  const broker = await openBroker(config, { cloudId, db, devices, parts, onRefused: countRefused('mqtt'), clock, log })
  const { bus } = broker
  const findDevice = devices.get
  const quota = createOrganizationQuota({ bytesPerDay: config.limits.receivedBytesPerDay, clock, log })
  const intakeOf = (rowsPerMinute: number) => createIntake({ rowsPerMinute, quota, findDevice, clock })
  const [reportIntake, measurementIntake] = [intakeOf(REPORTS_PER_MINUTE), intakeOf(MEASUREMENTS_PER_MINUTE)]
  const reports = receiveReports({ db, activity, bus, findDevice, intake: reportIntake, log })
  parts.defer(() => reports.close())
  const telemetry = { db, bus, findDevice, intake: measurementIntake, clock, log }
  const { receiver: measurements, refused } = receiveMeasurements(telemetry)
  parts.defer(() => measurements.close())
  const broadcasts = createBroadcasts()
  const health = receiveHealth({ db, findDevice, clock, log })
  parts.defer(() => health.close())
  const measured: typeof measurements.receive = (deviceId, payload) => {
    health.measured(deviceId)
    measurements.receive(deviceId, payload)
  }
  const states = keepStates({ db, devices, clock, log })
  parts.defer(() => states.close())
  const receivers = { reports, measurements: { receive: measured }, broadcast: broadcasts, health, state: states }
  const { replyTimeoutMs } = config
  const connected = connectDevices({ bus, devices, receivers, clock, log, cloudId, replyTimeoutMs, trace })
  const link = rememberCancels(connected, { db, clock, log })
  parts.defer(async () => link.close())
  parts.defer(() => bus.leave())

  const { tasks, releases } = openDeviceTasks({ db, link, devices, activity, clock, log })
  parts.defer(() => tasks.close())
  const sendsMail = config.smtp !== undefined
  const { mailsPerHour } = config.limits
  const { presence } = link
  const evaluator = startEvaluator({
    ...storage,
    cloudId,
    devices,
    presence,
    bus,
    sendsMail,
    mailsPerHour,
    baseUrl,
    exports: exportTroubles,
  })
  parts.defer(() => evaluator.close())

  parts.defer(() => app.close())
  const publicOrigin = config.publicUrl && new URL(config.publicUrl).origin
  const routes = authorizeRoutes(app, {
    ...access,
    previousAdminToken: config.previousAdminToken,
    refusals,
    publicOrigin,
    findDevice,
    findSite: sites.get,
  })
  await describeApi(app, { help: HELP })
  const jobs = createJobStore(db, JOB_KINDS)
  registerOperation(app, {
    metrics: {
      devices: () => [...devices.ids()].length,
      alerts: () => countOpenAlerts(db),
      jobWait: jobs.longestWait,
      workWaits: () => workWaits(db, { sendsMail, tasks }),
      connectionsRefused: () => connectionsRefused,
      signInsRefused: () => access.passwords.refused,
      disk: () => diskOf(folder),
      devicesOnline: () => link.presence.onlineCount,
      reportsStored: () => reports.stored,
      measurementsStored: () => measurements.stored,
      measurementsRefused: () => refused,
      batchesHeld: () => ({ reports: reportIntake.held, measurements: measurementIntake.held }),
      compactionAge: () => compactionAge(db, clock),
      jobs: jobs.counts,
      ...(restarts && { databaseRestarts: restarts }),
      ...(broker.retainedCleared && { retainedCleared: broker.retainedCleared }),
      ...(accounts && { devicesWithoutAccount: () => accounts.missing }),
      ...(activitySink && { activityUnsent: () => countUnsentActivity(db, activitySink) }),
    },
    checks: {
      database: () => pingDatabase(db),
      changes: () => requireAnnounced(feed),
      broker: async () => requireReachable(bus, link),
      disk: () => checkFolder(folder),
      process: drain.check,
    },
    instance,
  })
  const streams = createEventStreams(app, { clock })
  feed.follow('access', { changed: streams.check, missed: () => streams.check() })
  const mailer = config.smtp && createAccountMailer()
  const outbound = openOutbound({ privateNetworks: config.webhookNetworks, clock })
  const { oidc } = config
  registerAccess(app, { db, access, activity, refusals, mailer, releases, oidc, outbound, clock, log, baseUrl })
  registerOrganizations(app, { db, sites, access, activity, clock, sendsMail })
  const brokerUrl = createBrokerUrl(broker, config)
  registerDevices(app, { db, devices, link, states, accounts, brokerUrl, activity, streams, clock, log })
  registerFleet(app, { db, link, tasks, isActiveKey: access.keys.isActive, activity, streams, recordEvent, clock, log })
  registerPortfolio(app, { db, isOnline: presence.isOnline, clock })
  registerReports(app, { db, activity, clock })
  registerActivity(app, { db, activity, clock })
  registerTelemetry(app, { db, broadcasts, findDevice, streams, clock })
  await registerFiles(app, { files, maxPackageBytes: config.limits.packageBytesPerOrganization, clock, log })
  registerUploads(app, { db, activity, files: files.store, quota: config.limits, clock })
  registerPackages(app, { db, activity, files: files.store, streams, quota: config.limits, clock })
  registerConversions(app, { db, activity, files: files.store, quota: config.limits, clock })
  const linkAlert: LinkAlert = (tx, alert, number, done) => createAlertWorkStore(tx).linkRequest(alert, number, done)
  registerRequests(app, { db, files: files.store, activity, linkAlert, clock, baseUrl })
  registerRequestCodes(app, { db, files: files.store, activity, clock, baseUrl })
  registerMail(app, { db, mailsPerHour, sendsMail, clock })
  registerAlerts(app, { db, activity, recentLog, devices, presence: link.presence, clock })
  await registerAutomaticExports(app, { db, activity, settings: config, outbound, clock })
  await registerWebhooks(app, { db, activity, settings: config, outbound, clock })
  await registerOpenadr(app, { db, activity, settings: config, outbound, feed, tasks, clock })
  await registerPush(app, { db, settings: config, outbound, clock })
  const secure = config.tls !== undefined || (config.publicUrl?.startsWith('https:') ?? false)
  await consoleRoutes(app, { folder: CONSOLE, uploadsTo: config.s3 && bucketOrigin(config.s3), secure, log })
  await helpRoutes(app, { folder: HELP, secure })

  const drainMs = config.drainS * 1000
  await beforeListen?.()
  const port = await listen(app, config)
  const certificate = tls ? tls.cert.toString() : null
  await writeLocalService(folder, { url: localUrl(config, port), instance, token: access.localToken, certificate })
  log.info({ url: baseUrl(), broker: broker.url }, 'ready')
  await logSetup(access, baseUrl(), log)
  for (const warning of exposureWarnings(config)) log.warn(warning)
  const ready = { baseUrl: baseUrl(), port, mqttUrl: broker.url, mqttPort: broker.port, adminToken: access.adminToken }
  return {
    routes,
    ready,
    stopLimitMs: drainMs + Math.max(STOP_LIMIT_MS, replyTimeoutMs + AFTER_REPLIES_MS),
    async stop(how) {
      if (how) await drain.run(drainMs, how.drain)
      await parts.disposeAsync()
    },
  }
}

async function logSetup({ users, setupToken }: AccessControl, baseUrl: string, log: Log): Promise<void> {
  if (await users.hasUsers()) return setupToken.forget()
  // Browsers do not send the part after #, so no log of a proxy contains the token.
  const url = `${baseUrl}/setup#${await setupToken.load()}`
  log.warn({ url }, 'no user exists yet: open this address to set up')
}
