import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog, logOutput } from '@plantroom/base/log'
import { openTrace } from '@plantroom/base/open-trace'
import type { Running } from '@plantroom/base/program'
import { programFile } from '@plantroom/base/program-file'
import type { CloudConfig } from '../config.ts'
import { alertAboutImport } from '../control/alerts/index.ts'
import { startMeasurementUpkeep } from '../control/telemetry/index.ts'
import { prepareFolder, refuseHalfRestored } from '../data-folder.ts'
import { startAutomaticExports } from '../maintenance/automatic-exports/index.ts'
import { startConversionSweeps } from '../maintenance/conversions/index.ts'
import { JOB_KINDS, recordEnding, startSweeps } from '../maintenance/packages/index.ts'
import { openActivity, sendActivity } from '../organization/activity/index.ts'
import { startWebhookDelivery } from '../organization/webhooks/index.ts'
import { openFiles } from '../platform/files/index.ts'
import { startJobProcess, startWorker, WORKER_SETTINGS, type WorkerSettings } from '../platform/jobs/index.ts'
import { startMailDelivery } from '../platform/mail/index.ts'
import { openOutbound } from '../platform/outbound/index.ts'
import { knownAddress } from './address.ts'
import { awaitDatabase, migrateDatabase, openFeed, openJobDatabase } from './database.ts'

/** Leaves room below 300 MB for memory outside the heap: buffers, stacks, Node itself. */
const HEAP_MB = 192
const RETRY_HEAP_MB = 512

interface WorkerParts {
  /** Program of a job process. */
  jobProgram: string
  settings: WorkerSettings
}

const OWN_PARTS: WorkerParts = {
  jobProgram: programFile(join(import.meta.dirname, '../run-job.ts')),
  settings: WORKER_SETTINGS,
}

/** Starts a worker with the settings of its cloud. */
export async function startWorkerProcess(
  config: CloudConfig,
  signal: AbortSignal,
  own: WorkerParts = OWN_PARTS,
): Promise<Running> {
  const parts = new AsyncDisposableStack()
  try {
    return await build(config, parts, signal, own)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function build(
  config: CloudConfig,
  parts: AsyncDisposableStack,
  signal: AbortSignal,
  { jobProgram, settings }: WorkerParts,
): Promise<Running> {
  const clock = systemClock
  const output = logOutput(config.logStyle)
  const log = createLog('worker', config.logLevel, output)
  const trace = await openTrace('worker', config.traces, { clock, log })
  parts.defer(async () => trace?.close())
  await prepareFolder(config.folder)
  await refuseHalfRestored(config.folder)
  const address = await awaitDatabase(config, { clock, log, signal })
  if (!address) return { ready: {}, stop: async () => {} }
  const db = openJobDatabase(address, log, trace)
  parts.defer(() => db.destroy())
  await migrateDatabase(config, db)
  const feed = await openFeed(config, { address, db, clock, log })
  parts.defer(() => feed.close())

  if (config.smtp) {
    const delivery = await startMailDelivery({
      db,
      smtp: config.smtp,
      mailsPerHour: config.limits.mailsPerHour,
      clock,
      log,
    })
    parts.defer(() => delivery.stop())
  }
  const files = await openFiles(config, { parts, clock, baseUrl: () => knownAddress(config) ?? '' })
  const { exportsKept, packageBytesPerOrganization: maxPackageBytes } = config.limits
  parts.defer(startSweeps({ db, files: files.store, clock, log, exportsKept, maxPackageBytes }))
  parts.defer(startConversionSweeps({ db, files: files.store, clock, log }))
  parts.defer(startMeasurementUpkeep({ db, clock, log }))
  const outbound = openOutbound({ privateNetworks: config.webhookNetworks, clock })
  const activity = await openActivity({ db, folder: config.folder, configuredKey: config.activityKey, clock, log })
  if (config.activitySink) {
    const sending = sendActivity({ db, settings: config.activitySink, transport: outbound.operator, clock, log })
    parts.defer(() => sending.stop())
  }
  const sendsMail = config.smtp !== undefined
  const webhooks = await startWebhookDelivery({ db, activity, settings: config, outbound, sendsMail, clock, log })
  parts.defer(() => webhooks.stop())
  const quota = config.limits.unfinishedJobs
  const exportDeps = { db, activity, files: files.store, settings: config, outbound, quota }
  const automaticExports = await startAutomaticExports({ ...exportDeps, clock, log })
  parts.defer(() => automaticExports.stop())
  const kinds = JOB_KINDS
  const process = {
    program: jobProgram,
    heapMb: HEAP_MB,
    retryHeapMb: RETRY_HEAP_MB,
    kinds,
    output,
    environment: config.environment,
  }
  const worker = startWorker({
    db,
    kinds,
    feed,
    retryDelayS: config.retryDelayS,
    async onResolved(tx, job, verdict) {
      await alertAboutImport(tx, job, verdict, clock)
      await recordEnding(activity, tx, job, verdict)
    },
    startProcess: (job) => startJobProcess(job, process, clock),
    clock,
    log,
    settings,
    trace,
  })
  parts.defer(() => worker.stop())
  log.info('ready')
  return { ready: {}, stop: () => parts.disposeAsync() }
}
