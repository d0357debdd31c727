import { createLog } from '@plantroom/base/log'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPlainDatabase } from '../../../testing/database.ts'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as maintenanceRequests } from './0005-maintenance-requests.ts'
import { sql as peopleWhoSignIn } from './0006-people-who-sign-in.ts'
import { sql as fairShares } from './0010-fair-shares.ts'
import { sql as requestHistory } from './0026-request-history.ts'
import { up } from './0031-people-and-fills.ts'

/** Opens a database of the version before. Its locale took õ and Õ for two letters. */
async function openEarlierDatabase() {
  const db = openDatabase({ connectionString: await createPlainDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const text of [organizations, maintenanceRequests, peopleWhoSignIn, fairShares, requestHistory]) {
    await sql.raw(text).execute(db)
  }
  return db
}

test('people who differ in case become one, with all that refers to them', async () => {
  const db = await openEarlierDatabase()
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('a', 'A');
    INSERT INTO site (id, organization_id, name) VALUES ('s', 'a', 'Site'), ('t', 'a', 'Other');
    INSERT INTO person (id, site_id, email, name, phone, created_at) VALUES
      ('p1', 's', 'õie@x.ee', NULL, '5', '2024-01-01'), ('p2', 's', 'Õie@x.ee', 'Õie', '6', '2024-01-02'),
      ('p3', 's', 'Mari@X.ee', 'Mari', NULL, '2024-01-03'), ('p4', 't', 'ÕIE@x.ee', 'Other', NULL, '2024-01-04');
    INSERT INTO ticket (id, site_id, number, external_id, title, state, assignee_id, reporter_id, supervisor_id,
        created_at, state_changed_at)
      VALUES ('t1', 's', 1, 'E', 'T', 'new', 'p2', 'p1', 'p2', now(), now());
    INSERT INTO ticket_watcher VALUES ('t1', 0, 'p2'), ('t1', 1, 'p3'), ('t1', 2, 'p1');
    INSERT INTO ticket_comment (ticket_id, position, content, author_id) VALUES ('t1', 0, 'x', 'p2');
    INSERT INTO ticket_change (ticket_id, kind, field, before, after, at, actor_kind)
      VALUES ('t1', 'changed', 'watchers', '["p3"]', '["p3", "p2"]', now(), 'operator');
    INSERT INTO user_account (id, email, password_hash) VALUES ('u1', 'Ärni@x.ee', 'h'), ('u2', 'jüri@x.ee', 'h');`)
    .execute(db)
  await db.transaction().execute((trx) => up(trx as unknown as Kysely<unknown>))

  const people = db.selectFrom('person').select(['id', 'email', 'email_key', 'name', 'phone']).orderBy('id')
  expect(await people.execute()).toEqual([
    { id: 'p1', email: 'õie@x.ee', email_key: 'õie@x.ee', name: 'Õie', phone: '5' },
    { id: 'p3', email: 'Mari@X.ee', email_key: 'mari@x.ee', name: 'Mari', phone: null },
    { id: 'p4', email: 'ÕIE@x.ee', email_key: 'õie@x.ee', name: 'Other', phone: null },
  ])
  const { rows } = await sql`
    SELECT assignee_id, reporter_id, supervisor_id, ARRAY(SELECT author_id FROM ticket_comment) AS authors,
      ARRAY(SELECT person_id FROM ticket_watcher ORDER BY position) AS watchers,
      (SELECT after FROM ticket_change) AS after FROM ticket`.execute(db)
  expect(rows).toEqual([
    {
      assignee_id: 'p1',
      reporter_id: 'p1',
      supervisor_id: 'p1',
      authors: ['p1'],
      watchers: ['p1', 'p3'],
      after: ['p3', 'p1'],
    },
  ])
  const accounts = await sql`SELECT email FROM user_account ORDER BY id`.execute(db)
  expect(accounts.rows).toEqual([{ email: 'ärni@x.ee' }, { email: 'jüri@x.ee' }])
  await expect(
    sql`INSERT INTO person (id, site_id, email, email_key) VALUES ('p5', 's', 'ÕIE@x.ee', 'õie@x.ee')`.execute(db),
  ).rejects.toThrow('person_email')
  // A process of the earlier version knows no keys.
  await sql`INSERT INTO person (id, site_id, email) VALUES ('p6', 's', 'Old@X.ee')`.execute(db)
  await sql`UPDATE person SET email = 'NEW@X.ee' WHERE id = 'p6'`.execute(db)
  const [old] = await people.where('id', '=', 'p6').execute()
  expect(old?.email_key).toBe('new@x.ee')
})
