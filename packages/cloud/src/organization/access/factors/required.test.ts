import { newId } from '@plantroom/base/ids'
import type { MemberRoles, SignedIn } from '@plantroom/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { setUpTotp } from '../testing/factors.ts'
import { MATRIX } from '../testing/matrix.ts'
import { addPerson, cookieOf, fromOwnPage, type SignedInHeaders, signIn } from '../testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  call(cloud, method, path, { headers, body })
const requireFactor = (orgId: string, headers: Record<string, string>, requireSecondFactor = true) =>
  ask('PATCH', `/api/orgs/${orgId}`, headers, { requireSecondFactor })

async function addMember(orgId: string, roles: MemberRoles = { role: 'admin' }) {
  const email = `${newId('person')}@example.com`
  return { email, ...(await addPerson(cloud, orgId, email, roles)) }
}

/** Makes a member of another organization one of this, too. */
async function joinAlso(orgId: string, email: string, headers: SignedInHeaders): Promise<void> {
  const { body } = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/members`, { email, role: 'admin' })
  const token = String(body.link).split('#')[1]
  expect((await ask('POST', '/api/session/invitations', headers, { token })).status).toBe(200)
}

/** Every route of an organization, with its ids. */
const routesOf = ({ orgId, siteId, deviceId }: Tenant) =>
  Object.keys(MATRIX)
    .filter((route) => route.includes('/api/orgs/:orgId') && MATRIX[route]?.['an administrator'] === 'passes')
    .map((route) => {
      const [method = '', path = ''] = route.split(' ')
      const filled = path
        .replace(':orgId', orgId)
        .replace(/:siteId|:propertyId/, siteId)
        .replace(':deviceId', deviceId)
        .replaceAll(/:\w+/g, 'none')
      return [method, filled] as const
    })

test('an organization that requires a second factor is closed to sessions without one, open ones too', async () => {
  const [ours, others] = [await addTenant(cloud, newId('Ours')), await addTenant(cloud, newId('Others'))]
  const admin = await addMember(ours.orgId)
  const member = await addMember(ours.orgId)
  await joinAlso(others.orgId, member.email, member.headers)
  const { apiKey } = await createKey(cloud, ours.orgId, ['edge-device:read_write'])
  await setUpTotp(cloud, admin.headers)

  const on = await requireFactor(ours.orgId, admin.headers)
  expect([on.status, on.body]).toEqual([200, expect.objectContaining({ requireSecondFactor: true })])
  for (const [method, path] of routesOf(ours)) {
    const { status, body } = await ask(method, path, member.headers, method === 'GET' ? undefined : { data: {} })
    expect([method, path, status, body.code, body.message]).toEqual([
      ...[method, path, 403, 'SECOND_FACTOR_REQUIRED'],
      'this organization requires a second factor: set one up on your account page, or sign in again with the one you have',
    ])
  }
  // Only the name of the organization is left, and the other organization is not affected.
  const seen = async (headers: Record<string, string>) =>
    ((await ask('GET', '/api/session', headers)).body as unknown as SignedIn).organizations.toSorted((one, other) =>
      one.name < other.name ? 1 : -1,
    )
  expect(await seen(member.headers)).toMatchObject([
    { id: ours.orgId, isAdmin: false, sites: [], secondFactorMissing: true },
    { id: others.orgId, isAdmin: true, sites: [{ id: others.siteId }] },
  ])
  expect((await ask('GET', `/api/orgs/${others.orgId}/sites`, member.headers)).status).toBe(200)
  // A new session without a factor, the operator, a key, and a stranger.
  const again = { ...fromOwnPage(cloud), cookie: cookieOf(await signIn(cloud, member.email)) }
  const reports = `/api/orgs/${ours.orgId}/reports`
  const statuses = async (list: readonly Record<string, string>[]) =>
    Promise.all(list.map(async (headers) => (await ask('GET', reports, headers)).body.code ?? 'passes'))
  const stranger = await addMember(others.orgId)
  expect(await statuses([again, { 'x-api-key': apiKey }, admin.headers, stranger.headers])).toEqual([
    ...['SECOND_FACTOR_REQUIRED', 'passes', 'passes', 'FORBIDDEN'],
  ])
  expect((await asOperator(cloud, 'GET', reports)).status).toBe(200)

  // With a factor, this session is let in; without it again, no session is.
  await setUpTotp(cloud, again)
  expect((await ask('GET', reports, again)).status).toBe(200)
  expect(await seen(again)).toMatchObject([{ id: ours.orgId, isAdmin: true }, { id: others.orgId }])
  expect((await ask('DELETE', '/api/session/totp', again)).status).toBe(204)
  expect((await ask('GET', reports, again)).status).toBe(403)
  expect((await requireFactor(ours.orgId, again, false)).status).toBe(403)

  expect((await requireFactor(ours.orgId, admin.headers, false)).status).toBe(200)
  expect((await ask('GET', reports, again)).status).toBe(200)
})

test('an administrator turns it on only in a session with a second factor; the operator always can', async () => {
  const { orgId } = await addTenant(cloud, newId('Ours'))
  const admin = await addMember(orgId)
  const { status, body } = await requireFactor(orgId, admin.headers)
  expect([status, body.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  expect((await ask('GET', `/api/orgs/${orgId}`, admin.headers)).body.requireSecondFactor).toBe(false)
  expect((await asOperator(cloud, 'PATCH', `/api/orgs/${orgId}`, { requireSecondFactor: true })).status).toBe(200)
  expect((await ask('GET', `/api/orgs/${orgId}`, admin.headers)).status).toBe(403)
  expect((await asOperator(cloud, 'PATCH', '/api/orgs/org_none', { requireSecondFactor: true })).status).toBe(404)
})

test('a member who lost everything is helped by an administrator of their only organization, or by the operator', async () => {
  const [ours, others] = [await addTenant(cloud, newId('Ours')), await addTenant(cloud, newId('Others'))]
  const [admin, lost, foreign] = [
    await addMember(ours.orgId),
    await addMember(ours.orgId),
    await addMember(others.orgId),
  ]
  const invited = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/members`, {
    ...{ email: foreign.email, role: 'admin' },
  })
  await setUpTotp(cloud, lost.headers)
  await setUpTotp(cloud, foreign.headers)
  const reset = (orgId: string, userId: string, headers: Record<string, string>) =>
    ask('DELETE', `/api/orgs/${orgId}/members/${userId}/factors`, headers)

  // An invitation gives no power over the account.
  expect((await reset(ours.orgId, String(invited.body.userId), admin.headers)).status).toBe(409)
  expect((await reset(ours.orgId, foreign.userId, foreign.headers)).status).toBe(403)
  expect((await reset(others.orgId, lost.userId, foreign.headers)).status).toBe(404)
  expect((await reset(ours.orgId, lost.userId, admin.headers)).status).toBe(204)
  expect((await ask('GET', '/api/session', lost.headers)).status).toBe(401)
  expect((await signIn(cloud, lost.email)).body.user).toBeDefined()

  // Someone who is also elsewhere.
  await joinAlso(ours.orgId, foreign.email, foreign.headers).catch(() => undefined)
  const both = await addMember(ours.orgId)
  await joinAlso(others.orgId, both.email, both.headers)
  await setUpTotp(cloud, both.headers)
  const refused = await reset(ours.orgId, both.userId, admin.headers)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/only the operator/)])
  expect((await signIn(cloud, both.email)).body.secondFactor).toBeDefined()
  expect((await asOperator(cloud, 'DELETE', `/api/orgs/${ours.orgId}/members/${both.userId}/factors`)).status).toBe(204)
  expect((await signIn(cloud, both.email)).body.user).toBeDefined()
})
