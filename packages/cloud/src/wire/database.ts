import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { CloudConfig } from '../config.ts'
import { takeFolder } from '../data-folder.ts'
import { type ChangeFeed, openChangeFeed } from '../db/change-feed.ts'
import { type DatabaseAddress, type Db, openDatabase } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded/start.ts'
import { migrate } from '../db/migrate.ts'

interface Deps {
  parts: AsyncDisposableStack
  clock: Clock
  log: Log
}

/** Opens the configured database, or starts the embedded one, and migrates it to this version. */
export async function openMigratedDatabase(config: CloudConfig, deps: Deps): Promise<{ db: Db; feed: ChangeFeed }> {
  const { parts, clock, log } = deps
  const address = await databaseAddress(config, deps)
  const db = openDatabase(address, log)
  parts.defer(() => db.destroy())
  await migrate(db).catch((error: Error) => {
    if (error instanceof Failure || !config.databaseUrl) throw error
    throw new Failure('unavailable', `the database at DATABASE_URL cannot be used: ${error.message || String(error)}`)
  })
  const feed = await openChangeFeed({ address, clock, log })
  parts.defer(() => feed.close())
  return { db, feed }
}

async function databaseAddress(config: CloudConfig, { parts, clock, log }: Deps): Promise<DatabaseAddress> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  parts.defer(takeFolder(config.folder))
  const postgres = await startEmbeddedPostgres({ folder: join(config.folder, 'postgres'), clock, log })
  parts.defer(() => postgres.stop())
  return postgres.connection
}
