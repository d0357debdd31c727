import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type { Member } from '@plantroom/contract/roles'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { hashSecret } from '../secrets.ts'
import { addPerson, fromOwnPage, PASSWORD, type SignedInHeaders, signIn } from '../testing/people.ts'
import { createLinkStore } from './link-store.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let tenant: Tenant
/** An administrator of the tenant. */
let admin: { userId: string; email: string; headers: SignedInHeaders }

beforeAll(async () => {
  cloud = await startTestCloud()
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})
beforeEach(async () => {
  tenant = await addTenant(cloud, newId('Organization'))
  admin = await add({ role: 'admin' })
})

const newAddress = () => `${newId('person')}@example.com`
const members = (orgId = tenant.orgId) => `/api/orgs/${orgId}/members`
const asAdmin = (method: string, path: string, body?: object) =>
  call(cloud, method, path, { headers: admin.headers, body })
const invite = (email: string, roles: object) => asAdmin('POST', members(), { email, ...roles })
const list = async (orgId = tenant.orgId) =>
  (await asOperator(cloud, 'GET', members(orgId))).body.members as unknown as Member[]
const manages = (...siteIds: string[]) => ({ sites: siteIds.map((siteId) => ({ siteId, role: 'manager' as const })) })
const tokenIn = (link: unknown) => String(link).split('#')[1] ?? ''
const setPassword = (token: string, password = PASSWORD) =>
  call(cloud, 'PUT', '/api/invitation', { headers: fromOwnPage(cloud), body: { token, password } })
const whoAmI = async (headers: SignedInHeaders) => (await call(cloud, 'GET', '/api/session', { headers })).status

async function add(roles: Parameters<typeof addPerson>[3], orgId = tenant.orgId) {
  const email = newAddress()
  return { email, ...(await addPerson(cloud, orgId, email, roles)) }
}

/** Invites a person who has an account and accepts for them. */
async function inviteAndJoin(person: { email: string; headers: SignedInHeaders }, roles: object = { role: 'admin' }) {
  const { body } = await invite(person.email, roles)
  const joined = await call(cloud, 'POST', '/api/session/invitations', {
    headers: person.headers,
    body: { token: tokenIn(body.link) },
  })
  expect(joined.status).toBe(200)
}

