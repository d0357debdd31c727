import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as siteTimeZone } from './0002-site-time-zone.ts'
import { sql as reports } from './0003-reports.ts'
import { sql as measurements } from './0004-measurements.ts'
import { sql as maintenanceRequests } from './0005-maintenance-requests.ts'
import { sql as peopleWhoSignIn } from './0006-people-who-sign-in.ts'
import { sql as jobQueue } from './0007-job-queue.ts'
import { sql as fairShares } from './0010-fair-shares.ts'
import { sql as activity } from './0012-activity.ts'
import { sql as jobOptions } from './0030-job-options.ts'

const EARLIER = [organizations, siteTimeZone, reports, measurements, maintenanceRequests, peopleWhoSignIn]

/** Opens a database of the version that used pg-boss. */
async function openEarlierDatabase() {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const text of EARLIER) await sql.raw(text).execute(db)
  await sql
    .raw(`
    CREATE SCHEMA pgboss;
    CREATE TABLE pgboss.job (id text);
    INSERT INTO organization (id, name) VALUES ('org', 'Organization');
    INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site');
    INSERT INTO api_key (id, organization_id, name, secret_hash, permissions, all_sites) VALUES
      ('key', 'org', 'Partner', decode(repeat('00', 32), 'hex'), '{ticket:read_write}', true);
    INSERT INTO job (id, organization_id, site_id, name, max_attempts, filename, status, resolved, retry_count, key_id) VALUES
      ('done', 'org', 'site', 'TICKET_IMPORT', 3, 'a.fpl', 'SUCCESS', true, 1, 'key');
    INSERT INTO job (id, organization_id, site_id, name, max_attempts, filename, status, resolved, retry_count) VALUES
      ('running', 'org', 'site', 'TICKET_IMPORT', 3, 'b.fpl', 'RUNNING', false, 3),
      ('failed', 'org', 'site', 'TICKET_IMPORT', 3, 'c.fpl', 'ERROR', false, 1),
      ('scheduled', 'org', 'site', 'TICKET_IMPORT', 3, 'd.fpl', 'SCHEDULED', false, 0)`)
    .execute(db)
  return db
}

test('unresolved jobs of the previous version are due, in order, and the old queue is dropped', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(jobQueue).execute(db)
  await sql.raw(fairShares).execute(db)
  await sql.raw(activity).execute(db)
  await sql.raw(jobOptions).execute(db)
  const { rows: due } = await sql<{ id: string; attempts: number }>`
    SELECT id, retry_count AS attempts FROM job
    WHERE NOT resolved AND due_at <= now() AND status <> 'RUNNING' ORDER BY position`.execute(db)
  expect(due).toEqual([
    // The attempt that the upgrade interrupted does not count.
    { id: 'running', attempts: 2 },
    { id: 'failed', attempts: 1 },
    { id: 'scheduled', attempts: 0 },
  ])
  const startedBy = await db.selectFrom('job').select('started_by').where('id', '=', 'done').executeTakeFirst()
  expect(startedBy).toEqual({ started_by: { kind: 'key', id: 'key', name: 'Partner' } })
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'`.execute(db)
  expect(rows).toEqual([])
})
