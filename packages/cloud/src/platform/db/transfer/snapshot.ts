import { Failure } from '@plantroom/contract/failure'
import pg from 'pg'
import type { DatabaseAddress } from '../database.ts'
import { OWN_OBJECTS, unknownMigrations } from '../migrate.ts'
import { connect } from './connect.ts'
import { copyOut } from './copy-protocol.ts'

/** The part of a table's rows that is in memory at a time. */
const PART_BYTES = 4 * 1024 * 1024

export interface TableColumns {
  name: string
  columns: string[]
}

/** The database at one moment, in a form that every version of PostgreSQL reads. */
export interface Snapshot {
  readonly serverVersion: string
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableColumns[]
  /** The last value of each sequence that was used. */
  sequences(): Promise<Record<string, string>>
  /** Yields the rows in COPY's text format and returns their number. Read one table at a time. */
  read(table: TableColumns): AsyncGenerator<Buffer, number>
  close(): Promise<void>
}

/** Opens a snapshot. What others write later is not in it, and they never wait for it. */
export async function openSnapshot(address: DatabaseAddress): Promise<Snapshot> {
  const client = await connect(address, 'plantroom backup')
  try {
    return await snapshotOf(client)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Independent of the settings of server and role. */
const BEGIN = `
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL statement_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0;
SET LOCAL TimeZone = 'UTC';
SET LOCAL DateStyle = 'ISO';
SET LOCAL IntervalStyle = 'postgres';
SET LOCAL bytea_output = 'hex';
SET LOCAL extra_float_digits = 1`

async function snapshotOf(client: pg.Client): Promise<Snapshot> {
  await client.query(BEGIN)
  const { rows: version } = await client.query<{ server_version: string }>('SHOW server_version')
  const migrations = await migrationsOf(client)
  const tables = await tablesOf(client)
  // A migration that started now would otherwise drop a table before it is read.
  await client.query(
    `LOCK TABLE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')} IN ACCESS SHARE MODE`,
  )
  return {
    serverVersion: version[0]?.server_version ?? '',
    migrations,
    tables,
    async sequences() {
      const { rows } = await client.query<{ name: string; value: string }>(
        `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
         WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
      )
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    read: (table) => copyOut(client, `COPY ${target(table)} TO STDOUT`, PART_BYTES),
    close: () => client.end(),
  }
}

/** A table with its columns, as COPY names them. */
export function target({ name, columns }: TableColumns): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`
}

async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('kysely_migration') IS NOT NULL AS exists`,
  )
  if (!found[0]?.exists)
    throw new Failure('unavailable', 'the database has no data of Plantroom: there is nothing to back up')
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name COLLATE "C"')
  const names = rows.map(({ name }) => name)
  const unknown = unknownMigrations(names)
  if (unknown.length > 0) {
    throw new Failure(
      'unavailable',
      `the database was written by a newer Plantroom (it has ${unknown.join(', ')}): back it up with that version`,
    )
  }
  return names
}

/** Our tables, without those of other programs, with the columns that are stored and not derived. */
async function tablesOf(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY relname ORDER BY relname COLLATE "C"`,
  )
  return rows.filter(({ name }) => OWN_OBJECTS.tables.includes(name))
}