describe('a new member', () => {
  test('gets a link to set a password, which signs them in with their roles', async () => {
    const email = newAddress()
    const added = await invite(email.toUpperCase(), manages(tenant.siteId))
    const member = {
      userId: expect.any(String),
      email,
      role: null,
      allSites: null,
      tags: [],
      sites: [{ siteId: tenant.siteId, role: 'manager' }],
      lastSeenAt: null,
      invited: true,
    }
    const link = expect.stringMatching(new RegExp(`^${cloud.ready.baseUrl}/welcome#[0-9A-Za-z]{43}$`))
    expect([added.status, added.body]).toEqual([201, { ...member, link, mailed: false }])
    expect(await list()).toContainEqual(member)

    const token = tokenIn(added.body.link)
    const invitation = await call(cloud, 'POST', '/api/invitation', { body: { token } })
    expect([invitation.status, invitation.body]).toEqual([
      200,
      { email, purpose: 'join-new', organization: expect.any(String) },
    ])
    const accepted = await setPassword(token)
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      { user: { email }, organizations: [{ isAdmin: false, sites: [{ id: tenant.siteId, role: 'manager' }] }] },
    ])
    expect(accepted.headers.get('set-cookie')).toMatch(/^__Host-plantroom=/)
    expect(await list()).toContainEqual({ ...member, invited: false, lastSeenAt: expect.any(String) })
    expect((await signIn(cloud, email)).status).toBe(200)
  })

  test('with an account in another organization has no access until they accept with their link', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const known = await add({ role: 'admin' }, other.orgId)
    const added = await invite(known.email, { role: 'admin' })
    expect([added.status, added.body]).toMatchObject([
      201,
      { userId: known.userId, invited: true, lastSeenAt: null, role: 'admin', link: expect.any(String) },
    ])
    const organizations = async () =>
      ((await signIn(cloud, known.email)).body.organizations as { id: string }[]).map(({ id }) => id)
    expect(await organizations()).toEqual([other.orgId])

    const token = tokenIn(added.body.link)
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).body).toMatchObject({ purpose: 'join' })
    const { headers } = known
    const invitations = () => call(cloud, 'GET', '/api/session/invitations', { headers })
    expect((await invitations()).body.invitations).toEqual([
      { orgId: tenant.orgId, organization: expect.any(String), isAdmin: true, needsLink: true },
    ])
    expect((await call(cloud, 'PUT', `/api/session/invitations/${tenant.orgId}`, { headers })).status).toBe(409)
    const joined = await call(cloud, 'POST', '/api/session/invitations', { headers, body: { token } })
    expect([joined.status, joined.body]).toMatchObject([200, { user: { id: known.userId } }])
    expect((await organizations()).toSorted()).toEqual([tenant.orgId, other.orgId].toSorted())
    expect((await invitations()).body.invitations).toEqual([])
    expect((await list()).find(({ userId }) => userId === known.userId)?.invited).toBe(false)
    expect((await call(cloud, 'POST', '/api/session/invitations', { headers, body: { token } })).status).toBe(404)
  })

  test('can decline, which leaves their other organization and no trace', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const known = await add({ role: 'admin' }, other.orgId)
    const { body } = await invite(known.email, { role: 'admin' })
    const decline = () => call(cloud, 'DELETE', `/api/session/invitations/${tenant.orgId}`, { headers: known.headers })
    expect((await decline()).status).toBe(204)
    expect((await decline()).status).toBe(404)
    expect(await list()).not.toContainEqual(expect.objectContaining({ email: known.email }))
    const token = tokenIn(body.link)
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
    expect(await whoAmI(known.headers)).toBe(200)
  })

  test('invited by two organizations joins only the one whose link they use', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const email = newAddress()
    const first = await asOperator(cloud, 'POST', members(other.orgId), { email, role: 'admin' })
    const second = await invite(email, { role: 'admin' })
    const accepted = await setPassword(tokenIn(first.body.link))
    expect(accepted.body.organizations).toMatchObject([{ id: other.orgId }])
    const again = await setPassword(tokenIn(second.body.link), 'chosen by somebody else')
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('already has an account')])
    expect((await signIn(cloud, email)).status).toBe(200)
  })

  test('who is already a member answers 409 and keeps their roles', async () => {
    const person = await add(manages(tenant.siteId))
    const { status, body } = await invite(person.email, { role: 'admin' })
    expect([status, body.message]).toEqual([409, `${person.email} is already a member: change their roles instead`])
    expect((await list()).find(({ userId }) => userId === person.userId)?.role).toBeNull()
  })

  test('added by concurrent requests is added once', async () => {
    const email = newAddress()
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(email, { role: 'admin' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  })

  test('added by two organizations concurrently gets one account', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const email = newAddress()
    const answers = await Promise.all(
      [tenant, other].map(({ orgId }) => asOperator(cloud, 'POST', members(orgId), { email, role: 'admin' })),
    )
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(201)
    expect(await db.selectFrom('user_account').where('email', '=', email).selectAll().execute()).toHaveLength(1)
  })

  test.each([
    ['no address', () => ({ role: 'admin' }), 'email'],
    ['an invalid address', () => ({ email: 'mari', role: 'admin' }), 'email'],
    ['no role', () => ({ email: newAddress() }), 'body'],
    ['an unknown role', () => ({ email: newAddress(), role: 'owner' }), 'role'],
    ['a site role for the organization', () => ({ email: newAddress(), role: 'manager' }), 'role'],
    ['no sites', () => ({ email: newAddress(), sites: [] }), 'sites'],
    ['an unknown site', () => ({ email: newAddress(), ...manages('site_none') }), 'sites'],
    ['a site twice', () => ({ email: newAddress(), ...manages(tenant.siteId, tenant.siteId) }), 'sites'],
    ['both role and sites', () => ({ email: newAddress(), role: 'admin', ...manages(tenant.siteId) }), 'sites'],
    [
      'the admin role on one site',
      () => ({ email: newAddress(), sites: [{ siteId: tenant.siteId, role: 'admin' }] }),
      'sites[0].role',
    ],
  ])('with %s answers 400 and adds no member', async (_what, body, field) => {
    const before = await list()
    const answer = await asAdmin('POST', members(), body())
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([400, 'INVALID', field])
    expect(await list()).toEqual(before)
  })

  test('on a site of another organization answers 400', async () => {
    const other = await addTenant(cloud, newId('Other'))
    expect((await invite(newAddress(), manages(other.siteId))).status).toBe(400)
  })

  test('of an unknown organization answers 404', async () => {
    const { status } = await asOperator(cloud, 'POST', members('org_none'), { email: newAddress(), role: 'admin' })
    expect(status).toBe(404)
  })
})

