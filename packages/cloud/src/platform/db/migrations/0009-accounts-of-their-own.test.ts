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

const EARLIER = [organizations, siteTimeZone, reports, measurements, maintenanceRequests, peopleWhoSignIn]

/** Opens a database of the version before, with people in each state. */
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
    INSERT INTO organization (id, name) VALUES ('a', 'A'), ('b', 'B');
    INSERT INTO site (id, organization_id, name) VALUES ('site_1', 'a', 'One'), ('site_2', 'a', 'Two');
    INSERT INTO user_account (id, email, password_hash) VALUES
      ('member', 'member@ex.ee', 'hash'), ('of_both', 'both@ex.ee', 'hash'),
      ('invited', 'invited@ex.ee', NULL), ('invited_twice', 'twice@ex.ee', NULL);
    INSERT INTO membership (user_id, organization_id, site_id, role) VALUES
      ('member', 'a', NULL, 'admin'), ('of_both', 'a', NULL, 'admin'), ('of_both', 'b', NULL, 'admin'),
      ('invited', 'a', 'site_1', 'viewer'), ('invited', 'a', 'site_2', 'manager'),
      ('invited_twice', 'a', NULL, 'admin'), ('invited_twice', 'b', NULL, 'admin');
    INSERT INTO invitation (user_id, token_hash, expires_at)
      SELECT id, sha256(id::bytea), now() + interval '1 day' FROM user_account;
    INSERT INTO user_session (token_hash, user_id, created_at, last_seen_at, expires_at)
      SELECT sha256(id::bytea), id, now(), now(), now() + interval '1 day' FROM user_account WHERE id IN ('member', 'of_both');`)
    .execute(db)
  return db
}

test('invited people wait for their consent, and links end where it is unknown who has seen them', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(accounts).execute(db)
  const accepted = await db.selectFrom('membership').select(['user_id', 'organization_id']).orderBy('id').execute()
  expect(accepted.map(({ user_id, organization_id }) => `${user_id} ${organization_id}`)).toEqual([
    'member a',
    'of_both a',
    'of_both b',
  ])
  const pending = await db
    .selectFrom('pending_membership')
    .select(['user_id', 'site_id', 'role'])
    .orderBy('id')
    .execute()
  expect(pending.map(({ user_id, site_id, role }) => `${user_id} ${site_id} ${role}`)).toEqual([
    'invited site_1 viewer',
    'invited site_2 manager',
    'invited_twice null admin',
    'invited_twice null admin',
  ])
  expect(
    await db.selectFrom('account_link').select(['user_id', 'organization_id', 'mailed']).orderBy('user_id').execute(),
  ).toEqual([
    { user_id: 'invited', organization_id: 'a', mailed: false },
    { user_id: 'member', organization_id: null, mailed: false },
  ])
  const sessions = await db.selectFrom('user_session').select(['id', 'address']).execute()
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(2)
  expect(sessions.every(({ address }) => address === null)).toBe(true)
})
