import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Trace } from '@plantroom/base/trace'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { takeFolder } from '../data-folder.ts'
import { type ChangeFeed, openChangeFeed } from '../platform/db/change-feed.ts'
import { type DatabaseAddress, type Db, openDatabase } from '../platform/db/database.ts'
import { awaitEmbeddedPostgres } from '../platform/db/embedded/find-server.ts'
import { keepEmbeddedPostgres } from '../platform/db/embedded/keep-running.ts'
import { connectionOfService } from '../platform/db/embedded/service-role.ts'
import { migrate } from '../platform/db/migrate.ts'

/**
 * Ends the transactions of frozen workers and jobs, whose locks would keep others from taking over. Short enough for a takeover
 * within a minute.
 */
const IDLE_IN_TRANSACTION_MS = 20_000

interface Deps {
  parts: AsyncDisposableStack
  clock: Clock
  log: Log
  trace?: Trace | undefined
}

interface OpenDatabase {
  db: Db
  feed: ChangeFeed
  /** How often the embedded server died and was started again; undefined for a configured database. */
  restarts: (() => number) | undefined
}

/** Opens the configured database, or starts the embedded one, and migrates it to this version. */
export async function openMigratedDatabase(config: CloudConfig, deps: Deps): Promise<OpenDatabase> {
  const { parts, clock, log } = deps
  const { address, restarts } = await startDatabase(config, deps)
  // Migrations of large tables take longer than any request.
  const untimed = openDatabase(address, log)
  await migrateDatabase(config, untimed).finally(() => untimed.destroy())
  const { statementMs, lockMs } = config.limits
  const db = openDatabase(address, log, { statementMs, lockMs, trace: deps.trace })
  parts.defer(() => db.destroy())
  const feed = await openFeed(config, { address, db, clock, log })
  parts.defer(() => feed.close())
  return { db, feed, restarts }
}

/** Listens for changes, at `PLANTROOM_LISTEN_URL` if it is set. */
export function openFeed(
  config: Pick<CloudConfig, 'listenUrl'>,
  deps: { address: DatabaseAddress; db: Db; clock: Clock; log: Log },
): Promise<ChangeFeed> {
  const address = config.listenUrl ? { connectionString: config.listenUrl } : deps.address
  return openChangeFeed({ ...deps, address }).catch((error: Error) => {
    if (!config.listenUrl) throw error
    throw new Failure('unavailable', `the database at PLANTROOM_LISTEN_URL cannot be used: ${error.message}`)
  })
}

/** Rejects with the reason while changes of other processes may go unnoticed. */
export async function requireAnnounced(feed: ChangeFeed): Promise<void> {
  if (feed.doubt !== undefined) throw new Error(feed.doubt)
}

async function startDatabase(
  config: CloudConfig,
  { parts, clock, log }: Deps,
): Promise<Pick<OpenDatabase, 'restarts'> & { address: DatabaseAddress }> {
  if (config.databaseUrl) return { address: { connectionString: config.databaseUrl }, restarts: undefined }
  parts.defer(takeFolder(config.folder))
  const postgres = await keepEmbeddedPostgres({ folder: join(config.folder, 'postgres'), clock, log })
  parts.defer(() => postgres.stop())
  return { address: await connectionOfService(postgres.connection), restarts: () => postgres.restarts }
}

/** Returns the address of the database. Waits for the embedded one, which the cloud starts; undefined when aborted. */
export async function awaitDatabase(
  config: CloudConfig,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<DatabaseAddress | undefined> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  const connection = await awaitEmbeddedPostgres({ folder: join(config.folder, 'postgres'), clock, log, signal })
  return connection && connectionOfService(connection)
}

/** Opens the database for a worker or a job process. */
export function openJobDatabase(address: DatabaseAddress, log: Log, trace?: Trace): Db {
  return openDatabase(address, log, { idleInTransactionMs: IDLE_IN_TRANSACTION_MS, trace })
}

/** Migrates the database to this version. Rejects with a `Failure` when the configured one cannot be used. */
export async function migrateDatabase(config: CloudConfig, db: Db): Promise<void> {
  await migrate(db).catch((error: Error) => {
    if (error instanceof Failure || !config.databaseUrl) throw error
    const failure = new Failure('unavailable', `the database at DATABASE_URL cannot be used: ${reasonOf(error)}`)
    throw Object.assign(failure, { cause: error })
  })
}

/** PgBouncer refuses parameters that it does not know, and does not say what to do. */
function reasonOf(error: Error): string {
  const reason = error.message || String(error)
  if (!/unsupported startup parameter/.test(reason)) return reason
  return `${reason}; let PgBouncer ignore it with ignore_startup_parameters, see docs/reference/settings.md`
}
