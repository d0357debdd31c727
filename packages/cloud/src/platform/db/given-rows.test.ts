import { createLog } from '@plantroom/base/log'
import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { openDatabase } from './database.ts'
import { givenRows, insertGiven } from './given-rows.ts'

async function open() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  return db
}

async function read(rows: RawBuilder<unknown>): Promise<unknown[]> {
  return (await sql`SELECT given.* FROM ${rows}`.execute(await open())).rows
}

test('items become rows, with columns from fields of the same name and from functions', async () => {
  const items = [
    { name: 'a', count: 1, isOn: true, since: 0 },
    { name: 'b', count: null, isOn: false, since: 1000 },
  ]
  const rows = givenRows(items, {
    name: 'text',
    count: 'integer',
    place: ['integer', (_, place) => place],
    is_on: 'boolean',
    since: ['timestamptz', ({ since }) => new Date(since)],
  })
  expect(await read(rows)).toEqual([
    { name: 'a', count: 1, place: 0, is_on: true, since: new Date(0) },
    { name: 'b', count: null, place: 1, is_on: false, since: new Date(1000) },
  ])
})

test('documents, bytes and lists of different lengths arrive as they are', async () => {
  const items = [
    {
      list: ['a "quoted\\" text', 'b,c', '', 'NULL'],
      numbers: [1.5, null, Number.NaN],
      data: { a: ['b'] },
      bytes: Buffer.of(0, 255),
    },
    { list: [], numbers: [], data: null, bytes: Buffer.of() },
    { list: null, numbers: null, data: 'text', bytes: null },
  ]
  const rows = givenRows(items, { list: 'text[]', numbers: 'double precision[]', data: 'jsonb', bytes: 'bytea' })
  expect(await read(rows)).toEqual(items)
})

test('no items are no rows', async () => {
  expect(await read(givenRows([] as { id: string }[], { id: 'text' }))).toEqual([])
})

test('items are inserted, with what all of them share', async () => {
  const db = await open()
  const insert = insertGiven('work_turn', { kind: 'mail', taken_at: new Date(1000) }, [{ organizationId: 'org' }], {
    organization_id: 'text',
  })
  await sql`${insert} ON CONFLICT DO NOTHING`.execute(db)
  const rows = await db.selectFrom('work_turn').selectAll().execute()
  expect(rows).toEqual([{ kind: 'mail', organization_id: 'org', taken_at: new Date(1000) }])
})

test('types and fields that do not fit do not compile', () => {
  const items = [{ id: 'a', count: 1 }]
  // @ts-expect-error A text is not a number.
  givenRows(items, { id: 'integer' })
  // @ts-expect-error There is no such field.
  givenRows(items, { name: 'text' })
  // @ts-expect-error The function returns a number.
  givenRows(items, { name: ['text', ({ count }) => count] })
  // @ts-expect-error The table has no such column.
  insertGiven('duty', {}, items, { id: 'text' })
})
