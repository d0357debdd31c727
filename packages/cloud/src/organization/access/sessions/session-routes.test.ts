import { request } from 'node:http'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type { OpenSession } from '@plantroom/contract/api'
import type { SignedIn } from '@plantroom/contract/roles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { type Answer, addTenant, asOperator, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { addPerson, cookieOf, fromOwnPage, PASSWORD, signIn } from '../testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

const newAddress = () => `${newId('person')}@example.com`
async function addAdmin(email = newAddress()) {
  return { email, ...(await addPerson(cloud, tenant.orgId, email, { role: 'admin' })) }
}
const deviceOf = ({ headers }: Answer) => headers.getSetCookie()[1]?.split(';')[0] ?? ''
const whoAmI = (headers: Record<string, string>) => call(cloud, 'GET', '/api/session', { headers })
const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows

describe('signing in', () => {
  test('returns the user with their organizations, and sets a strict cookie', async () => {
    const { email, userId } = await addAdmin()
    const answer = await signIn(cloud, ` ${email.toUpperCase()} `)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: { id: userId, email },
        organizations: [
          {
            id: tenant.orgId,
            name: 'Organization',
            isAdmin: true,
            sites: [{ id: tenant.siteId, name: 'Site', timeZone: 'UTC', maintenanceRequests: true, role: 'admin' }],
          },
        ],
      },
    ])
    const [session, device] = answer.headers.getSetCookie()
    expect(session).toMatch(
      /^__Host-plantroom=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(device).toMatch(
      /^__Host-device-plantroom=[0-9A-Za-z]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const again = await whoAmI({ cookie: cookieOf(answer) })
    expect([again.status, again.body]).toEqual([200, answer.body])
  })

  test('returns only the sites where a person has a role', async () => {
    const other = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Other site' })
    const email = newAddress()
    const { headers } = await addPerson(cloud, tenant.orgId, email, {
      sites: [{ siteId: String(other.body.id), role: 'manager' }],
    })
    expect((await whoAmI(headers)).body.organizations).toEqual([
      {
        id: tenant.orgId,
        name: 'Organization',
        isAdmin: false,
        sites: [
          { id: other.body.id, name: 'Other site', timeZone: 'UTC', maintenanceRequests: false, role: 'manager' },
        ],
      },
    ])
  })

  test('returns no organization or site where a person has no role', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const ours = await addAdmin()
    const theirs = await addPerson(cloud, other.orgId, newAddress(), { role: 'admin' })
    const shown = async (headers: Record<string, string>) => {
      const { organizations } = (await whoAmI(headers)).body as unknown as SignedIn
      return organizations.map(({ id, sites }) => [id, sites.some((site) => site.id === other.siteId)])
    }
    expect(await shown(ours.headers)).toEqual([[tenant.orgId, false]])
    expect(await shown(theirs.headers)).toEqual([[other.orgId, true]])
  })

  test('gives the same answer for unknown users, invited users and wrong passwords', async () => {
    const { email } = await addAdmin()
    const invited = newAddress()
    await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members`, { email: invited, role: 'admin' })
    const answers = await Promise.all([
      signIn(cloud, email, 'wrong password'),
      signIn(cloud, email, ''),
      signIn(cloud, 'stranger@example.com', PASSWORD),
      signIn(cloud, invited, PASSWORD),
      signIn(cloud, '', ''),
    ])
    for (const { status, body, headers } of answers) {
      const { reqId, ...rest } = body
      expect([status, rest]).toEqual([401, { code: 'UNAUTHENTICATED', message: 'wrong e-mail address or password' }])
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('is refused after five failures, with the time to wait, even with the right password', async () => {
    const { email } = await addAdmin()
    for (let times = 0; times < 5; times += 1) expect((await signIn(cloud, email, 'wrong')).status).toBe(401)
    const { status, body, headers } = await signIn(cloud, email)
    expect([status, body.code, body.message]).toEqual([
      429,
      'TOO_MANY_ATTEMPTS',
      'too many failed attempts to sign in: try again in 15 minutes',
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    // Nobody believes a header that anyone can send.
    expect((await signIn(cloud, email, PASSWORD, { 'x-forwarded-for': '198.51.100.7' })).status).toBe(429)
  })

  test('still works in a browser that signed in before, whoever guesses at the same address', async () => {
    const { email } = await addAdmin()
    const other = await addAdmin()
    const browser = { cookie: deviceOf(await signIn(cloud, email)) }
    for (let times = 0; times < 6; times += 1) await signIn(cloud, email, 'wrong')
    expect((await signIn(cloud, email)).status).toBe(429)
    expect((await signIn(cloud, email, PASSWORD, browser)).status).toBe(200)
    // The cookie is no password, and helps with no other account.
    expect((await signIn(cloud, email, 'wrong', browser)).status).toBe(401)
    for (let times = 0; times < 6; times += 1) await signIn(cloud, other.email, 'wrong')
    expect((await signIn(cloud, other.email, PASSWORD, browser)).status).toBe(429)
    expect((await signIn(cloud, email, PASSWORD, { cookie: `__Host-device-plantroom=${'x'.repeat(43)}` })).status).toBe(
      429,
    )
  })

  test('of one account is not stopped by 51 wrong passwords for others at the same address', async () => {
    const { email } = await addAdmin()
    const shared = await startTestCloud({ databaseUrl: cloud.config.databaseUrl, trustedProxies: ['127.0.0.1'] })
    const from = { 'x-forwarded-for': '203.0.113.50' }
    try {
      for (let times = 0; times < 51; times += 1) {
        expect((await signIn(shared, newAddress(), 'wrong', from)).status).toBe(401)
      }
      expect((await signIn(shared, email, PASSWORD, from)).status).toBe(200)
    } finally {
      await shared.stop()
    }
  })

  test('still works at a network that signed in before, while others guess from everywhere', async () => {
    const { email } = await addAdmin()
    const behind = await startTestCloud({ databaseUrl: cloud.config.databaseUrl, trustedProxies: ['127.0.0.1'] })
    const statusFrom = async (address: string, password = PASSWORD) =>
      (await signIn(behind, email, password, { 'x-forwarded-for': address })).status
    try {
      expect(await statusFrom('203.0.113.60')).toBe(200)
      await Promise.all(Array.from({ length: 101 }, (_, time) => statusFrom(`198.18.0.${time}`, 'wrong')))
      expect(await statusFrom('203.0.113.61')).toBe(429)
      expect(await statusFrom('203.0.113.60')).toBe(200)
    } finally {
      await behind.stop()
    }
  })

  test('counts by the address that a trusted proxy named, and by no other hop', async () => {
    const { email } = await addAdmin()
    const behind = await startTestCloud({
      databaseUrl: cloud.config.databaseUrl,
      trustedProxies: ['127.0.0.0/8', '10.0.0.2'],
    })
    const statusFrom = async (hops: string, password = PASSWORD) =>
      (await signIn(behind, email, password, { 'x-forwarded-for': hops })).status
    try {
      for (let times = 0; times < 5; times += 1) {
        // Whatever the caller claims on the left is ignored; a trusted hop on the right is skipped.
        expect(await statusFrom(`192.0.2.${times}, 198.51.100.9, 10.0.0.2`, 'wrong')).toBe(401)
      }
      expect(await statusFrom('192.0.2.77, 198.51.100.9, 10.0.0.2')).toBe(429)
      expect(await statusFrom('198.51.100.9, 192.0.2.78')).toBe(200)
    } finally {
      await behind.stop()
    }
  })

  test('clears earlier failures when it succeeds', async () => {
    const { email } = await addAdmin()
    for (let round = 0; round < 3; round += 1) {
      for (let times = 0; times < 4; times += 1) expect((await signIn(cloud, email, 'wrong')).status).toBe(401)
      expect((await signIn(cloud, email)).status).toBe(200)
    }
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['without an origin', {}],
    ['from an opaque origin', { origin: 'null' }],
    ['from another port', { origin: 'http://127.0.0.1:1' }],
    ['from the same host with another scheme', () => ({ origin: cloud.ready.baseUrl.replace('http:', 'https:') })],
    [
      'with a scheme that only an unknown proxy claims',
      () => ({ origin: cloud.ready.baseUrl.replace('http:', 'https:'), 'x-forwarded-proto': 'https' }),
    ],
  ])('%s answers 403', async (_where, given: Record<string, string> | (() => Record<string, string>)) => {
    const headers = typeof given === 'function' ? given() : given
    const { email } = await addAdmin()
    const answer = await call(cloud, 'POST', '/api/session', { headers, body: { email, password: PASSWORD } })
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('Origin')])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('on a host that is not ours answers 421: another site may have pointed its name at us', async () => {
    const { email } = await addAdmin()
    const { port } = cloud.ready
    const body = JSON.stringify({ email, password: PASSWORD })
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = {
      host: `evil.example:${port}`,
      origin: `http://evil.example:${port}`,
      'content-type': 'application/json',
    }
    const sent = request({ host: '127.0.0.1', port, path: '/api/session', method: 'POST', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject).end(body)
    expect(await promise).toBe(421)
  })

  test('ends the previous session of the browser', async () => {
    const { email, headers } = await addAdmin()
    await signIn(cloud, email, PASSWORD, headers)
    expect((await whoAmI(headers)).status).toBe(401)
  })

  test.each([
    ['nothing', {}],
    ['no password', { email: 'a@example.com' }],
    ['a list as address', { email: ['a@example.com'], password: PASSWORD }],
    ['a very long password', { email: 'a@example.com', password: 'x'.repeat(1025) }],
  ])('with %s answers 400', async (_what, body) => {
    expect((await call(cloud, 'POST', '/api/session', { headers: fromOwnPage(cloud), body })).status).toBe(400)
  })
})

