import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { DUTIES } from './duties.ts'
import { createLooks } from './looks.ts'

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, createLog('test', 'silent'))
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE duty`.execute(db))

const named = (name: string) => ({ ...DUTIES, ready: () => sql`item.name = ${name}` })
const add = (name: string) => sql`INSERT INTO duty (name) VALUES (${name})`.execute(db)

/** A database that counts statements, and answers when the test lets it. */
function open() {
  const clock = createManualClock()
  let statements = 0
  let answering = Promise.resolve()
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => {
      await answering
      return result
    },
  })
  const looks = createLooks({ db: counted, clock })
  const halt = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    return resolve
  }
  return { clock, looks, halt, count: () => statements }
}

test('looks for several kinds of rows with one statement, and each as often as it wants', async () => {
  const { clock, looks, count } = open()
  const { signal } = new AbortController()
  const found: string[] = []
  void looks.untilDue(named('a'), 250, signal).then(() => found.push('a'))
  void looks.untilDue(named('b'), 1_000, signal).then(() => found.push('b'))
  for (const looked of [1, 2, 3]) {
    await clock.advance(250)
    // The next look is set when this one is answered.
    await eventually(() => expect([count(), clock.waiting()]).toEqual([looked, [250]]))
  }
  await add('b')
  expect(found).toEqual([])
  await clock.advance(250)
  await eventually(() => expect([found, clock.waiting()]).toEqual([['b'], [250]]))
  expect(count()).toBe(4)
  await add('a')
  await clock.advance(250)
  await eventually(() => expect(found).toEqual(['b', 'a']))
  // Nothing is left to look for.
  await eventually(() => expect(clock.waiting()).toEqual([]))
})

test('waits for an answer before it looks again, and for no one who gave up', async () => {
  const { clock, looks, halt, count } = open()
  const answer = halt()
  const giving = new AbortController()
  const found = looks.untilDue(named('a'), 250, giving.signal)
  await clock.advance(250)
  await eventually(() => expect(count()).toBe(1))
  await clock.advance(2_000)
  expect(count()).toBe(1)
  giving.abort()
  expect(await found).toBe(false)
  answer()
  await clock.advance(2_000)
  expect(count()).toBe(1)
})
