import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../db/database.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
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
const whoAmI = (headers: Record<string, string>) => call(cloud, 'GET', '/api/session', { headers })
const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows

describe('signing in', () => {
  test('answers who it is and what is theirs, with a cookie that only a browser of theirs sends', async () => {
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
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-plantroom=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const again = await whoAmI({ cookie: cookieOf(answer) })
    expect([again.status, again.body]).toEqual([200, answer.body])
  })

  test('shows somebody with roles on sites those sites', async () => {
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

  test('of somebody unknown, of somebody invited, and with a wrong password get one and the same answer', async () => {
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

  test('is refused after five failures of an account from an address, with the time to wait, and then the password is not looked at', async () => {
    const { email } = await addAdmin()
    for (let times = 0; times < 5; times += 1) expect((await signIn(cloud, email, 'wrong')).status).toBe(401)
    const { status, body, headers } = await signIn(cloud, email)
    expect([status, body.code, body.message]).toEqual([
      429,
      'TOO_MANY_ATTEMPTS',
      'too many attempts to sign in have failed: try again in 15 minutes',
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect((await signIn(cloud, email, PASSWORD, { 'x-forwarded-for': '198.51.100.7' })).status).toBe(200)
  })

  test('with success clears what failed before', async () => {
    const { email } = await addAdmin()
    for (let round = 0; round < 3; round += 1) {
      for (let times = 0; times < 4; times += 1) expect((await signIn(cloud, email, 'wrong')).status).toBe(401)
      expect((await signIn(cloud, email)).status).toBe(200)
    }
  })

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from nowhere', {}],
    ['from a page without an origin', { origin: 'null' }],
    ['from our name on another port', { origin: 'http://127.0.0.1:1' }],
  ])('%s is 403', async (_where, headers: Record<string, string>) => {
    const { email } = await addAdmin()
    const answer = await call(cloud, 'POST', '/api/session', { headers, body: { email, password: PASSWORD } })
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('Origin')])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('again ends the session that the browser had', async () => {
    const { email, headers } = await addAdmin()
    await signIn(cloud, email, PASSWORD, headers)
    expect((await whoAmI(headers)).status).toBe(401)
  })

  test.each([
    ['nothing', {}],
    ['no password', { email: 'a@example.com' }],
    ['what is no text', { email: ['a@example.com'], password: PASSWORD }],
    ['a password without end', { email: 'a@example.com', password: 'x'.repeat(1025) }],
  ])('with %s is 400', async (_what, body) => {
    expect((await call(cloud, 'POST', '/api/session', { headers: fromOwnPage(cloud), body })).status).toBe(400)
  })
})

describe('a session', () => {
  test('is in the database as a hash only, and so is a link', async () => {
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
      await rows('SELECT t::text FROM invitation t'),
      await rows('SELECT t::text FROM user_account t'),
      await rows('SELECT t::text FROM sign_in_failure t'),
    ])
    for (const secret of [token, link, PASSWORD]) {
      expect(everything).not.toContain(secret)
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  test('ends when its person signs out, in a browser that forgets it, and no other ends with it', async () => {
    const { email, headers } = await addAdmin()
    const elsewhere = { cookie: cookieOf(await signIn(cloud, email)) }
    const out = await call(cloud, 'DELETE', '/api/session', { headers })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toBe('__Host-plantroom=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
    expect((await whoAmI(headers)).status).toBe(401)
    expect((await whoAmI(elsewhere)).status).toBe(200)
  })

  test('that ends is ended in every process', async () => {
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
    ['has what no token holds', `__Host-plantroom=${"' OR 1=1 --".padEnd(43, 'x')}`],
    ['has percent signs', '__Host-plantroom=%00%ff%zz'],
    ['is there many times', Array.from({ length: 200 }, () => `__Host-plantroom=${made}`).join('; ')],
    [
      'is behind many others',
      `${Array.from({ length: 500 }, (_, index) => `c${index}=1`).join('; ')}; __Host-plantroom=${made}`,
    ],
    ['is behind nothing but separators', `${';'.repeat(2000)}__Host-plantroom==;=`],
    ['is of another name', `plantroom=${made}; __Host-plantroom2=${made}`],
  ])('that %s is 401', async (_what, cookie) => {
    for (const path of ['/api/session', `/api/orgs/${tenant.orgId}/sites`]) {
      const { status, body } = await call(cloud, 'GET', path, { headers: { cookie } })
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
    }
  })

  test('does not count beside a key or a token: those alone are judged', async () => {
    const { headers } = await addAdmin()
    const path = `/api/orgs/${tenant.orgId}/sites`
    expect((await call(cloud, 'GET', path, { headers })).status).toBe(200)
    for (const wrong of [{ authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong' }]) {
      expect((await call(cloud, 'GET', path, { headers: { ...headers, ...wrong } })).status).toBe(401)
    }
  })

  test('is opened from the address that people open, where that is set', async () => {
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

describe('a change of the password', () => {
  const NEW = 'another good password'
  const change = (headers: Record<string, string>, body: object) =>
    call(cloud, 'PUT', '/api/session/password', { headers, body })

  test('ends all other sessions of this person, and no one else’s', async () => {
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

  test('ends a link to set one', async () => {
    const { userId, headers } = await addAdmin()
    const renewed = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members/${userId}/link`)
    expect((await change(headers, { current: PASSWORD, password: NEW })).status).toBe(204)
    const token = String(renewed.body.link).split('#')[1]
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
  })

  test('without the current one is 400 and changes nothing, and is throttled as signing in is', async () => {
    const { email, headers } = await addAdmin()
    for (let times = 0; times < 5; times += 1) {
      const { status, body } = await change(headers, { current: 'wrong', password: NEW })
      expect([status, body.field]).toEqual([400, 'current'])
    }
    expect((await change(headers, { current: PASSWORD, password: NEW })).status).toBe(429)
    expect((await whoAmI(headers)).status).toBe(200)
    expect((await signIn(cloud, email, PASSWORD, { 'x-forwarded-for': '198.51.100.8' })).status).toBe(200)
  })

  test('to a short one is 400', async () => {
    const { headers } = await addAdmin()
    const { status, body } = await change(headers, { current: PASSWORD, password: 'short' })
    expect([status, body.field]).toEqual([400, 'password'])
  })

  test('by nobody, or from another site, is refused', async () => {
    const { headers } = await addAdmin()
    const body = { current: PASSWORD, password: NEW }
    expect((await change({}, body)).status).toBe(401)
    expect((await change({ ...headers, origin: 'https://evil.example' }, body)).status).toBe(403)
  })
})
