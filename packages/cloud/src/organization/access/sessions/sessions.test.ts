import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../platform/db/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createUserStore } from '../people/user-store.ts'
import { createQuotaStore } from '../quota-store.ts'
import { hashSecret } from '../secrets.ts'
import { createSessionStore } from './session-store.ts'
import { createSessions, startSessionSweep } from './sessions.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 86_400_000
const log = createLog('test', 'silent')
const FROM = { address: '198.51.100.7', browser: 'Firefox on Linux' }

async function openTest() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const users = createUserStore(db)
  await db.insertInto('organization').values({ id: 'org', name: 'Organization' }).execute()
  await users.addAdministrator({ id: 'usr', email: 'a@example.com', passwordHash: 'hash', organizationId: 'org' })
  const clock = createManualClock()
  const store = createSessionStore(db)
  const sessions = createSessions({ store, clock })
  const token = (await sessions.open({ userId: 'usr', passwordHash: 'hash' }, FROM)) ?? ''
  const lastSeen = async () =>
    (await db.selectFrom('user_session').select('last_seen_at').executeTakeFirst())?.last_seen_at
  return { db, users, clock, store, sessions, token, lastSeen }
}

let open: Awaited<ReturnType<typeof openTest>>
beforeEach(async () => {
  open = await openTest()
})

describe('a session', () => {
  test('belongs to the person who opened it, with their current memberships', async () => {
    const { sessions, token, db } = open
    const person = {
      sessionId: expect.any(String),
      isFresh: true,
      hasSecondFactor: false,
      userId: 'usr',
      email: 'a@example.com',
    }
    expect(await sessions.find(token)).toEqual({
      ...person,
      memberships: [{ organizationId: 'org', siteId: null, role: 'admin', requiresSecondFactor: false }],
    })
    await db.deleteFrom('membership').execute()
    expect(await sessions.find(token)).toEqual({ ...person, memberships: [] })
    await db.deleteFrom('user_account').execute()
    expect(await sessions.find(token)).toBeUndefined()
  })

  test('ends after seven days without use', async () => {
    const { sessions, token, clock } = open
    clock.advanceNow(7 * DAY - 1)
    expect(await sessions.find(token)).toBeDefined()
    clock.advanceNow(7 * DAY)
    expect(await sessions.find(token)).toBeUndefined()
  })

  test('ends after thirty days, however often it is used', async () => {
    const { sessions, token, clock } = open
    for (let day = 1; day < 30; day += 1) {
      clock.advanceNow(DAY)
      expect([day, await sessions.find(token)]).toEqual([day, expect.anything()])
    }
    clock.advanceNow(DAY)
    expect(await sessions.find(token)).toBeUndefined()
  })

  test('stores its last use at most every five minutes', async () => {
    const { sessions, token, clock, lastSeen, db } = open
    const opened = new Date(clock.now())
    clock.advanceNow(5 * MINUTE - 1)
    await sessions.find(token)
    expect(await lastSeen()).toEqual(opened)
    clock.advanceNow(1)
    await sessions.find(token)
    expect(await lastSeen()).toEqual(new Date(clock.now()))
    const { last_seen_at } = await db.selectFrom('user_account').select('last_seen_at').executeTakeFirstOrThrow()
    expect(last_seen_at).toEqual(new Date(clock.now()))
  })

  test('stays closed when a concurrent request touches it', async () => {
    const { sessions, token, clock, store, db } = open
    await sessions.close(token)
    expect(await sessions.find(token)).toBeUndefined()
    await store.touch(hashSecret(token), new Date(clock.now()), new Date(clock.now() + DAY))
    expect(await db.selectFrom('user_session').selectAll().execute()).toEqual([])
  })

  test('does not open with an old password or for a removed user', async () => {
    const { sessions } = open
    expect(await sessions.open({ userId: 'usr', passwordHash: 'old hash' }, FROM)).toBeUndefined()
    expect(await sessions.open({ userId: 'usr_none', passwordHash: 'hash' }, FROM)).toBeUndefined()
  })

  test('opened during a password change does not survive the change', async () => {
    const { sessions, users, token } = open
    const ownSession = hashSecret(token)
    for (let round = 0; round < 20; round += 1) {
      const [before, after] = [`hash${round || ''}`, `hash${round + 1}`]
      const [opened, changed] = await Promise.all([
        sessions.open({ userId: 'usr', passwordHash: before }, FROM),
        users.changePassword('usr', { before, after, ownSession }),
      ])
      expect(changed).toBe(true)
      expect(opened === undefined ? undefined : await sessions.find(opened)).toBeUndefined()
    }
    expect(await sessions.find(token)).toBeDefined()
  })

  test('is deleted once it expires', async () => {
    const { sessions, clock, store, db, token } = open
    onTestFinished(startSessionSweep({ store, clock, log }))
    clock.advanceNow(6 * DAY)
    const later = await sessions.open({ userId: 'usr', passwordHash: 'hash' }, FROM)
    clock.advanceNow(DAY)
    await eventually(async () => expect(await db.selectFrom('user_session').selectAll().execute()).toHaveLength(1))
    expect(await sessions.find(token)).toBeUndefined()
    expect(await sessions.find(later ?? '')).toBeDefined()
  })
})

test('the sweep deletes expired links, known browsers and counts of failed sign-ins, and keeps the others', async () => {
  const { clock, store, db } = open
  const inHours = (hours: number) => new Date(clock.now() + hours * HOUR)
  await db
    .insertInto('user_account')
    .values(['usr_1', 'usr_2'].map((id) => ({ id, email: `${id}@example.ee`, password_hash: null })))
    .execute()
  await db
    .insertInto('account_link')
    .values([
      { user_id: 'usr_1', token_hash: hashSecret('1'), expires_at: inHours(1), organization_id: null, mailed: false },
      { user_id: 'usr_2', token_hash: hashSecret('2'), expires_at: inHours(2), organization_id: null, mailed: false },
    ])
    .execute()
  for (const hours of [1, 2]) {
    await createQuotaStore(db).count(hashSecret(`${hours}`), { now: inHours(0), periodEnd: inHours(hours), limit: 5 })
    await store.rememberDevice(hashSecret(`${hours}`), 'usr', inHours(hours))
  }
  onTestFinished(startSessionSweep({ store, clock, log }))
  clock.advanceNow(HOUR)
  await eventually(async () => {
    expect(await db.selectFrom('sign_in_failure').select('subject').execute()).toEqual([{ subject: hashSecret('2') }])
  })
  expect(await db.selectFrom('known_device').select('subject').execute()).toEqual([{ subject: hashSecret('2') }])
  expect(await db.selectFrom('account_link').select('user_id').execute()).toEqual([{ user_id: 'usr_2' }])
})
