import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { addTenant, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import type { Cloud } from '../../../wire/cloud.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import { cookiesOf } from '../testing/factors.ts'
import { addPerson, cookieOf, fromOwnPage, PASSWORD, signIn } from '../testing/people.ts'

type Json = Record<string, unknown>

let started: Awaited<ReturnType<typeof startTestCloud>>
/** Opened by its name, because passkeys do not work at IP addresses. */
let cloud: Cloud
let origin: string
let db: Db
let tenant: Tenant

beforeAll(async () => {
  started = await startTestCloud()
  origin = `http://localhost:${started.ready.port}`
  cloud = { ...started, ready: { ...started.ready, baseUrl: origin } }
  db = openDatabase({ connectionString: started.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(async () => {
  await db?.destroy()
  await started?.stop()
})

const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  call(cloud, method, path, { headers, body })

async function addMember() {
  const email = `${newId('person')}@example.com`
  return { email, ...(await addPerson(cloud, tenant.orgId, email, { role: 'admin' })) }
}

const startPasskey = async (headers: Record<string, string>) =>
  (await ask('POST', '/api/session/passkeys/options', headers)).body.options as Json

/** Adds a passkey to the account of a session. */
async function addPasskey(
  headers: Record<string, string>,
  name = 'Laptop',
  authenticator = createAuthenticator(origin),
) {
  const passkey = authenticator.create(await startPasskey(headers))
  const added = await ask('POST', '/api/session/passkeys', headers, { name, passkey })
  return { authenticator, added }
}

/** Begins to sign in with a passkey alone. */
async function beginAlone() {
  const begun = await ask('POST', '/api/session/passkey/options', fromOwnPage(cloud))
  return { options: begun.body.options as Json, headers: { ...fromOwnPage(cloud), cookie: cookiesOf(begun) } }
}
const signInAlone = (headers: Record<string, string>, passkey: object) =>
  ask('POST', '/api/session/passkey', headers, { passkey })

describe('a passkey', () => {
  test('is added with a name, listed, renamed and removed', async () => {
    const { headers, email } = await addMember()
    const other = { ...fromOwnPage(cloud), cookie: cookieOf(await signIn(cloud, email)) }
    const { added, authenticator } = await addPasskey(headers)
    const { id } = added.body.passkey as { id: string }
    expect([added.status, (added.body.recoveryCodes as string[]).length]).toEqual([201, 10])
    expect((await ask('GET', '/api/session', other)).status).toBe(401)
    const listed = async () => (await ask('GET', '/api/session/factors', headers)).body
    expect(await listed()).toEqual({
      ...{ totp: false, recoveryCodes: 10 },
      passkeys: [{ id, name: 'Laptop', createdAt: expect.any(String), lastUsedAt: null }],
    })
    // Browsers do not offer to create a second one on the same device.
    const options = await startPasskey(headers)
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.id }])
    const second = await addPasskey(headers, 'Phone')
    expect(second.added.body.recoveryCodes).toBeNull()

    const path = `/api/session/passkeys/${id}`
    expect((await ask('PATCH', path, headers, { name: 'Old laptop' })).status).toBe(204)
    expect(await listed()).toMatchObject({ passkeys: [{ name: 'Old laptop' }, { name: 'Phone' }] })
    expect((await ask('DELETE', path, headers)).status).toBe(204)
    expect((await ask('DELETE', path, headers)).status).toBe(404)
    expect(await listed()).toMatchObject({ passkeys: [{ name: 'Phone' }], recoveryCodes: 10 })
  })

  test('that verifies its owner signs in alone, and counts as two factors', async () => {
    const { headers, email } = await addMember()
    const { authenticator } = await addPasskey(headers)
    const { options, headers: browser } = await beginAlone()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const answer = authenticator.get(options)
    const done = await signInAlone(browser, answer)
    expect([done.status, done.body.user]).toEqual([200, { id: expect.any(String), email }])
    const { rows } = await sql`SELECT second_factor FROM user_session ORDER BY created_at DESC LIMIT 1`.execute(db)
    expect(rows).toEqual([{ second_factor: true }])
    // The same answer again, also with a new question.
    expect((await signInAlone(browser, answer)).status).toBe(401)
    expect((await signInAlone((await beginAlone()).headers, answer)).status).toBe(401)
  })

  test('is a second factor after the password, even if it does not verify its owner', async () => {
    const { headers, email, userId } = await addMember()
    const { authenticator } = await addPasskey(headers)
    const first = await signIn(cloud, email)
    const { methods, passkey } = first.body.secondFactor as { methods: string[]; passkey: Json }
    expect([methods, passkey.allowCredentials]).toEqual([
      ['passkey', 'recovery-code'],
      [expect.objectContaining({ id: authenticator.id })],
    ])
    const browser = { ...fromOwnPage(cloud), cookie: cookiesOf(first) }
    const proof = { passkey: authenticator.get(passkey, { userVerified: false }) }
    const done = await ask('POST', '/api/session/second-factor', browser, proof)
    expect([done.status, (done.body.user as { id: string }).id]).toEqual([200, userId])
  })

  test('that does not verify its owner cannot sign in alone', async () => {
    const { headers } = await addMember()
    const { authenticator } = await addPasskey(headers)
    const { options, headers: browser } = await beginAlone()
    expect((await signInAlone(browser, authenticator.get(options, { userVerified: false }))).status).toBe(401)
  })

  test('of one account does not help with another', async () => {
    const [mari, jaan] = [await addMember(), await addMember()]
    const { authenticator } = await addPasskey(mari.headers)
    const own = (await addPasskey(jaan.headers)).authenticator
    const first = await signIn(cloud, jaan.email)
    const { passkey } = first.body.secondFactor as { passkey: Json }
    const browser = { ...fromOwnPage(cloud), cookie: cookiesOf(first) }
    const second = await ask('POST', '/api/session/second-factor', browser, { passkey: authenticator.get(passkey) })
    expect(second.status).toBe(401)
    // Each question is answered once, so the right passkey is too late.
    const late = await ask('POST', '/api/session/second-factor', browser, { passkey: own.get(passkey) })
    expect(late.status).toBe(401)
    // Marked as Jaan's passkey.
    const { options, headers: alone } = await beginAlone()
    const userHandle = Buffer.from(jaan.userId).toString('base64url')
    expect((await signInAlone(alone, authenticator.get(options, { userHandle }))).status).toBe(401)
    // Renaming and removing it.
    const { passkeys } = (await ask('GET', '/api/session/factors', mari.headers)).body as { passkeys: { id: string }[] }
    const path = `/api/session/passkeys/${passkeys[0]?.id}`
    expect((await ask('PATCH', path, jaan.headers, { name: 'Mine' })).status).toBe(404)
    expect((await ask('DELETE', path, jaan.headers)).status).toBe(404)
    // Registering the same one for another account.
    const again = await addPasskey(jaan.headers, 'Stolen', authenticator)
    expect(again.added.status).toBe(409)
  })

  test('is refused with a challenge of another session, another page, or a counter that does not grow', async () => {
    const [mari, jaan] = [await addMember(), await addMember()]
    const authenticator = createAuthenticator(origin)
    const ofJaan = await startPasskey(jaan.headers)
    const refused = async (headers: Record<string, string>, passkey: object) => {
      const { status, body } = await ask('POST', '/api/session/passkeys', headers, { name: 'Bad', passkey })
      return [status, body.field]
    }
    const bad = [400, 'passkey']
    expect(await refused(mari.headers, authenticator.create(ofJaan))).toEqual(bad)
    const options = await startPasskey(mari.headers)
    expect(await refused(mari.headers, authenticator.create(options, { origin: 'https://evil.example' }))).toEqual(bad)
    // The question was used up by the refused answer.
    expect(await refused(mari.headers, authenticator.create(options))).toEqual(bad)
    for (const nonsense of [
      {},
      { id: 7 },
      { id: '../x', response: {} },
      { id: 'x', response: { attestationObject: '' } },
    ]) {
      await startPasskey(mari.headers)
      expect(await refused(mari.headers, nonsense)).toEqual(bad)
      expect((await signInAlone((await beginAlone()).headers, nonsense)).status).toBe(401)
    }
    await addPasskey(mari.headers, 'Good', authenticator)
    const one = await beginAlone()
    expect((await signInAlone(one.headers, authenticator.get(one.options, { counter: 7 }))).status).toBe(200)
    for (const counter of [7, 3, 0]) {
      const copy = await beginAlone()
      expect((await signInAlone(copy.headers, authenticator.get(copy.options, { counter }))).status).toBe(401)
    }
    const elsewhere = await beginAlone()
    const phished = authenticator.get(elsewhere.options, { counter: 9, origin: 'https://evil.example' })
    expect((await signInAlone(elsewhere.headers, phished)).status).toBe(401)
  })

  test('cannot be added from a page of another site', async () => {
    const { headers } = await addMember()
    const passkey = createAuthenticator('https://evil.example').create(await startPasskey(headers))
    for (const from of ['https://evil.example', 'null', `http://localhost.evil.example:${started.ready.port}`]) {
      const foreign = { ...headers, origin: from }
      expect((await ask('POST', '/api/session/passkeys/options', foreign)).status).toBe(403)
      expect((await ask('POST', '/api/session/passkeys', foreign, { name: 'Bad', passkey })).status).toBe(403)
    }
    expect((await ask('POST', '/api/session/passkeys', headers, { name: 'Bad', passkey })).status).toBe(400)
  })

  test('is not offered at an IP address, which browsers refuse', async () => {
    const { email } = await addMember()
    const headers = { ...fromOwnPage(started), cookie: cookieOf(await signIn(started, email)) }
    const { status, body } = await call(started, 'POST', '/api/session/passkeys/options', { headers })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/instead of its IP address/)])
  })

  test('proves who its owner is once more, with a question of this session', async () => {
    const { headers, userId } = await addMember()
    const { authenticator } = await addPasskey(headers)
    await sql`UPDATE user_session SET verified_at = now() - interval '1 hour' WHERE user_id = ${userId}`.execute(db)
    expect((await ask('POST', '/api/session/recovery-codes', headers)).status).toBe(403)
    const { body } = await ask('POST', '/api/session/verify/options', headers)
    expect(body.methods).toEqual(['passkey', 'recovery-code'])
    const withPassword = await ask('POST', '/api/session/verify', headers, { password: PASSWORD })
    expect([withPassword.status, withPassword.body.field]).toEqual([400, 'password'])
    expect((await ask('POST', '/api/session/recovery-codes', headers)).status).toBe(403)
    const passkey = authenticator.get(body.passkey as Json)
    expect((await ask('POST', '/api/session/verify', headers, { passkey })).status).toBe(204)
    expect((await ask('POST', '/api/session/recovery-codes', headers)).status).toBe(200)
    expect((await ask('POST', '/api/session/verify', headers, { passkey })).status).toBe(400)
  })
})