describe('a session', () => {
  test('is stored only as a hash, as is a link', async () => {
    const { headers } = await addAdmin()
    const token = headers.cookie.split('=')[1] ?? ''
    const invited = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members`, {
      email: newAddress(),
      role: 'admin',
    })
    const link = String(invited.body.link).split('#')[1] ?? ''
    expect([token.length, link.length]).toEqual([43, 43])
    const everything = JSON.stringify([
      await rows('SELECT t::text FROM user_session t'),
      await rows('SELECT t::text FROM account_link t'),
      await rows('SELECT t::text FROM known_device t'),
      await rows('SELECT t::text FROM user_account t'),
      await rows('SELECT t::text FROM sign_in_failure t'),
    ])
    for (const secret of [token, link, PASSWORD]) {
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  test('ends when its person signs out, without ending their other sessions', async () => {
    const { email, headers } = await addAdmin()
    const elsewhere = { cookie: cookieOf(await signIn(cloud, email)) }
    const out = await call(cloud, 'DELETE', '/api/session', { headers })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toBe('__Host-plantroom=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
    expect((await whoAmI(headers)).status).toBe(401)
    expect((await whoAmI(elsewhere)).status).toBe(200)
  })

  test('ends in every process', async () => {
    const second = await startTestCloud({ databaseUrl: cloud.config.databaseUrl })
    try {
      const { headers } = await addAdmin()
      const there = { ...headers, ...fromOwnPage(second) }
      expect((await call(second, 'GET', '/api/session', { headers: there })).status).toBe(200)
      await call(cloud, 'DELETE', '/api/session', { headers })
      expect((await call(second, 'GET', '/api/session', { headers: there })).status).toBe(401)
    } finally {
      await second.stop()
    }
  })

  const made = '0'.repeat(43)
  test.each([
    ['is empty', '__Host-plantroom='],
    ['is unknown', `__Host-plantroom=${made}`],
    ['is too long', `__Host-plantroom=${'x'.repeat(8000)}`],
    ['is without a value', '__Host-plantroom'],
    ['has invalid characters', `__Host-plantroom=${"' OR 1=1 --".padEnd(43, 'x')}`],
    ['has percent signs', '__Host-plantroom=%00%ff%zz'],
    ['occurs many times', Array.from({ length: 200 }, () => `__Host-plantroom=${made}`).join('; ')],
    [
      'follows many other cookies',
      `${Array.from({ length: 500 }, (_, index) => `c${index}=1`).join('; ')}; __Host-plantroom=${made}`,
    ],
    ['follows only separators', `${';'.repeat(2000)}__Host-plantroom==;=`],
    ['has another name', `plantroom=${made}; __Host-plantroom2=${made}`],
  ])('that %s answers 401', async (_what, cookie) => {
    for (const path of ['/api/session', `/api/orgs/${tenant.orgId}/sites`]) {
      const { status, body } = await call(cloud, 'GET', path, { headers: { cookie } })
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  test('is ignored when a key or a token is sent', async () => {
    const { headers } = await addAdmin()
    const path = `/api/orgs/${tenant.orgId}/sites`
    expect((await call(cloud, 'GET', path, { headers })).status).toBe(200)
    for (const wrong of [{ authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong' }]) {
      expect((await call(cloud, 'GET', path, { headers: { ...headers, ...wrong } })).status).toBe(401)
    }
  })

  test('can be opened from the public address', async () => {
    const { email } = await addAdmin()
    const publicUrl = 'https://plantroom.example/console'
    const behind = await startTestCloud({ databaseUrl: cloud.config.databaseUrl, publicUrl })
    const reached = { ...behind, ready: { ...behind.ready, baseUrl: `http://127.0.0.1:${behind.ready.port}` } }
    const statusFrom = async (origin: string) => (await signIn(reached, email, PASSWORD, { origin })).status
    try {
      expect(await statusFrom('https://plantroom.example')).toBe(200)
      expect(await statusFrom('http://plantroom.example')).toBe(403)
      expect(await statusFrom('https://plantroom.example.evil.example')).toBe(403)
    } finally {
      await behind.stop()
    }
  })
})

