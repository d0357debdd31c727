import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { codeOf, cookiesOf, setUpTotp } from '../testing/factors.ts'
import { addPerson, cookieOf, fromOwnPage, PASSWORD, signIn } from '../testing/people.ts'
import { createFactorStore } from './factor-store.ts'
import { hashRecoveryCode } from './recovery-codes.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud({ trustedProxies: ['127.0.0.1'] })
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

const run = (text: string) => sql.raw(text).execute(db)
const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  call(cloud, method, path, { headers, body })
const whoAmI = async (headers: Record<string, string>) => (await ask('GET', '/api/session', headers)).status

/** A person with an authenticator app whose first code can be used again. */
async function addPersonWithApp() {
  const email = `${newId('person')}@example.com`
  const person = await addPerson(cloud, tenant.orgId, email, { role: 'admin' })
  const app = await setUpTotp(cloud, person.headers)
  await run(`UPDATE totp SET last_step = 0 WHERE user_id = '${person.userId}'`)
  return { email, ...person, ...app }
}

/** Sends the password and returns the cookies of the browser that has to answer. */
async function firstStep(email: string, headers: Record<string, string> = {}) {
  const answer = await signIn(cloud, email, PASSWORD, headers)
  return { answer, headers: { ...fromOwnPage(cloud), ...headers, cookie: cookiesOf(answer) } }
}
const secondStep = (headers: Record<string, string>, body: object) =>
  ask('POST', '/api/session/second-factor', headers, body)

