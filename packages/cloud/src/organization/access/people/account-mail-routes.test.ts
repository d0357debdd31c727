import { systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { createOutboxStore } from '../../../platform/mail/outbox-store.ts'
import { createSmtp } from '../../../platform/mail/smtp.ts'
import { header, startMailServer } from '../../../platform/mail/testing/mail-server.ts'
import { sendDue } from '../../../platform/mail/testing/outbox.ts'
import { addTenant, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { hashSecret } from '../secrets.ts'
import { setUpTotp } from '../testing/factors.ts'
import { cookieOf, fromOwnPage, PASSWORD, type SignedInHeaders, signIn } from '../testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
/** Two organizations on a service that sends mail. */
let a: Tenant
let b: Tenant

beforeAll(async () => {
  cloud = await startTestCloud({ smtp: { url: 'smtp://127.0.0.1:9', from: 'plantroom@example.com' } })
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})
beforeEach(async () => {
  ;[a, b] = [await addTenant(cloud, newId('A')), await addTenant(cloud, newId('B'))]
})

const newAddress = () => `${newId('person')}@example.com`
const operator = () => ({ authorization: `Bearer ${cloud.ready.adminToken}` })
const members = ({ orgId }: Tenant) => `/api/orgs/${orgId}/members`
const invite = (tenant: Tenant, email: string) =>
  call(cloud, 'POST', members(tenant), { headers: operator(), body: { email, role: 'admin' } })
const reset = (email: string) =>
  call(cloud, 'POST', '/api/session/reset', { headers: fromOwnPage(cloud), body: { email } })
const setPassword = (token: string, password = PASSWORD) =>
  call(cloud, 'PUT', '/api/invitation', { headers: fromOwnPage(cloud), body: { token, password } })

/** The tokens that were mailed to an address, the last one last. */
async function mailed(email: string): Promise<string[]> {
  const rows = await db.selectFrom('mail').where('recipient', '=', email).select('body').orderBy('position').execute()
  return rows.map(({ body }) => /\/welcome#(\w{43})\n/.exec(body)?.[1] ?? '')
}
const lastMailed = async (email: string) => (await mailed(email)).at(-1) ?? ''

async function addPerson(tenant: Tenant) {
  const email = newAddress()
  const { body } = await invite(tenant, email)
  const headers: SignedInHeaders = {
    ...fromOwnPage(cloud),
    cookie: cookieOf(await setPassword(await lastMailed(email))),
  }
  return { email, userId: String(body.userId), headers }
}

describe('an invitation on a service that sends mail', () => {
  test('is mailed, and its link is shown to nobody else', async () => {
    const email = newAddress()
    const { status, body } = await invite(a, email)
    expect([status, body]).toMatchObject([201, { email, link: null, mailed: true, invited: true }])
    const token = await lastMailed(email)
    expect(JSON.stringify(body)).not.toContain(token)
    expect((await setPassword(token)).status).toBe(200)
    const outbox = `/api/orgs/${a.orgId}/properties/${a.siteId}/outbox`
    expect((await call(cloud, 'GET', outbox, { headers: operator() })).body.mails).toEqual([])
  })

  test('can be accepted without the link by a person whose password came by mail', async () => {
    const person = await addPerson(a)
    await invite(b, person.email)
    const join = (headers: SignedInHeaders) => call(cloud, 'PUT', `/api/session/invitations/${b.orgId}`, { headers })
    const stranger = await addPerson(a)
    expect((await join(stranger.headers)).status).toBe(404)
    const joined = await join(person.headers)
    expect([joined.status, (joined.body.organizations as { id: string }[]).map(({ id }) => id).toSorted()]).toEqual([
      200,
      [a.orgId, b.orgId].toSorted(),
    ])
    expect((await join(person.headers)).status).toBe(404)
  })

  test('of one organization stops after a hundred in an hour, with when to come back', async () => {
    const subject = hashSecret(JSON.stringify(['invitation-mail', a.orgId]))
    const ends_at = new Date(Date.now() + 30 * 60_000)
    await db.insertInto('sign_in_failure').values({ subject, failures: 100, ends_at }).execute()
    const { status, body, headers } = await invite(a, newAddress())
    expect([status, body.message]).toEqual([429, expect.stringContaining('100 invitations in an hour')])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await invite(b, newAddress())).status).toBe(201)
  })
})

describe('resetting a password', () => {
  test('mails a link that works once, for an hour, and ends the old password and sessions', async () => {
    const person = await addPerson(a)
    expect((await reset(` ${person.email.toUpperCase()} `)).status).toBe(202)
    const recorded = () =>
      db.selectFrom('activity').where('action', '=', 'password-reset-requested').where('subject_id', '=', person.userId)
    await eventually(async () => expect(await recorded().select('chain').execute()).toEqual([{ chain: a.orgId }]))
    await eventually(async () => expect(await mailed(person.email)).toHaveLength(2))
    const { expires_at } = await db
      .selectFrom('account_link')
      .where('user_id', '=', person.userId)
      .select('expires_at')
      .executeTakeFirstOrThrow()
    expect(expires_at.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000)
    const token = await lastMailed(person.email)
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).body).toEqual({
      email: person.email,
      purpose: 'password',
      organization: null,
    })
    expect((await setPassword(token, 'another good password')).status).toBe(200)
    expect((await setPassword(token, 'a third good password')).status).toBe(404)
    expect((await call(cloud, 'GET', '/api/session', { headers: person.headers })).status).toBe(401)
    expect((await signIn(cloud, person.email)).status).toBe(401)
    expect((await signIn(cloud, person.email, 'another good password')).status).toBe(200)
  })

  test('works for a member of two organizations, whose administrators cannot make a link', async () => {
    const person = await addPerson(a)
    await invite(b, person.email)
    await call(cloud, 'PUT', `/api/session/invitations/${b.orgId}`, { headers: person.headers })
    const admin = await addPerson(a)
    const link = await call(cloud, 'POST', `${members(a)}/${person.userId}/link`, { headers: admin.headers })
    expect(link.status).toBe(409)
    const before = (await mailed(person.email)).length
    await reset(person.email)
    await eventually(async () => expect(await mailed(person.email)).toHaveLength(before + 1))
    expect((await setPassword(await lastMailed(person.email), 'another good password')).status).toBe(200)
  })

  test('gives the same answer for every address, and mails only people with a password', async () => {
    const person = await addPerson(a)
    const invited = newAddress()
    await invite(a, invited)
    const nobody = newAddress()
    const answers = [await reset(nobody), await reset(invited), await reset('no address'), await reset(person.email)]
    for (const { status, body } of answers) expect([status, body]).toEqual([202, answers[0]?.body])
    await eventually(async () => expect(await mailed(person.email)).toHaveLength(2))
    expect([await mailed(nobody), (await mailed(invited)).length]).toEqual([[], 1])
  })

  test('sends at most three mails an hour to one address', async () => {
    const person = await addPerson(a)
    for (let time = 0; time < 3; time += 1) {
      await reset(person.email)
      await eventually(async () => expect(await mailed(person.email)).toHaveLength(time + 2))
    }
    const last = await lastMailed(person.email)
    const other = await addPerson(a)
    for (let time = 0; time < 3; time += 1) expect((await reset(person.email)).status).toBe(202)
    await reset(other.email)
    await eventually(async () => expect(await mailed(other.email)).toHaveLength(2))
    expect(await mailed(person.email)).toHaveLength(4)
    expect((await setPassword(last)).status).toBe(200)
  })

  test('from a page of another site is refused', async () => {
    const headers = { origin: 'https://evil.example' }
    const answer = await call(cloud, 'POST', '/api/session/reset', { headers, body: { email: newAddress() } })
    expect(answer.status).toBe(403)
  })

  test('without mail says whom to ask', async () => {
    const plain = await startTestCloud({ databaseUrl: cloud.config.databaseUrl })
    try {
      const answer = await call(plain, 'POST', '/api/session/reset', {
        headers: fromOwnPage(plain),
        body: { email: newAddress() },
      })
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('ask an administrator')])
      expect((await call(plain, 'GET', '/api/setup')).body).toEqual({ needed: false, resetByMail: false })
      expect((await call(cloud, 'GET', '/api/setup')).body).toEqual({ needed: false, resetByMail: true })
    } finally {
      await plain.stop()
    }
  })
})

