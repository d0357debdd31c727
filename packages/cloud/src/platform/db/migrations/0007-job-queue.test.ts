import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { JOB_KINDS } from '../../../maintenance/packages/index.ts'
import { acceptJob } from '../../jobs/index.ts'
import { endNextJob } from '../../jobs/testing/attempts.ts'
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
  const deps = { db, kinds: JOB_KINDS, quota: { perSite: 10, perOrganization: 10 } }
  const job = { organizationId: 'org', siteId: 'site', name: 'TICKET_IMPORT', filename: 'e.fpl' } as const
  const added = await acceptJob(deps, { ...job, packageVersion: null, keyId: null })

  const ended: string[] = []
  for (let count = 0; count < 4; count += 1) {
    ended.push(await endNextJob(deps, 'TICKET_IMPORT', { kind: 'done', output: { message: '' } }))
  }
  expect(ended).toEqual(['running', 'failed', 'scheduled', added])
  const jobs = await db.selectFrom('job').select(['id', 'attempts']).orderBy('position').execute()
  expect(jobs.slice(0, 4)).toEqual([
    { id: 'done', attempts: 1 },
    // The attempt that the upgrade interrupted does not count.
    { id: 'running', attempts: 3 },
    { id: 'failed', attempts: 2 },
    { id: 'scheduled', attempts: 1 },
  ])
  const startedBy = await db.selectFrom('job').select('started_by').where('id', '=', 'done').executeTakeFirst()
  expect(startedBy).toEqual({ started_by: { kind: 'key', id: 'key', name: 'Partner' } })
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'`.execute(db)
  expect(rows).toEqual([])
})
