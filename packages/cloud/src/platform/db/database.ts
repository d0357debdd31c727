import { uncorrelated } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'
import type { Trace } from '@plantroom/base/trace'
import type { Failure } from '@plantroom/contract/failure'
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import { createConnectionTurns } from './connection-turns.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** The address of the database, for pools and for listening connections. */
export type DatabaseAddress = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>

export interface DatabaseOptions {
  /** Ends a transaction, and releases its locks, after this long without a query. Never by default. */
  idleInTransactionMs?: number
  /** Ends a statement that takes longer. Never by default. */
  statementMs?: number
  /** Ends a statement that waits longer for a lock. Never by default. */
  lockMs?: number
  trace?: Trace | undefined
}

const CONNECTIONS = 20
const CONNECT_MS = 10_000

export function openDatabase(address: DatabaseAddress, log: Log, options: DatabaseOptions = {}): Db {
  const pool = new pg.Pool({
    ...address,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'plantroom',
    idle_in_transaction_session_timeout: options.idleInTransactionMs,
    statement_timeout: options.statementMs,
    lock_timeout: options.lockMs,
  })
  // Without these listeners, a connection dropped by the server would end the process. The pool reports idle ones; a
  // connection in use (say by a transaction that waits for a device) only reports itself.
  pool.on('error', (error) => {
    // The embedded server ends together with this process, often before it has read that a connection is closed.
    if (!pool.ending) log.warn({ error: error.message }, 'lost an idle database connection')
  })
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ error: error.message }, 'lost a database connection')),
  )
  const dialect = new PostgresDialect({ pool: shared(pool) })
  return new Kysely<Schema>({ dialect, ...(options.trace && { log: recordQueries(options.trace) }) })
}

/** Records a span for each statement. Statements have placeholders, so no values get into a trace. */
function recordQueries(trace: Trace): (event: LogEvent) => void {
  return (event) => {
    const text = event.query.sql
    const [operation = 'query'] = text.trimStart().split(/\s/, 1)
    const span = trace.start({
      name: operation.toLowerCase(),
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
      startedMsAgo: event.queryDurationMillis,
    })
    span.end(event.level === 'error' ? { error: event.error instanceof Error ? event.error.message : 'failed' } : {})
  }
}

/** The database cannot be reached. Its `cause` says why. */
class Unreachable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'Unreachable'
  }
}

/**
 * Shares the connections among organizations, and marks failed ones: without this, a refused connection of the database
 * looks like one of any other peer.
 */
function shared(pool: pg.Pool): PostgresPool {
  const take = createConnectionTurns({ max: CONNECTIONS, timeoutMs: CONNECT_MS })
  // A connection outlives the request that happens to open it.
  const connect = () => uncorrelated(() => pool.connect())
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: () =>
      take(connect).catch((error: unknown) => {
        throw new Unreachable(error)
      }),
  }
}

/** Runs work in the transaction that `db` already is, or in a new one. */
export function inTransaction<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

/** Rejects when the database does not answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db)
}

/** Runs a write and turns violations of constraints that callers can cause into failures with a remedy. */
export async function explainConflicts<Result>(
  write: Promise<Result>,
  explanations: Readonly<Record<string, Failure>>,
): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw explanations[brokenConstraint(error) ?? ''] ?? error
  }
}

const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'

/** True when the database ended a statement because it took or waited too long, or had no connection to spare. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === QUERY_CANCELED || error.code === LOCK_NOT_AVAILABLE
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** The server is stopping, starting, recovering or has no connection left. */
const NOT_SERVING = /^(57P0[1-5]|53300|08\w{3})$/
/** The messages of `pg` for a connection that ended; they have no code. */
const CONNECTION_LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed)/

/** True when the database cannot be reached, or the connection was lost before the answer. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return NOT_SERVING.test(error.code ?? '')
  if (error instanceof Unreachable) return !isTimeout(error)
  return error instanceof Error && CONNECTION_LOST.test(error.message)
}

/** The name of the constraint that a statement violated; `undefined` for any other error. */
function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}
