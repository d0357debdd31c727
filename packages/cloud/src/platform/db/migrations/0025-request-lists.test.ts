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
import { sql as requestLists } from './0025-request-lists.ts'

const EARLIER = [organizations, siteTimeZone, reports, measurements, maintenanceRequests]

/** Opens a database of the version before, with requests and comments. */
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
    INSERT INTO organization (id, name) VALUES ('a', 'A');
    INSERT INTO site (id, organization_id, name) VALUES ('site', 'a', 'Site');
    INSERT INTO ticket (id, site_id, number, external_id, title, state, description, created_at, state_changed_at) VALUES
      ('t1', 'site', 1, 'EXT-1', 'Tap ÕÖ', 'new', NULL, now(), now()),
      ('t2', 'site', 2, 'EXT-2', 'Roof', 'new', repeat('A', 20000), now(), now());
    INSERT INTO ticket_comment (ticket_id, position, content) VALUES ('t1', 1, 'Second'), ('t1', 0, 'First');`)
    .execute(db)
  return db
}

test('requests from before can be searched, with their comments', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(requestLists).execute(db)
  const texts = () =>
    db.selectFrom('ticket_text').select(['ticket_id', 'part', 'text']).orderBy('ticket_id').orderBy('part')
  expect(await texts().execute()).toEqual([
    { ticket_id: 't1', part: 0, text: 'tap õö\next-1' },
    { ticket_id: 't1', part: 1, text: 'first\nsecond' },
    { ticket_id: 't2', part: 0, text: `roof\next-2\n${'a'.repeat(10_000)}` },
  ])
})

test('the searched text of comments is bounded, and follows what is added, changed and removed', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(requestLists).execute(db)
  const comments = async (id: string) => {
    const found = await db
      .selectFrom('ticket_text')
      .where('ticket_id', '=', id)
      .where('part', '=', 1)
      .select('text')
      .execute()
    return found.map(({ text }) => text)
  }
  await sql.raw(`INSERT INTO ticket_comment (ticket_id, position, content) VALUES ('t1', 2, 'Third')`).execute(db)
  expect(await comments('t1')).toEqual(['first\nsecond\nthird'])
  await sql.raw(`UPDATE ticket_comment SET content = 'Changed' WHERE ticket_id = 't1' AND position = 1`).execute(db)
  expect(await comments('t1')).toEqual(['first\nchanged\nthird'])
  await sql.raw(`DELETE FROM ticket_comment WHERE ticket_id = 't1' AND position = 0`).execute(db)
  expect(await comments('t1')).toEqual(['changed\nthird'])
  await sql
    .raw(`INSERT INTO ticket_comment (ticket_id, position, content)
      SELECT 't2', place, repeat('B', 20000) FROM generate_series(0, 49) place`)
    .execute(db)
  expect((await comments('t2')).map((text) => text.length)).toEqual([100_000])
  await sql.raw(`DELETE FROM ticket`).execute(db)
  expect(await db.selectFrom('ticket_text').selectAll().execute()).toEqual([])
})