test('a person is notified when a second factor is added, at most ten times an hour, and when theirs are removed', async () => {
  const { email, userId, headers } = await addPerson(a)
  const subjects = async () =>
    (await db.selectFrom('mail').where('recipient', '=', email).select('subject').orderBy('position').execute())
      .map(({ subject }) => subject)
      .slice(1)
  await setUpTotp(cloud, headers)
  const added = 'A second factor was added to your Plantroom account'
  expect(await subjects()).toEqual([added])
  const removal = { headers: operator() }
  expect((await call(cloud, 'DELETE', `${members(a)}/${userId}/factors`, removal)).status).toBe(204)
  expect(await subjects()).toEqual([added, 'Your second factors for Plantroom were removed'])
  const again = { ...fromOwnPage(cloud), cookie: cookieOf(await signIn(cloud, email)) }
  for (let times = 0; times < 12; times += 1) {
    await setUpTotp(cloud, again)
    expect((await call(cloud, 'DELETE', '/api/session/totp', { headers: again })).status).toBe(204)
  }
  expect((await subjects()).filter((subject) => subject === added)).toHaveLength(10)
})

describe('a test mail', () => {
  const send = (tenant: Tenant, headers: Record<string, string>, body: object = {}) =>
    call(cloud, 'POST', `/api/orgs/${tenant.orgId}/test-mail`, { headers, body })

  test('goes to the person who asks, and the outbox of the site lists it', async () => {
    const { email, headers } = await addPerson(a)
    const { status, body } = await send(a, headers, { siteId: a.siteId })
    expect([status, body]).toMatchObject([202, { recipient: email, siteId: a.siteId }])
    const outbox = await call(cloud, 'GET', `/api/orgs/${a.orgId}/properties/${a.siteId}/outbox`, { headers })
    expect(outbox.body.mails).toMatchObject([
      { id: body.mailId, recipient: email, subject: 'Test mail from Plantroom', state: 'waiting', ticketNumber: null },
    ])
    const log = await call(cloud, 'GET', `/api/orgs/${a.orgId}/activity?action=mail-tested`, { headers })
    expect(log.body.entries).toMatchObject([{ siteId: a.siteId, details: { to: email } }])
  })

  test('arrives, and the outbox says why one that the mail server refuses does not', async () => {
    const [person, refused] = [await addPerson(a), await addPerson(a)]
    const server = await startMailServer({
      onRcptTo({ address }, _session, done) {
        done(address === refused.email ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null)
      },
    })
    for (const { headers } of [person, refused]) await send(a, headers, { siteId: a.siteId })
    const store = createOutboxStore(db, { mailsPerHour: 1000 })
    const smtp = createSmtp({ url: server.url, from: 'plantroom@example.com' })
    await sendDue(db, { store, smtp, clock: systemClock, log: createLog('test', 'silent') })
    // Also mails of the other tests arrive.
    const arrived = server.delivered
      .filter(({ to }) => to.includes(person.email))
      .map(({ raw }) => header(raw, 'Subject'))
    expect(arrived).toContain('Test mail from Plantroom')
    const outbox = `/api/orgs/${a.orgId}/properties/${a.siteId}/outbox`
    expect((await call(cloud, 'GET', outbox, { headers: person.headers })).body.mails).toMatchObject([
      { recipient: refused.email, state: 'failed', error: expect.stringContaining('No such user') },
      { recipient: person.email, state: 'sent', error: null },
    ])
  })

  test('goes to no other address, except for the operator, who has none', async () => {
    const { headers } = await addPerson(a)
    expect((await send(a, headers, { to: newAddress() })).body).toMatchObject({ code: 'INVALID', field: 'to' })
    expect((await send(a, operator())).body).toMatchObject({ code: 'INVALID', field: 'to' })
    const to = newAddress()
    expect((await send(a, operator(), { to })).body).toMatchObject({ recipient: to, siteId: null })
  })

  test('is in the outbox of no site of another organization', async () => {
    const { headers } = await addPerson(a)
    expect((await send(a, headers, { siteId: b.siteId })).body).toMatchObject({ code: 'INVALID', field: 'siteId' })
  })

  test('can be sent five times an hour by an organization', async () => {
    const { headers } = await addPerson(a)
    const statuses: number[] = []
    for (let times = 0; times < 6; times += 1) statuses.push((await send(a, headers)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    expect((await send(b, (await addPerson(b)).headers)).status).toBe(202)
  })
})
