import { Failure } from '@plantroom/contract/failure'
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import type { DatabaseAddress } from '../database.ts'
import { migrate, OWN_OBJECTS, requireUtf8 } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { connect } from './connect.ts'
import { copyIn } from './copy-protocol.ts'
import { type TableColumns, target } from './snapshot.ts'

interface LoadOptions {
  /** The migrations that made the tables of the source. */
  migrations: readonly string[]
  /** Replaces data that is already there. */
  replace: boolean
}

/** Takes the contents of a snapshot. */
export interface LoadTarget {
  /** Adds rows in COPY's text format; resolves with their number. */
  table(table: TableColumns, rows: AsyncIterable<Uint8Array>): Promise<number>
  sequences(values: Readonly<Record<string, string>>): Promise<void>
}

/**
 * Fills a database in one transaction: creates the tables as the source had them, lets `fill` add the contents, checks
 * every reference between tables, and migrates to this version. A failure or a kill before `beforeCommit` leaves the
 * database as it was. After it, the database may have everything.
 */
export async function loadDatabase(
  address: DatabaseAddress,
  options: LoadOptions,
  fill: (target: LoadTarget) => Promise<void>,
  beforeCommit = async () => {},
): Promise<void> {
  const client = await connect(address, 'plantroom restore')
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: poolOf(client) }) })
  try {
    await db.transaction().execute(async (tx) => {
      await sql`SET LOCAL statement_timeout = 0`.execute(tx)
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
      await requireUtf8(tx)
      await refuseUsers(tx)
      if (!options.replace) await refuseData(tx)
      await dropOwn(tx)
      await migrate(tx, options.migrations.at(-1))
      const references = await dropReferences(tx)
      await withoutTriggers(tx, () => fill(targetOf(client)))
      for (const { table, name, definition } of references) {
        await sql.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`).execute(tx)
      }
      await migrate(tx)
      await beforeCommit()
    })
    // A new database has no statistics, and the first lists would be slow. It gets them later if this fails.
    await client.query('ANALYZE').catch(() => {})
  } finally {
    await client.end().catch(() => {})
  }
}

function targetOf(client: pg.Client): LoadTarget {
  return {
    table: (table, rows) => copyIn(client, `COPY ${target(table)} FROM STDIN`, rows),
    async sequences(values) {
      for (const [name, value] of Object.entries(values)) {
        await client.query('SELECT setval($1::regclass, $2::bigint, true)', [pg.escapeIdentifier(name), value])
      }
    },
  }
}

/** A pool of the one connection: COPY and the migrations belong to the same transaction. */
function poolOf(client: pg.Client): PostgresPool {
  const lent = { query: client.query.bind(client), release() {} } as pg.PoolClient
  return { options: {}, connect: async () => lent, end: async () => {} }
}

/** Refuses a database that a cloud or a worker uses: they keep much of it in memory. */
async function refuseUsers(tx: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'plantroom'`.execute(tx)
  if (rows[0]?.count) {
    throw new Failure(
      'conflict',
      `${rows[0].count} connections of a running Plantroom use the database: stop every cloud and worker, then restore again`,
    )
  }
}

async function refuseData(tx: Kysely<Schema>): Promise<void> {
  for (const name of ['organization', 'user_account']) {
    const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS exists`.execute(tx)
    if (!rows[0]?.exists) continue
    const { rows: found } = await sql`SELECT FROM ${sql.table(name)} LIMIT 1`.execute(tx)
    if (found.length === 0) continue
    throw new Failure(
      'conflict',
      'the database already contains data: restore into an empty one, or add --replace to delete what it contains',
    )
  }
}

async function dropOwn(tx: Kysely<Schema>): Promise<void> {
  const { tables, sequences, functions } = OWN_OBJECTS
  const names = (list: readonly string[]) => list.map(pg.escapeIdentifier).join(', ')
  await sql`SET LOCAL client_min_messages = warning`.execute(tx)
  const bookkeeping = ['kysely_migration', 'kysely_migration_lock']
  await sql.raw(`DROP TABLE IF EXISTS ${names([...tables, ...bookkeeping])} CASCADE`).execute(tx)
  await sql.raw(`DROP SEQUENCE IF EXISTS ${names(sequences)} CASCADE`).execute(tx)
  await sql.raw(`DROP FUNCTION IF EXISTS ${names(functions)} CASCADE`).execute(tx)
}

interface Reference {
  table: string
  name: string
  definition: string
}

/** Drops the references between tables, so that the order of the tables does not matter. */
async function dropReferences(tx: Kysely<Schema>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    ORDER BY 1, 2`.execute(tx)
  for (const { table, name } of rows) await sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`).execute(tx)
  return rows
}

/** Runs `work` on empty tables without their triggers, which would derive again what the source already has. */
async function withoutTriggers(tx: Kysely<Schema>, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    SELECT oid::regclass::text AS table FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
      AND relname = ANY(${[...OWN_OBJECTS.tables]}::text[])`.execute(tx)
  const tables = rows.map(({ table }) => table)
  for (const table of tables) await sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`).execute(tx)
  // Some migrations add rows.
  await sql.raw(`TRUNCATE ${tables.join(', ')}`).execute(tx)
  await work()
  for (const table of tables) await sql.raw(`ALTER TABLE ${table} ENABLE TRIGGER USER`).execute(tx)
}
