import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog, logOutput } from '@plantroom/base/log'
import { openTrace } from '@plantroom/base/open-trace'
import type { Running } from '@plantroom/base/program'
import { programFile } from '@plantroom/base/program-file'
import type { CloudConfig } from '../config.ts'
import { alertAboutImport, closingComments } from '../control/alerts/index.ts'
import { lostShareDuty } from '../control/fleet/index.ts'
import { openadrWork } from '../control/openadr/index.ts'
import { measurementUpkeep } from '../control/telemetry/index.ts'
import { prepareFolder, refuseHalfRestored } from '../data-folder.ts'
import { automaticExportWork } from '../maintenance/automatic-exports/index.ts'
import { conversionSweep } from '../maintenance/conversions/index.ts'
import { exportSweep, JOB_KINDS, recordEnding, removeSamples } from '../maintenance/packages/index.ts'
import { commentByService } from '../maintenance/requests/index.ts'
import { uploadSweeps } from '../maintenance/uploads/index.ts'
import { activityDuty, openActivity } from '../organization/activity/index.ts'
import { removedSiteSweep } from '../organization/organizations/index.ts'
import { pushWork } from '../organization/push/index.ts'
import { recordEvent, webhookWork } from '../organization/webhooks/index.ts'
import { openFiles } from '../platform/files/index.ts'
import { startJobProcess, startWorker, WORKER_SETTINGS, type WorkerSettings } from '../platform/jobs/index.ts'
import { mailWork } from '../platform/mail/index.ts'
import { openOutbound } from '../platform/outbound/index.ts'
import { createLooks, startDuties, startWork, type WorkKind, type WorkTable } from '../platform/work/index.ts'
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

  const looks = createLooks({ db, clock })
  const work = { db, clock, log, feed, looks }
  const start = <Table extends WorkTable, Key extends string>(kind: WorkKind<Table, Key>) => {
    const running = startWork(work, kind)
    parts.defer(() => running.stop())
  }
  const files = await openFiles(config, { parts, clock, baseUrl: () => knownAddress(config) ?? '' })
  const outbound = openOutbound({ privateNetworks: config.webhookNetworks, clock })
  const activity = await openActivity({ db, folder: config.folder, configuredKey: config.activityKey, clock, log })
  const { exportsKept, packageBytesPerOrganization: maxPackageBytes, mailsPerHour } = config.limits
  if (config.smtp) start(await mailWork({ db, smtp: config.smtp, mailsPerHour, clock, log }))
  const sendsMail = config.smtp !== undefined
  const webhooks = await webhookWork({ db, activity, settings: config, outbound, sendsMail, clock, log })
  start(webhooks.kind)
  start(await pushWork({ db, settings: config, outbound, contact: knownAddress(config), clock, log }))
  const baseUrl = knownAddress(config)
  const openadr = await openadrWork({ db, settings: config, outbound, feed, activity, baseUrl, clock, log })
  parts.defer(() => openadr.close())
  start(openadr.kinds.polls)
  start(openadr.kinds.reports)
  start(openadr.kinds.checks)
  start(openadr.kinds.cleanups)
  const quota = config.limits.unfinishedJobs
  const exportDeps = { db, activity, files: files.store, settings: config, outbound, quota }
  const automaticExports = await automaticExportWork({ ...exportDeps, clock, log })
  start(automaticExports.kinds.deliveries)
  start(automaticExports.kinds.tests)
  const sweepDeps = { db, files: files.store, clock, log }
  const duties = await startDuties(work, [
    exportSweep({ ...sweepDeps, exportsKept }),
    ...uploadSweeps({ ...sweepDeps, maxPackageBytes, removeQuotes: removeSamples }),
    conversionSweep(sweepDeps),
    removedSiteSweep(sweepDeps),
    closingComments({ db, commentOnRequest: commentByService(clock) }),
    measurementUpkeep({ db, clock, log }),
    lostShareDuty({ db, recordEvent, clock }),
    webhooks.duty,
    ...automaticExports.duties,
    ...openadr.duties,
    ...(config.activitySink
      ? [activityDuty({ db, settings: config.activitySink, transport: outbound.operator, clock })]
      : []),
  ])
  parts.defer(() => duties.stop())
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
    looks,
    trace,
  })
  parts.defer(() => worker.stop())
  log.info('ready')
  return { ready: {}, stop: () => parts.disposeAsync() }
}
