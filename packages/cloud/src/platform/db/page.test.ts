import { createLog } from '@plantroom/base/log'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from './database.ts'
import { readPage } from './page.ts'

async function openWith(names: readonly string[]): Promise<Db> {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const name of names) await db.insertInto('duty').values({ name }).execute()
  return db
}

const list = (db: Db, order: 'asc' | 'desc', limit: number, cursor?: string) =>
  readPage(db.selectFrom('duty').select('name'), { limit, cursor }, { by: 'name', order }, ({ name }) => name)

test('pages follow each other in order, and the last one has no next', async () => {
  const db = await openWith(['b', 'a', 'd', 'c'])
  expect(await list(db, 'asc', 3)).toEqual({ items: ['a', 'b', 'c'], next: 'c' })
  expect(await list(db, 'asc', 3, 'c')).toEqual({ items: ['d'], next: null })
  expect(await list(db, 'desc', 3)).toEqual({ items: ['d', 'c', 'b'], next: 'b' })
  expect(await list(db, 'desc', 3, 'b')).toEqual({ items: ['a'], next: null })
})

test('a page that is exactly full has no next, nor has one of an empty list', async () => {
  const db = await openWith(['a', 'b'])
  expect(await list(db, 'asc', 2)).toEqual({ items: ['a', 'b'], next: null })
  expect(await list(db, 'asc', 2, 'b')).toEqual({ items: [], next: null })
})
