import { newId } from '@plantroom/base/ids'
import type { Member, SignedIn } from '@plantroom/contract/roles'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, addTenant, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { addPerson, cookieOf, fromOwnPage, PASSWORD, type SignedInHeaders, signIn } from '../testing/people.ts'

interface Side extends Tenant {
  admin: SignedInHeaders
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
/** Two organizations that know nothing of each other, and mean harm. */
let a: Side
let b: Side
/** A member of A only. */
let victim: { email: string; userId: string; headers: SignedInHeaders }

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

beforeEach(async () => {
  ;[a, b] = [await addSide(), await addSide()]
  const email = newAddress()
  victim = { email, ...(await addPerson(cloud, a.orgId, email, { role: 'admin' })) }
})

const newAddress = () => `${newId('person')}@example.com`

async function addSide(): Promise<Side> {
  const tenant = await addTenant(cloud, newId('Organization'))
  return { ...tenant, admin: (await addPerson(cloud, tenant.orgId, newAddress(), { role: 'admin' })).headers }
}

const members = ({ orgId }: Side) => `/api/orgs/${orgId}/members`
const as = (headers: SignedInHeaders, method: string, path: string, body?: object) =>
  call(cloud, method, path, { headers, body })
const invite = (side: Side, email: string) => as(side.admin, 'POST', members(side), { email, role: 'admin' })
const makeLink = (side: Side, userId: string) => as(side.admin, 'POST', `${members(side)}/${userId}/link`)
const tokenIn = ({ body }: Answer) => String(body.link).split('#')[1] ?? ''
const setPassword = (token: string, password: string) =>
  call(cloud, 'PUT', '/api/invitation', { headers: fromOwnPage(cloud), body: { token, password } })
const join = (headers: SignedInHeaders, token: string) => as(headers, 'POST', '/api/session/invitations', { token })
const organizationsOf = async (headers: SignedInHeaders) =>
  ((await as(headers, 'GET', '/api/session')).body as unknown as SignedIn).organizations.map(({ id }) => id)
const listed = async (side: Side) =>
  ((await as(side.admin, 'GET', members(side))).body.members as unknown as Member[]).find(
    ({ email }) => email === victim.email,
  )
const mayRead = async (headers: SignedInHeaders, side: Side) =>
  (await as(headers, 'GET', `/api/orgs/${side.orgId}/sites`)).status

/** Uses a password link as the administrator who made it would, and signs in as the victim. */
async function takeAccount(link: Answer): Promise<SignedInHeaders> {
  const taken = await setPassword(tokenIn(link), 'known to the attacker')
  expect(taken.status).toBe(200)
  return { ...fromOwnPage(cloud), cookie: cookieOf(taken) }
}

describe('an administrator of A who makes a password link for a member', () => {
  test('cannot use it once the member has joined B', async () => {
    const link = await makeLink(a, victim.userId)
    const invitation = await invite(b, victim.email)
    expect((await join(victim.headers, tokenIn(invitation))).status).toBe(200)
    expect((await setPassword(tokenIn(link), 'known to the attacker')).status).toBe(404)
    expect((await signIn(cloud, victim.email)).status).toBe(200)
    expect((await makeLink(a, victim.userId)).status).toBe(409)
    expect((await makeLink(b, victim.userId)).status).toBe(409)
  })

  test.each(['before', 'after'])('%s B invites them never has a role in B', async (order) => {
    const early = order === 'before' ? await makeLink(a, victim.userId) : undefined
    const invitation = await invite(b, victim.email)
    const thief = await takeAccount(early ?? (await makeLink(a, victim.userId)))
    expect(await organizationsOf(thief)).toEqual([a.orgId])
    expect(await mayRead(thief, b)).toBe(403)
    expect((await as(thief, 'PUT', `/api/session/invitations/${b.orgId}`)).status).toBe(409)
    // Only the person who has the link of B can accept, and only as this account.
    expect((await join(thief, '0'.repeat(43))).status).toBe(404)
    expect((await join(a.admin, tokenIn(invitation))).status).toBe(404)
    expect(await mayRead(thief, b)).toBe(403)
    expect(await listed(b)).toMatchObject({ invited: true })
  })
})

describe('an administrator of B who invites a member of A', () => {
  test('cannot set their password, sign in as them or see anything of A', async () => {
    const token = tokenIn(await invite(b, victim.email))
    const taken = await setPassword(token, 'known to the attacker')
    expect([taken.status, taken.headers.get('set-cookie')]).toEqual([409, null])
    expect((await join(b.admin, token)).status).toBe(404)
    const renewed = await makeLink(b, victim.userId)
    expect(renewed.status).toBe(200)
    expect((await setPassword(tokenIn(renewed), 'known to the attacker')).status).toBe(409)
    expect(await mayRead(b.admin, a)).toBe(403)
    expect((await signIn(cloud, victim.email, 'known to the attacker')).status).toBe(401)
    expect(await listed(b)).toMatchObject({ invited: true, lastSeenAt: null })
  })

  test('changes nothing for A: its links, its resets, its list and its sessions', async () => {
    const before = await listed(a)
    const link = await makeLink(a, victim.userId)
    await invite(b, victim.email)
    expect(await as(victim.headers, 'GET', '/api/session')).toMatchObject({ status: 200 })
    expect(await listed(a)).toEqual(before)
    expect((await setPassword(tokenIn(link), PASSWORD)).status).toBe(200)
    expect((await makeLink(a, victim.userId)).status).toBe(200)
  })

  test('and withdraws the invitation leaves the account in place', async () => {
    const token = tokenIn(await invite(b, victim.email))
    expect((await as(b.admin, 'DELETE', `${members(b)}/${victim.userId}`)).status).toBe(204)
    expect((await join(victim.headers, token)).status).toBe(404)
    expect(await organizationsOf(victim.headers)).toEqual([a.orgId])
    expect(await listed(b)).toBeUndefined()
  })

  test('keeps the invitation when A removes the member, and gets nothing of A', async () => {
    const token = tokenIn(await invite(b, victim.email))
    expect((await as(a.admin, 'DELETE', `${members(a)}/${victim.userId}`)).status).toBe(204)
    expect((await setPassword(token, 'known to the attacker')).status).toBe(409)
    expect((await join(victim.headers, token)).status).toBe(200)
    expect(await organizationsOf(victim.headers)).toEqual([b.orgId])
  })
})

describe('two organizations that invite a person without an account', () => {
  test('each give access only with their own link, whoever uses the other one', async () => {
    const email = newAddress()
    const [ofA, ofB] = [await invite(a, email), await invite(b, email)]
    // The administrator of A keeps the link and poses as the person.
    const thief = await takeAccount(ofA)
    expect(await organizationsOf(thief)).toEqual([a.orgId])
    expect((await as(thief, 'PUT', `/api/session/invitations/${b.orgId}`)).status).toBe(409)
    expect(await mayRead(thief, b)).toBe(403)
    expect((await setPassword(tokenIn(ofB), 'known to the attacker')).status).toBe(409)
  })
})

describe('a link', () => {
  const rejoin = async (side: Side, headers: SignedInHeaders) =>
    join(headers, tokenIn(await invite(side, victim.email)))

  test('of the operator ends when a membership is removed', async () => {
    await rejoin(b, victim.headers)
    const link = await call(cloud, 'POST', `${members(a)}/${victim.userId}/link`, {
      headers: { authorization: `Bearer ${cloud.ready.adminToken}` },
    })
    expect(link.status).toBe(200)
    expect((await as(b.admin, 'DELETE', `${members(b)}/${victim.userId}`)).status).toBe(204)
    expect((await setPassword(tokenIn(link), 'known to the attacker')).status).toBe(404)
  })

  test('made while its person joins another organization opens neither', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = { email: newAddress() }
      const { userId, headers } = await addPerson(cloud, a.orgId, person.email, { role: 'admin' })
      const token = tokenIn(await invite(b, person.email))
      const [link, joined] = await Promise.all([makeLink(a, userId), join(headers, token)])
      expect(joined.status).toBe(200)
      if (link.status === 200) expect((await setPassword(tokenIn(link), 'known to the attacker')).status).toBe(404)
      else expect(link.status).toBe(409)
    }
  })
})
