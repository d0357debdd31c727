import type { Log } from '@plantroom/base/log'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** Where the database is: what both a pool and a listening connection are made from. */
export type DatabaseAddress = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>

export interface DatabaseOptions {
  /** A transaction in which nothing has been asked for so long is ended, and its locks with it. Without: never. */
  idleInTransactionMs?: number
}

export function openDatabase(address: DatabaseAddress, log: Log, options: DatabaseOptions = {}): Db {
  const pool = new pg.Pool({
    ...address,
    max: 20,
    connectionTimeoutMillis: 10_000,
    application_name: 'plantroom',
    idle_in_transaction_session_timeout: options.idleInTransactionMs,
  })
  // Without a listener, a connection that the server drops would end the process: of an idle one the pool tells, of one
  // that is in use (say by a transaction that waits for a device) only the connection itself does.
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection was lost'))
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ error: error.message }, 'a database connection was lost')),
  )
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** The name of the constraint that a statement broke, if that is what went wrong. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}