describe('the sessions of a person', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
  const all = '/api/session/all'
  async function signedInAgain(email: string) {
    return { ...fromOwnPage(cloud), cookie: cookieOf(await signIn(cloud, email, PASSWORD, { 'user-agent': FIREFOX })) }
  }
  const listed = async (headers: Record<string, string>) =>
    (await call(cloud, 'GET', all, { headers })).body.sessions as OpenSession[]

  test('are listed with where they were opened, without their tokens', async () => {
    const { email, headers } = await addAdmin()
    const other = await signedInAgain(email)
    const sessions = await listed(other)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ isCurrent }) => isCurrent)).toEqual({
      id: expect.stringMatching(/^ses_/),
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      address: '127.0.0.1',
      browser: 'Firefox on Linux',
      isCurrent: true,
    })
    for (const cookie of [headers.cookie, other.cookie]) {
      expect(JSON.stringify(sessions)).not.toContain(cookie.split('=')[1])
    }
  })

  test('are ended by their owner, one or all others', async () => {
    const { email, headers } = await addAdmin()
    const [second, third] = [await signedInAgain(email), await signedInAgain(email)]
    const current = (await listed(second)).find(({ isCurrent }) => isCurrent)
    expect((await call(cloud, 'DELETE', `${all}/${current?.id}`, { headers })).status).toBe(204)
    expect((await whoAmI(second)).status).toBe(401)
    expect((await call(cloud, 'DELETE', all, { headers })).status).toBe(204)
    expect((await whoAmI(third)).status).toBe(401)
    expect((await whoAmI(headers)).status).toBe(200)
    expect(await listed(headers)).toHaveLength(1)
  })

  test('of someone else cannot be listed or ended, and the answer is that of an unknown one', async () => {
    const victim = await addAdmin()
    const attacker = await addAdmin()
    const [theirs] = await listed(victim.headers)
    for (const id of [theirs?.id, 'ses_none']) {
      const { status, body } = await call(cloud, 'DELETE', `${all}/${id}`, { headers: attacker.headers })
      expect([status, body.message]).toEqual([404, `you have no session ${id}`])
    }
    await call(cloud, 'DELETE', all, { headers: attacker.headers })
    expect((await whoAmI(victim.headers)).status).toBe(200)
    expect((await listed(attacker.headers)).map(({ id }) => id)).not.toContain(theirs?.id)
  })
})

