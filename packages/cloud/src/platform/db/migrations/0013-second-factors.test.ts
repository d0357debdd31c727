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
import { sql as accounts } from './0009-accounts-of-their-own.ts'
import { sql as secondFactors } from './0013-second-factors.ts'

test('open sessions stay open, count as proved when they began and as opened without a second factor', async () => {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const earlier = [organizations, siteTimeZone, reports, measurements, maintenanceRequests, peopleWhoSignIn, accounts]
  for (const text of earlier) await sql.raw(text).execute(db)
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('a', 'A');
    INSERT INTO user_account (id, email, password_hash) VALUES ('member', 'member@ex.ee', 'hash');
    INSERT INTO sign_in_failure (subject, failures, ends_at) VALUES (sha256('x'), 3, now());
    INSERT INTO user_session (token_hash, user_id, created_at, last_seen_at, expires_at)
      VALUES (sha256('1'), 'member', now() - interval '1 day', now(), now() + interval '1 day');`)
    .execute(db)
  await sql.raw(secondFactors).execute(db)
  const { rows } = await sql`
    SELECT verified_at = user_session.created_at AS "fromTheStart", second_factor, requires_second_factor, strikes
    FROM user_session, organization, sign_in_failure`.execute(db)
  expect(rows).toEqual([{ fromTheStart: true, second_factor: false, requires_second_factor: false, strikes: 0 }])
})
