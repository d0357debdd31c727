import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/start.ts'
import { migrate } from '../platform/db/migrate.ts'

export interface TestServer {
  host: string
  port: number
  user: string
  /** The migrated database that every test copies. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
  }
}

/** Starts one real server for all tests, so that a database per test takes only milliseconds. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-test-'))
  const log = createLog('test', 'error')
  const postgres = await startEmbeddedPostgres({ folder, clock: systemClock, log })
  const db = openDatabase(postgres.connection, log)
  await migrate(db)
  // With hundreds of databases, the server would begin to clean one of them several times a second.
  await sql`ALTER SYSTEM SET autovacuum = off`.execute(db)
  await sql`SELECT pg_reload_conf()`.execute(db)
  await db.destroy()
  const { host, port, user, database } = postgres.connection
  project.provide('postgres', { host, port, user, template: database })
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