describe('the members of an organization', () => {
  test('do not include anyone of another organization', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const stranger = await add({ role: 'admin' }, other.orgId)
    const shared = await add({ role: 'admin' }, other.orgId)
    await invite(shared.email, manages(tenant.siteId))
    const listed = (await asAdmin('GET', members())).body.members as unknown as Member[]
    expect(listed.map(({ email }) => email).toSorted()).toEqual([admin.email, shared.email].toSorted())
    expect(listed.find(({ email }) => email === shared.email)).toMatchObject({ role: null, ...manages(tenant.siteId) })
    expect((await list(other.orgId)).map(({ email }) => email).toSorted()).toEqual(
      [stranger.email, shared.email].toSorted(),
    )
  })
})

describe('a link', () => {
  test('works once, even for concurrent requests', async () => {
    const token = tokenIn((await invite(newAddress(), { role: 'admin' })).body.link)
    const answers = await Promise.all([setPassword(token), setPassword(token), setPassword(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
  })

  test('expires after seven days', async () => {
    const { body } = await invite(newAddress(), { role: 'admin' })
    const userId = String(body.userId)
    const { expires_at } = await db
      .selectFrom('account_link')
      .where('user_id', '=', userId)
      .select('expires_at')
      .executeTakeFirstOrThrow()
    expect(Math.abs(expires_at.getTime() - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000)
    await db.updateTable('account_link').set({ expires_at: new Date() }).where('user_id', '=', userId).execute()
    const token = tokenIn(body.link)
    expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
    expect((await setPassword(token)).status).toBe(404)
  })

  test('that expires while the password is being hashed does not set it', async () => {
    const { body } = await invite(newAddress(), { role: 'admin' })
    const token = tokenIn(body.link)
    const links = createLinkStore(db)
    const at = (days: number) => new Date(Date.now() + days * 86_400_000)
    expect(await links.setPassword(hashSecret(token), 'late', at(8))).toBeUndefined()
    const used = await links.setPassword(hashSecret(token), 'in time', at(6))
    expect(used?.userId).toBe(body.userId)
    expect(await links.setPassword(hashSecret(token), 'again', at(6))).toBeUndefined()
  })

  test.each(['', 'x', '0'.repeat(43), "'; DROP TABLE invitation; --", 'x'.repeat(1024)])(
    'that is unknown ("%s") answers 404',
    async (token) => {
      expect((await call(cloud, 'POST', '/api/invitation', { body: { token } })).status).toBe(404)
      expect((await setPassword(token)).status).toBe(404)
    },
  )

  test('still works after a password that is too short', async () => {
    const token = tokenIn((await invite(newAddress(), { role: 'admin' })).body.link)
    const { status, body } = await setPassword(token, 'short')
    expect([status, body.message]).toEqual([400, 'password must have at least 12 characters'])
    expect((await setPassword(token)).status).toBe(200)
  })

  test('cannot be used from a page of another site', async () => {
    const token = tokenIn((await invite(newAddress(), { role: 'admin' })).body.link)
    const headers = { origin: 'https://evil.example' }
    const answer = await call(cloud, 'PUT', '/api/invitation', { headers, body: { token, password: PASSWORD } })
    expect(answer.status).toBe(403)
  })

  test('replaces the previous link; using it ends the old password and all sessions', async () => {
    const person = await add({ role: 'admin' })
    const renew = async () => asAdmin('POST', `${members()}/${person.userId}/link`)
    const [first, second] = [await renew(), await renew()]
    expect([second.status, second.body]).toMatchObject([200, { userId: person.userId, link: expect.any(String) }])
    expect((await setPassword(tokenIn(first.body.link))).status).toBe(404)
    expect(await whoAmI(person.headers)).toBe(200)
    expect((await setPassword(tokenIn(second.body.link), 'another good password')).status).toBe(200)
    expect(await whoAmI(person.headers)).toBe(401)
    expect((await signIn(cloud, person.email)).status).toBe(401)
    expect((await signIn(cloud, person.email, 'another good password')).status).toBe(200)
  })

  test('can be created only by the operator for a member of two organizations', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const person = await add({ role: 'admin' }, other.orgId)
    await inviteAndJoin(person)
    const { status, body } = await asAdmin('POST', `${members()}/${person.userId}/link`)
    expect([status, body.message]).toEqual([409, expect.stringContaining('Forgot your password?')])
    const byOperator = await asOperator(cloud, 'POST', `${members()}/${person.userId}/link`)
    expect([byOperator.status, byOperator.body.link]).toEqual([200, expect.any(String)])
  })
})

describe('changing roles', () => {
  const change = (userId: string, roles: object) => asAdmin('PATCH', `${members()}/${userId}`, roles)
  const sitesSeenBy = async (headers: SignedInHeaders) =>
    (await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/sites`, { headers })).status

  test('applies immediately, even in open sessions', async () => {
    const person = await add(manages(tenant.siteId))
    const mayAdd = async () =>
      (await call(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { headers: person.headers, body: {} })).status
    expect(await mayAdd()).toBe(403)
    const changed = await change(person.userId, { role: 'admin' })
    expect([changed.status, changed.body]).toMatchObject([200, { userId: person.userId, role: 'admin', sites: [] }])
    expect(await mayAdd()).toBe(400)
    const viewer = { sites: [{ siteId: tenant.siteId, role: 'viewer' }] }
    expect((await change(person.userId, viewer)).body).toMatchObject({ role: null, ...viewer })
    expect(await mayAdd()).toBe(403)
    expect(await sitesSeenBy(person.headers)).toBe(200)
  })

  test('of the last administrator who can sign in answers 409; an invited one does not count', async () => {
    await invite(newAddress(), { role: 'admin' })
    const { status, body } = await change(admin.userId, manages(tenant.siteId))
    expect([status, body.message]).toEqual([409, expect.stringContaining('the last administrator')])
    expect((await asAdmin('DELETE', `${members()}/${admin.userId}`)).status).toBe(409)
    expect((await asOperator(cloud, 'DELETE', `${members()}/${admin.userId}`)).status).toBe(409)
    await add({ role: 'admin' })
    expect((await change(admin.userId, manages(tenant.siteId))).status).toBe(200)
  })

  test('of the last two administrators concurrently leaves one', async () => {
    const two = [admin.userId, (await add({ role: 'admin' })).userId]
    for (let round = 0; round < 10; round += 1) {
      const demote = (userId: string) => asOperator(cloud, 'PATCH', `${members()}/${userId}`, manages(tenant.siteId))
      const answers = await Promise.all(two.map(demote))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      for (const userId of two) await asOperator(cloud, 'PATCH', `${members()}/${userId}`, { role: 'admin' })
    }
  })

  test('to a site of another organization answers 400 and changes nothing', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const person = await add(manages(tenant.siteId))
    expect((await change(person.userId, manages(other.siteId))).status).toBe(400)
    expect(await sitesSeenBy(person.headers)).toBe(200)
  })

  test.each(['PATCH', 'DELETE', 'POST'])('of someone who is not a member answers 404 (%s)', async (method) => {
    const other = await addTenant(cloud, newId('Other'))
    const theirs = await add({ role: 'admin' }, other.orgId)
    for (const userId of ['usr_none', theirs.userId]) {
      const path = `${members()}/${userId}${method === 'POST' ? '/link' : ''}`
      const body = method === 'PATCH' ? { role: 'admin' } : undefined
      expect((await asAdmin(method, path, body)).status).toBe(404)
    }
  })
})

describe('a removed member', () => {
  test('loses access immediately, and their account if it has no other organization', async () => {
    const person = await add(manages(tenant.siteId))
    expect((await asAdmin('DELETE', `${members()}/${person.userId}`)).status).toBe(204)
    expect(await whoAmI(person.headers)).toBe(401)
    expect((await signIn(cloud, person.email)).status).toBe(401)
    expect(await list()).not.toContainEqual(expect.objectContaining({ userId: person.userId }))
    expect((await invite(person.email, { role: 'admin' })).body.link).toEqual(expect.any(String))
  })

  test('keeps their other organization', async () => {
    const other = await addTenant(cloud, newId('Other'))
    const person = await add({ role: 'admin' }, other.orgId)
    await inviteAndJoin(person)
    expect((await asAdmin('DELETE', `${members()}/${person.userId}`)).status).toBe(204)
    expect(await whoAmI(person.headers)).toBe(200)
    const ask = (orgId: string) => call(cloud, 'GET', `/api/orgs/${orgId}/sites`, { headers: person.headers })
    expect((await ask(tenant.orgId)).status).toBe(403)
    expect((await ask(other.orgId)).status).toBe(200)
  })

  test('keeps an organization that adds them at the same time', async () => {
    const other = await addTenant(cloud, newId('Other'))
    for (let round = 0; round < 10; round += 1) {
      const person = await add(manages(tenant.siteId))
      const [removed, added] = await Promise.all([
        asAdmin('DELETE', `${members()}/${person.userId}`),
        asOperator(cloud, 'POST', members(other.orgId), { email: person.email, role: 'admin' }),
      ])
      expect([removed.status, added.status]).toEqual([204, 201])
      expect((await list(other.orgId)).map(({ email }) => email)).toContain(person.email)
    }
  })
})
