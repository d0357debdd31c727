import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { DUTIES } from './duties.ts'
import { type ClaimOptions, claimDue, findDue, giveBack, longestWait, renew, settle, timeOf } from './leased-rows.ts'

const clock = createManualClock()
const now = timeOf(clock)

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await sharedTestDatabase() }, createLog('test', 'silent'))
})
afterAll(() => db.destroy())
beforeEach(() => sql`TRUNCATE duty, work_turn`.execute(db))

/** Adds rows that have been due for so many milliseconds; the first part of a name is the organization. */
async function add(rows: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, dueForMs] of Object.entries(rows)) {
    const organization_id = name.split(' ')[0] ?? ''
    await db
      .insertInto('duty')
      .values({ name, organization_id, due_at: new Date(clock.now() - dueForMs) })
      .execute()
  }
}

const claim = (given: Partial<ClaimOptions> = {}, rows = DUTIES) =>
  claimDue(db, rows, {
    kind: 'chore',
    now,
    leaseMs: 60_000,
    places: 10,
    perOrganization: 10,
    running: new Map(),
    ...given,
  })
const claimNames = async (...given: Parameters<typeof claim>) => (await claim(...given)).map(({ name }) => name).sort()

async function claimOne() {
  const [lease] = await claim()
  if (!lease) throw new Error('nothing was due')
  return lease
}

const row = () => db.selectFrom('duty').selectAll().executeTakeFirstOrThrow()

