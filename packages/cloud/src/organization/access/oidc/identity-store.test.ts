import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../platform/db/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLinkStore } from '../people/link-store.ts'
import { createUserStore } from '../people/user-store.ts'
import { hashSecret } from '../secrets.ts'
import { createSessionStore } from '../sessions/session-store.ts'
import { createSessions, startSessionSweep } from '../sessions/sessions.ts'
import { createIdentityStore } from './identity-store.ts'

const IDENTITY = { issuer: 'https://sso.example/', subject: 's', email: null, emailVerified: false, amr: [], acr: null }
const AT = new Date(0)
const log = createLog('test', 'silent')

async function openTest() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  await db.insertInto('organization').values({ id: 'org', name: 'Organization' }).execute()
  const users = createUserStore(db)
  await users.addAdministrator({ id: 'usr', email: 'a@example.com', passwordHash: 'hash', organizationId: 'org' })
  const identities = createIdentityStore(db)
  const clock = createManualClock()
  const store = createSessionStore(db)
  const sessions = createSessions({ store, clock })
  /** Opens a session as the routes do, from what `find` returned. */
  const openFound = (found: Awaited<ReturnType<typeof identities.find>>) => {
    const { userId = '', passwordHash = null, identityVersion = -1 } = found ?? {}
    const provider = { issuer: IDENTITY.issuer, amr: [], acr: null, identityVersion }
    return sessions.open({ userId, passwordHash, provider }, { address: '198.51.100.7', browser: null })
  }
  return { db, users, identities, sessions, store, clock, openFound }
}

let open: Awaited<ReturnType<typeof openTest>>
beforeEach(async () => {
  open = await openTest()
})

test('no session opens for an identity that was unlinked, or an account that changed, after it was found', async () => {
  const { identities, users, sessions, openFound } = open
  await identities.link('usr', IDENTITY, AT)
  const found = await identities.find(IDENTITY)
  expect(await sessions.find((await openFound(found)) ?? '')).toBeDefined()
  await identities.unlink('usr', IDENTITY.issuer, '')
  expect(await openFound(found)).toBeUndefined()
  await identities.link('usr', IDENTITY, AT)
  expect(await openFound(found)).toBeUndefined()
  const again = await identities.find(IDENTITY)
  await users.changePassword('usr', { before: 'hash', after: 'new', ownSession: Buffer.alloc(32) })
  expect(await openFound(again)).toBeUndefined()
})

test('a session that opens while the provider is unlinked does not survive', async () => {
  const { identities, sessions, openFound } = open
  for (let round = 0; round < 20; round += 1) {
    await identities.link('usr', IDENTITY, AT)
    const found = await identities.find(IDENTITY)
    const [token] = await Promise.all([openFound(found), identities.unlink('usr', IDENTITY.issuer, '')])
    expect(token === undefined ? undefined : await sessions.find(token)).toBeUndefined()
  }
})

test('an account without a password opens only while its identity is linked', async () => {
  const { db, identities, openFound } = open
  await identities.link('usr', IDENTITY, AT)
  await db.updateTable('user_account').set({ password_hash: null }).execute()
  const found = await identities.find(IDENTITY)
  expect(await openFound(found)).toBeDefined()
  await expect(identities.unlink('usr', IDENTITY.issuer, '')).rejects.toThrow('only way to sign in')
  expect(await openFound(await identities.find(IDENTITY))).toBeDefined()
  expect(await openFound({ userId: 'usr', email: '', passwordHash: null, identityVersion: -1 })).toBeUndefined()
})

test('of two accounts that link one identity at the same time, one gets it', async () => {
  const { db, users, identities } = open
  await users.addAdministrator({ id: 'two', email: 'b@example.com', passwordHash: 'hash', organizationId: 'org' })
  const results = await Promise.allSettled(['usr', 'two'].map((id) => identities.link(id, IDENTITY, AT)))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await db.selectFrom('user_identity').select('subject').execute()).toHaveLength(1)
})

test('a confirmed sign-in counts once, also in two processes, until it would have expired', async () => {
  const { db, identities, store, clock } = open
  const other = createIdentityStore(db)
  const expiresAt = new Date(clock.now() + 600_000)
  const state = hashSecret('state')
  const used = await Promise.all([identities.useState(state, expiresAt), other.useState(state, expiresAt)])
  expect(used.toSorted()).toEqual([false, true])
  onTestFinished(startSessionSweep({ store, clock, log }))
  clock.advanceNow(3_600_000)
  await eventually(async () => expect(await db.selectFrom('used_sign_in_state').selectAll().execute()).toEqual([]))
})

test('the owner of an address can reset an account that only a provider opens', async () => {
  const { db, identities } = open
  const links = createLinkStore(db)
  const mailed: string[] = []
  const link = { hash: hashSecret('token'), expiresAt: new Date(1000), mailed: true }
  await db.updateTable('user_account').set({ password_hash: null }).execute()
  await links.addReset('a@example.com', link, async () => void mailed.push('invited'))
  await identities.link('usr', IDENTITY, AT)
  await links.addReset('a@example.com', link, async () => void mailed.push('linked'))
  expect(mailed).toEqual(['linked'])
  expect(await links.setPassword(hashSecret('token'), 'new', AT)).toMatchObject({ userId: 'usr' })
  expect(await identities.find(IDENTITY)).toBeUndefined()
})

test('the owner of the address is notified in the transaction that links, and not when nothing was linked', async () => {
  const { users, identities } = open
  const notified: string[] = []
  const mail = async (_tx: unknown, to: string) => void notified.push(to)
  await identities.link('usr', IDENTITY, AT, mail)
  await users.addAdministrator({ id: 'two', email: 'b@example.com', passwordHash: 'hash', organizationId: 'org' })
  await expect(identities.link('two', IDENTITY, AT, mail)).rejects.toThrow('another account')
  expect(notified).toEqual(['a@example.com'])
})

test('an identity ends with its account', async () => {
  const { db, identities } = open
  await identities.link('usr', IDENTITY, AT)
  await db.deleteFrom('membership').execute()
  await db.deleteFrom('user_account').execute()
  expect(await identities.find(IDENTITY)).toBeUndefined()
})
