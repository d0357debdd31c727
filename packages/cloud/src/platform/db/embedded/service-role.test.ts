import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Connection } from './layout.ts'
import { connectionOfService } from './service-role.ts'
import { folderWithData, query, start } from './testing/servers.ts'

async function migrateAs(connection: Connection): Promise<void> {
  const db = openDatabase(connection, createLog('test', 'silent'))
  await migrate(db).finally(() => db.destroy())
}

describe('the role of the service', () => {
  test('is no superuser: it reads no files and runs no programs, but migrates the database', async () => {
    const { connection } = await start(await folderWithData())
    const [service] = await Promise.all([1, 2, 3].map(() => connectionOfService(connection)))
    if (!service) throw new Error('no connection')
    expect(
      await query(
        service,
        'SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = current_user',
      ),
    ).toEqual([false])
    await expect(query(service, "COPY (SELECT 1) TO PROGRAM 'cat'")).rejects.toThrow(/permission denied/)
    await expect(query(service, "SELECT pg_read_file('PG_VERSION')")).rejects.toThrow(/permission denied/)
    await migrateAs(service)
    expect(await query(service, 'SELECT count(*)::int FROM organization')).toEqual([0])
  })

  test('takes over everything of a database that an earlier version filled as superuser', async () => {
    const { connection } = await start(await folderWithData())
    await migrateAs(connection)
    await query(connection, "INSERT INTO organization (id, name) VALUES ('org', 'Organization')")
    for (const statement of [
      'CREATE SCHEMA pgboss',
      'CREATE TABLE pgboss.queue (id serial)',
      "CREATE TYPE pgboss.state AS ENUM ('a')",
      'CREATE SEQUENCE pgboss.alone',
      'CREATE VIEW pgboss.seen AS SELECT 1 AS one',
    ]) {
      await query(connection, statement)
    }
    const service = await connectionOfService(connection)
    await query(service, "UPDATE organization SET name = 'Renamed'")
    await query(service, 'ALTER TABLE organization ADD COLUMN note text')
    await query(service, 'DROP SCHEMA pgboss CASCADE')
    await migrateAs(service)
    const others = `
      SELECT count(*)::int FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'public' AND relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)`
    expect(await query(service, others)).toEqual([0])
    // Again, as every start does.
    expect(await connectionOfService(connection)).toEqual(service)
  })
})
