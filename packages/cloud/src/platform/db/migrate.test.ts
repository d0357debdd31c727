import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type DatabaseAddress, type Db, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const log = createLog('test', 'silent')

async function createEmptyDatabase(): Promise<DatabaseAddress> {
  const { host, port, user } = inject('postgres')
  const database = newId('empty')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  return { host, port, user, database }
}

function open(address: DatabaseAddress): Db {
  const db = openDatabase(address, log)
  onTestFinished(() => db.destroy())
  return db
}

async function rows(db: Db, query: string): Promise<unknown[]> {
  return (await sql.raw(query).execute(db)).rows
}

const tables = (db: Db) => rows(db, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
const names = (db: Db) => rows(db, 'SELECT name FROM kysely_migration ORDER BY timestamp, name')
const done = (db: Db) => rows(db, 'SELECT name, timestamp FROM kysely_migration ORDER BY name')

describe('migrating an empty database', () => {
  test('creates the tables', async () => {
    const db = open(await createEmptyDatabase())
    await migrate(db)
    expect(await tables(db)).toContainEqual({ tablename: 'device' })
    expect(await rows(db, 'SELECT count(*)::int AS count FROM organization')).toEqual([{ count: 0 }])
  })

  test('creates the tables once when several processes start together', async () => {
    const address = await createEmptyDatabase()
    const processes = Array.from({ length: 4 }, () => open(address))
    await Promise.all(processes.map((db) => migrate(db)))
    const [db] = processes as [Db, ...Db[]]
    const alone = open(await createEmptyDatabase())
    await migrate(alone)
    expect(await names(db)).toEqual(await names(alone))
  })
})

describe('migrating a current database', () => {
  test('changes nothing', async () => {
    const db = open(await createEmptyDatabase())
    await migrate(db)
    await sql`INSERT INTO organization (id, name) VALUES ('org', 'Organization')`.execute(db)
    const before = [await tables(db), await done(db)]
    await migrate(db)
    expect([await tables(db), await done(db)]).toEqual(before)
    expect(await rows(db, 'SELECT id FROM organization')).toEqual([{ id: 'org' }])
  })
})

describe('a database that cannot be migrated', () => {
  test('is refused with a remedy, and unchanged, when a newer version wrote it', async () => {
    const db = open(await createEmptyDatabase())
    await migrate(db)
    await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', now()::text)`.execute(db)
    const before = await tables(db)
    const failure = await migrate(db).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.kind).toBe('unavailable')
    expect(failure.message).toBe(
      'the database was written by a newer Plantroom (it has 9999-from-the-future): start that version, or restore a backup from before it',
    )
    expect(await tables(db)).toEqual(before)
  })

  test('is unchanged after a failed migration', async () => {
    const db = open(await createEmptyDatabase())
    // One of the last tables: the others are created before it.
    await sql`CREATE TABLE membership (id int)`.execute(db)
    await expect(migrate(db)).rejects.toThrow('relation "membership" already exists')
    expect(await tables(db)).not.toContainEqual({ tablename: 'organization' })
    expect(await done(db)).toEqual([])
    await sql`DROP TABLE membership`.execute(db)
    await migrate(db)
    expect(await done(db)).not.toEqual([])
  })
})
