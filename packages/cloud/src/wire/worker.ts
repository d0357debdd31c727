import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog, type Log } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { prepareFolder } from '../data-folder.ts'
import { openChangeFeed } from '../db/change-feed.ts'
import { type DatabaseAddress, type Db, openDatabase } from '../db/database.ts'
import { awaitEmbeddedPostgres } from '../db/embedded/find-server.ts'
import { migrate } from '../db/migrate.ts'
import { openFiles } from '../files/index.ts'
import { startJobProcess, startWorker, WORKER_SETTINGS, type WorkerSettings } from '../jobs/index.ts'
import { startMailDelivery } from '../mail/index.ts'
import { createExportSweepStore, JOB_KINDS, startExportSweep } from '../packages/index.ts'

/** Leaves room below 300 MB for memory outside the heap: buffers, stacks, Node itself. */
const HEAP_MB = 192
const RETRY_HEAP_MB = 512
/**
 * Ends the transactions of frozen workers and jobs, whose locks would keep others from taking over. Short enough for a takeover
 * within a minute.
 */
export const IDLE_IN_TRANSACTION_MS = 20_000

export interface WorkerParts {
  /** Program of a job process. */
  jobProgram: string
  settings: WorkerSettings
}

const OWN_PARTS: WorkerParts = { jobProgram: join(import.meta.dirname, '../run-job.ts'), settings: WORKER_SETTINGS }

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
  const log = createLog('worker', config.logLevel)
  await prepareFolder(config.folder)
  const address = await databaseAddress(config, log, signal)
  if (!address) return { ready: {}, stop: async () => {} }
  const db = await openMigrated(config, address, log)
  parts.defer(() => db.destroy())
  const feed = await openChangeFeed({ address, clock, log })
  parts.defer(() => feed.close())

  if (config.smtp) {
    const delivery = await startMailDelivery({ db, smtp: config.smtp, clock, log })
    parts.defer(() => delivery.stop())
  }
  const files = await openFiles(config, { parts, clock, baseUrl: () => config.publicUrl ?? '' })
  parts.defer(startExportSweep({ store: createExportSweepStore(db), files: files.store, clock, log }))
  const kinds = JOB_KINDS
  const process = { program: jobProgram, heapMb: HEAP_MB, retryHeapMb: RETRY_HEAP_MB, kinds }
  const worker = startWorker({
    db,
    kinds,
    feed,
    retryDelayS: config.retryDelayS,
    startProcess: (job) => startJobProcess(job, process, clock),
    clock,
    log,
    settings,
  })
  parts.defer(() => worker.stop())
  log.info('ready')
  return { ready: {}, stop: () => parts.disposeAsync() }
}

/** Returns the address of the database. Waits for the embedded one, which the cloud starts; undefined when aborted. */
export async function databaseAddress(
  config: CloudConfig,
  log: Log,
  signal: AbortSignal,
): Promise<DatabaseAddress | undefined> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  return awaitEmbeddedPostgres({ folder: join(config.folder, 'postgres'), clock: systemClock, log, signal })
}

async function openMigrated(config: CloudConfig, address: DatabaseAddress, log: Log): Promise<Db> {
  const db = openDatabase(address, log, { idleInTransactionMs: IDLE_IN_TRANSACTION_MS })
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    if (error instanceof Failure || !config.databaseUrl) throw error
    throw new Failure('unavailable', `the database at DATABASE_URL cannot be used: ${(error as Error).message}`)
  }
}