describe('an authenticator app', () => {
  test('is off until a code shows that it has the secret, and then keeps the session and gives ten codes', async () => {
    const email = `${newId('person')}@example.com`
    const { headers, userId } = await addPerson(cloud, tenant.orgId, email, { role: 'admin' })
    const other = { ...fromOwnPage(cloud), cookie: cookieOf(await signIn(cloud, email)) }
    const { body } = await ask('POST', '/api/session/totp', headers)
    const wrong = await ask('PUT', '/api/session/totp', headers, { code: '000000' })
    expect([wrong.status, wrong.body.field]).toEqual([400, 'code'])
    expect((await ask('GET', '/api/session/factors', headers)).body).toEqual({
      ...{ totp: false, passkeys: [], recoveryCodes: 0 },
    })
    expect((await signIn(cloud, email)).body.user).toBeDefined()

    const code = await codeOf(String(body.secret))
    const on = await ask('PUT', '/api/session/totp', headers, { code })
    expect(new Set(on.body.recoveryCodes as string[]).size).toBe(10)
    expect((on.body.recoveryCodes as string[])[0]).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await ask('GET', '/api/session/factors', headers)).body).toEqual({
      ...{ totp: true, passkeys: [], recoveryCodes: 10 },
    })
    // Sessions from before, which were opened without it, have ended.
    expect([await whoAmI(headers), await whoAmI(other)]).toEqual([200, 401])

    const again = await ask('POST', '/api/session/totp', headers)
    expect([again.status, again.body.message]).toEqual([
      409,
      'an authenticator app is already set up: turn it off first',
    ])
    expect(JSON.stringify((await ask('GET', '/api/session/factors', headers)).body)).not.toContain(body.secret)
    const { rows } = await sql<{ secret: Buffer }>`SELECT secret FROM totp WHERE user_id = ${userId}`.execute(db)
    expect(rows[0]?.secret.toString('latin1')).not.toContain(body.secret)
  })

  test('is asked for after the password, and nothing else is reachable in between', async () => {
    const { email, secret } = await addPersonWithApp()
    const { answer, headers } = await firstStep(email)
    expect([answer.status, answer.body]).toEqual([200, { secondFactor: { methods: ['totp', 'recovery-code'] } }])
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-challenge-plantroom=[0-9A-Za-z]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    const [, token = ''] = headers.cookie.split('=')
    for (const cookie of [headers.cookie, `__Host-plantroom=${token}`]) {
      for (const [method, path] of [
        ['GET', '/api/session'],
        ['GET', '/api/session/factors'],
        ['DELETE', '/api/session/totp'],
        ['POST', '/api/session/verify'],
        ['GET', `/api/orgs/${tenant.orgId}/sites`],
        ['GET', `/api/orgs/${tenant.orgId}/reports`],
      ] as const) {
        expect([path, (await ask(method, path, { ...headers, cookie }, undefined)).status]).toEqual([path, 401])
      }
    }
    const done = await secondStep(headers, { code: await codeOf(secret) })
    expect([done.status, (done.body.user as { email: string }).email]).toEqual([200, email])
    expect(cookiesOf(done)).toMatch(/^__Host-plantroom=\w{43};.*; __Host-challenge-plantroom=$/)
    expect(await whoAmI({ cookie: cookieOf(done) })).toBe(200)
    // The challenge is over.
    await run('UPDATE totp SET last_step = 0')
    expect((await secondStep(headers, { code: await codeOf(secret) })).status).toBe(401)
  })

  test('is also asked for after a new password was set with a link', async () => {
    const { email, userId, secret } = await addPersonWithApp()
    const { body } = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members/${userId}/link`)
    const token = String(body.link).split('#')[1]
    const set = await ask('PUT', '/api/invitation', fromOwnPage(cloud), { token, password: `${PASSWORD}2` })
    expect([set.status, Object.keys(set.body)]).toEqual([200, ['secondFactor']])
    const headers = { ...fromOwnPage(cloud), cookie: cookiesOf(set) }
    expect((await secondStep(headers, { code: await codeOf(secret) })).status).toBe(200)
    expect((await signIn(cloud, email, `${PASSWORD}2`)).body.secondFactor).toBeDefined()
  })

  test('accepts each code once', async () => {
    const { email, secret } = await addPersonWithApp()
    const code = await codeOf(secret)
    const [one, other] = [await firstStep(email), await firstStep(email)]
    const statuses = await Promise.all([secondStep(one.headers, { code }), secondStep(other.headers, { code })])
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await secondStep((await firstStep(email)).headers, { code })).status).toBe(401)
  })

  test('is turned off by its owner, and then nothing is left of it', async () => {
    const { email, headers } = await addPersonWithApp()
    expect((await ask('DELETE', '/api/session/totp', headers)).status).toBe(204)
    expect((await ask('DELETE', '/api/session/totp', headers)).status).toBe(404)
    expect((await ask('GET', '/api/session/factors', headers)).body).toEqual({
      ...{ totp: false, passkeys: [], recoveryCodes: 0 },
    })
    expect((await signIn(cloud, email)).body.user).toBeDefined()
    expect((await ask('POST', '/api/session/recovery-codes', headers)).status).toBe(409)
  })
})

describe('a recovery code', () => {
  test('works once, however it is typed, and new ones replace the others', async () => {
    const { email, recoveryCodes } = await addPersonWithApp()
    const [code = '', second = ''] = recoveryCodes
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    const done = await secondStep((await firstStep(email)).headers, { recoveryCode: ` ${typed} ` })
    expect(done.status).toBe(200)
    expect((await secondStep((await firstStep(email)).headers, { recoveryCode: code })).status).toBe(401)
    const headers = { ...fromOwnPage(cloud), cookie: cookieOf(done) }
    expect((await ask('GET', '/api/session/factors', headers)).body.recoveryCodes).toBe(9)
    const renewed = (await ask('POST', '/api/session/recovery-codes', headers)).body.recoveryCodes as string[]
    expect(renewed).toHaveLength(10)
    expect((await secondStep((await firstStep(email)).headers, { recoveryCode: second })).status).toBe(401)
    expect((await secondStep((await firstStep(email)).headers, { recoveryCode: renewed[0] })).status).toBe(200)
  })

  test('of one person does not work for another', async () => {
    const [mari, jaan] = [await addPersonWithApp(), await addPersonWithApp()]
    const recoveryCode = mari.recoveryCodes[0]
    expect((await secondStep((await firstStep(jaan.email)).headers, { recoveryCode })).status).toBe(401)
    expect((await secondStep((await firstStep(mari.email)).headers, { recoveryCode })).status).toBe(200)
  })
})

test('a code and a recovery code are each used once by two processes at the same moment', async () => {
  const { userId, recoveryCodes } = await addPersonWithApp()
  const others = Array.from({ length: 4 }, () =>
    openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent')),
  )
  onTestFinished(async () => void (await Promise.all(others.map((other) => other.destroy()))))
  const stores = others.map(createFactorStore)
  for (let step = 1; step <= 20; step += 1) {
    const used = await Promise.all(stores.map((store) => store.useStep(userId, step)))
    expect(used.filter(Boolean)).toHaveLength(1)
  }
  for (const code of recoveryCodes) {
    const used = await Promise.all(stores.map((store) => store.useRecoveryCode(userId, hashRecoveryCode(userId, code))))
    expect(used.filter(Boolean)).toHaveLength(1)
  }
})

describe('a half-finished sign-in', () => {
  test('belongs to one account, whatever else the browser sends', async () => {
    const [mari, jaan] = [await addPersonWithApp(), await addPersonWithApp()]
    const { headers } = await firstStep(mari.email)
    expect((await secondStep(headers, { code: await codeOf(jaan.secret) })).status).toBe(401)
    const both = { ...headers, cookie: `${headers.cookie}; ${jaan.headers.cookie}` }
    expect((await secondStep(both, { code: await codeOf(jaan.secret) })).status).toBe(401)
    const without = { ...fromOwnPage(cloud), cookie: jaan.headers.cookie }
    expect((await secondStep(without, { code: await codeOf(mari.secret) })).status).toBe(401)
  })

  test('ends after five wrong codes, also for the right one', async () => {
    const { email, secret } = await addPersonWithApp()
    const { headers } = await firstStep(email, { 'x-forwarded-for': '198.18.0.1' })
    for (let times = 0; times < 5; times += 1) {
      const from = { ...headers, 'x-forwarded-for': `198.18.0.${10 + times}` }
      expect((await secondStep(from, { code: '000000' })).body.message).toMatch(/wrong or was used before/)
    }
    const late = await secondStep({ ...headers, 'x-forwarded-for': '198.18.0.20' }, { code: await codeOf(secret) })
    expect([late.status, late.body.message]).toEqual([401, expect.stringMatching(/five minutes or five attempts/)])
  })

  test('ends after five minutes', async () => {
    const { email, userId, recoveryCodes, headers: own } = await addPersonWithApp()
    const { headers } = await firstStep(email)
    await run(`UPDATE sign_in_challenge SET expires_at = now() WHERE user_id = '${userId}'`)
    expect((await secondStep(headers, { recoveryCode: recoveryCodes[0] })).status).toBe(401)
    // And uses up nothing.
    expect((await ask('GET', '/api/session/factors', own)).body.recoveryCodes).toBe(10)
  })

  test('does not open a session after the password was changed', async () => {
    const { email, secret, headers: own } = await addPersonWithApp()
    const { headers } = await firstStep(email)
    const changes = { current: PASSWORD, password: `${PASSWORD} changed` }
    expect((await ask('PUT', '/api/session/password', own, changes)).status).toBe(204)
    const { status, body, headers: sent } = await secondStep(headers, { code: await codeOf(secret) })
    expect([status, body.message, sent.getSetCookie()]).toEqual([401, expect.stringMatching(/sign in again/), []])
  })

  test('needs one proof, and a page of our own', async () => {
    const { email, secret, recoveryCodes } = await addPersonWithApp()
    const { headers } = await firstStep(email)
    const code = await codeOf(secret)
    for (const body of [{}, { password: PASSWORD }, { code, recoveryCode: recoveryCodes[0] }]) {
      expect((await secondStep(headers, body)).status).toBe(400)
    }
    expect((await secondStep({ ...headers, origin: 'https://evil.example' }, { code })).status).toBe(403)
    expect((await secondStep({ cookie: headers.cookie }, { code })).status).toBe(403)
    expect((await secondStep(headers, { code })).status).toBe(200)
  })
})

test('six digits cannot be guessed: each account allows 20 wrong codes, from everywhere, then the wait doubles', async () => {
  const { email, secret } = await addPersonWithApp()
  let next = 0
  const guess = async (code: string, address?: string) => {
    next += 1
    // A right password in between does not forgive wrong codes.
    const from = address ?? `198.18.${next >> 8}.${next & 255}`
    const { headers } = await firstStep(email, { 'x-forwarded-for': from })
    return secondStep(headers, { code })
  }
  for (let times = 0; times < 5; times += 1) expect((await guess('000000', '198.19.0.1')).status).toBe(401)
  expect((await guess('000000', '198.19.0.1')).status).toBe(429)
  for (let times = 0; times < 15; times += 1) expect((await guess('000000')).status).toBe(401)
  const first = await guess(await codeOf(secret))
  expect([first.status, first.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
  expect(Number(first.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
  await run(`UPDATE sign_in_failure SET ends_at = now()`)
  for (let times = 0; times < 20; times += 1) expect((await guess('000000')).status).toBe(401)
  const second = await guess(await codeOf(secret))
  expect(second.status).toBe(429)
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(29 * 60)
})