describe('changing the password', () => {
  const NEW = 'another good password'
  const change = (headers: Record<string, string>, body: object) =>
    call(cloud, 'PUT', '/api/session/password', { headers, body })

  test('ends all other sessions of this person only', async () => {
    const { email, headers } = await addAdmin()
    const bystander = await addAdmin()
    const elsewhere = { cookie: cookieOf(await signIn(cloud, email)) }
    expect((await change(headers, { current: PASSWORD, password: NEW })).status).toBe(204)
    expect((await whoAmI(headers)).status).toBe(200)
    expect((await whoAmI(elsewhere)).status).toBe(401)
    expect((await whoAmI(bystander.headers)).status).toBe(200)
    expect((await signIn(cloud, email)).status).toBe(401)
    expect((await signIn(cloud, email, NEW)).status).toBe(200)
  })

  test('ends an open link', async () => {
    const { userId, headers } = await addAdmin()
    const renewed = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members/${userId}/link`)
    expect((await change(headers, { current: PASSWORD, password: NEW })).status).toBe(204)
    const token = String(renewed.body.link).split('#')[1]
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
  })

  test('with a wrong current password answers 400, changes nothing and is throttled', async () => {
    const { email, headers } = await addAdmin()
    for (let times = 0; times < 5; times += 1) {
      const { status, body } = await change(headers, { current: 'wrong', password: NEW })
      expect([status, body.field]).toEqual([400, 'current'])
    }
    expect((await change(headers, { current: PASSWORD, password: NEW })).status).toBe(429)
    expect((await whoAmI(headers)).status).toBe(200)
    expect((await signIn(cloud, email)).status).toBe(429)
  })

  test('to a short password answers 400', async () => {
    const { headers } = await addAdmin()
    const { status, body } = await change(headers, { current: PASSWORD, password: 'short' })
    expect([status, body.field]).toEqual([400, 'password'])
  })

  test('without a session, or from another site, is refused', async () => {
    const { headers } = await addAdmin()
    const body = { current: PASSWORD, password: NEW }
    expect((await change({}, body)).status).toBe(401)
    expect((await change({ ...headers, origin: 'https://evil.example' }, body)).status).toBe(403)
  })
})

describe('preferences', () => {
  const choose = (headers: Record<string, string>, body: unknown) =>
    call(cloud, 'PUT', '/api/session/preferences', { headers, body })
  const userOf = async (headers: Record<string, string>) => ((await whoAmI(headers)).body as unknown as SignedIn).user

  test('belong to the account: every later session has them', async () => {
    const { email, userId, headers } = await addAdmin()
    const answer = await choose(headers, { language: 'de', locale: 'de-CH' })
    expect([answer.status, answer.body.user]).toEqual([200, { id: userId, email, language: 'de', locale: 'de-CH' }])
    const elsewhere = await signIn(cloud, email)
    expect(elsewhere.body.user).toEqual({ id: userId, email, language: 'de', locale: 'de-CH' })
    await choose(headers, { language: null, locale: null })
    expect(await userOf(headers)).toEqual({ id: userId, email })
  })

  test('change for nobody else', async () => {
    const theirs = await addPerson(cloud, (await addTenant(cloud, newId('Other'))).orgId, newAddress(), {
      role: 'admin',
    })
    const before = await userOf(theirs.headers)
    await choose((await addAdmin()).headers, { language: 'et', locale: null })
    expect(await userOf(theirs.headers)).toEqual(before)
  })

  test('are only languages and locales that the console has', async () => {
    const { headers } = await addAdmin()
    for (const body of [
      { language: 'en-XA', locale: null },
      { language: 'de', locale: 'xx' },
      { language: 'de' },
      {},
    ]) {
      expect((await choose(headers, body)).status).toBe(400)
    }
    expect((await choose({}, { language: 'de', locale: null })).status).toBe(401)
  })

  test('that a newer version stored are left out', async () => {
    const { userId, email, headers } = await addAdmin()
    await sql`UPDATE user_account SET language = 'fr', locale = 'fr-FR' WHERE id = ${userId}`.execute(db)
    expect(await userOf(headers)).toEqual({ id: userId, email, locale: 'fr-FR' })
  })
})