describe('a claim', () => {
  test('takes what is due, counts the attempt and leases the row', async () => {
    await add({ 'a due': 0, 'a later': -1 })
    expect(await findDue(db, [DUTIES], now)).toEqual([true])
    expect(await claim()).toEqual([{ name: 'a due', organizationId: 'a', claim: 1, attempts: 1 }])
    const leased = await db.selectFrom('duty').where('leased_until', 'is not', null).selectAll().execute()
    expect(leased).toMatchObject([
      { name: 'a due', claim: 1, attempts: 1, leased_until: new Date(clock.now() + 60_000) },
    ])
    expect(await findDue(db, [DUTIES], now)).toEqual([false])
    expect(await claim()).toEqual([])
  })

  test('takes only what is ready', async () => {
    await add({ 'a 1': 0, 'a 2': 0 })
    const ready = (name: string) => ({ ...DUTIES, ready: () => sql`item.name = ${name}` })
    expect(await findDue(db, [ready('a 3')], now)).toEqual([false])
    expect(await claimNames({}, ready('a 3'))).toEqual([])
    expect(await findDue(db, [ready('a 2')], now)).toEqual([true])
    expect(await claimNames({}, ready('a 2'))).toEqual(['a 2'])
  })

  test('does not wait for a row that another transaction has locked', async () => {
    await add({ 'a 1': 2, 'a 2': 1 })
    await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM duty WHERE name = 'a 1' FOR UPDATE`.execute(tx)
      expect(await claimNames()).toEqual(['a 2'])
    })
  })

  test('takes what has been due for longest', async () => {
    await add({ 'a 1': 1, 'a 2': 3, 'a 3': 2 })
    expect(await claimNames({ places: 2 })).toEqual(['a 2', 'a 3'])
  })

  test('takes the share of an organization, and less when some of its rows run', async () => {
    await add({ 'a 1': 9, 'a 2': 8, 'a 3': 7, 'b 1': 6, 'b 2': 5, 'b 3': 4 })
    const running = new Map([['a', 1]])
    expect(await claimNames({ perOrganization: 2, running })).toEqual(['a 1', 'b 1', 'b 2'])
  })

  test('prefers the organization with the fewest running rows, then the one whose turn was longest ago', async () => {
    await add({ 'a 1': 9, 'a 2': 8, 'a 3': 7, 'b 1': 6, 'b 2': 5, 'c 1': 4 })
    expect(await claimNames({ places: 1, running: new Map([['a', 1]]) })).toEqual(['b 1'])
    expect(await claimNames({ places: 1, running: new Map() })).toEqual(['a 1'])
    expect(await claimNames({ places: 1, running: new Map() })).toEqual(['c 1'])
    expect(await claimNames({ places: 1, running: new Map() })).toEqual(['b 2'])
    // Turns of another kind do not count.
    expect(await claimNames({ places: 1, kind: 'other' })).toEqual(['a 2'])
  })

  test('takes so many rows of a group, counting those that any process has', async () => {
    await add({ 'a 1': 9, 'a 2': 8, 'a 3': 7, 'b 1': 6 })
    const rows = { ...DUTIES, group: { column: 'organization_id', atOnce: 2 } }
    expect(await claimNames({ places: 1 }, rows)).toEqual(['a 1'])
    expect(await claimNames({}, rows)).toEqual(['a 2', 'b 1'])
    expect(await claimNames({}, rows)).toEqual([])
    await sql`UPDATE duty SET leased_until = NULL, due_at = 'infinity' WHERE name = 'a 1'`.execute(db)
    expect(await claimNames({}, rows)).toEqual(['a 3'])
  })
})

describe('a lease', () => {
  test('is renewed, and changes other columns with it', async () => {
    await add({ 'a 1': 0 })
    const lease = await claimOne()
    expect(await renew(db, DUTIES, lease, { now, leaseMs: 5_000, set: { attempts: 4 } })).toBe(true)
    expect(await row()).toMatchObject({ attempts: 4, leased_until: new Date(clock.now() + 5_000) })
  })

  test('is settled once', async () => {
    await add({ 'a 1': 0 })
    const lease = await claimOne()
    expect(await settle(db, DUTIES, lease, { attempts: 0 })).toBe(true)
    expect(await row()).toMatchObject({ attempts: 0, leased_until: null })
    expect(await settle(db, DUTIES, lease, { attempts: 5 })).toBe(false)
    expect(await renew(db, DUTIES, lease, { now, leaseMs: 5_000 })).toBe(false)
    expect(await row()).toMatchObject({ attempts: 0, leased_until: null })
  })

  test('is given back as if it had not been', async () => {
    await add({ 'a 1': 0 })
    expect(await giveBack(db, DUTIES, await claimOne(), { due_at: new Date(clock.now()) })).toBe(true)
    expect(await row()).toMatchObject({ attempts: 0, leased_until: null, due_at: new Date(clock.now()) })
  })

  test('of an earlier claim changes nothing, and neither does that of another row', async () => {
    await add({ 'a 1': 0 })
    const lease = await claimOne()
    expect(await settle(db, DUTIES, { ...lease, claim: lease.claim - 1 }, { attempts: 9 })).toBe(false)
    expect(await giveBack(db, DUTIES, { ...lease, name: 'a 2' })).toBe(false)
    expect(await row()).toMatchObject({ attempts: 1, leased_until: new Date(clock.now() + 60_000) })
  })
})

test('the longest wait is that of the row that has been due for longest and has no lease', async () => {
  expect(await longestWait(db, DUTIES)).toBe(0)
  await sql`INSERT INTO duty (name, due_at) VALUES ('a', now() - interval '1 hour'), ('b', now() - interval '1 minute'),
    ('c', now() + interval '1 hour')`.execute(db)
  expect(Math.floor((await longestWait(db, DUTIES)) / 3_600)).toBe(1)
  await sql`UPDATE duty SET leased_until = now() + interval '1 hour' WHERE name = 'a'`.execute(db)
  expect(await longestWait(db, DUTIES)).toBeLessThan(3_600)
})

test('time is that of the database, unless a test has another clock', async () => {
  const read = async (time = now) => (await sql<{ at: Date }>`SELECT ${time} AS at`.execute(db)).rows[0]?.at
  expect(await read()).toEqual(new Date(clock.now()))
  expect(timeOf(systemClock).compile(db).sql).toBe('clock_timestamp()')
})
