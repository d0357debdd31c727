import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let headers: Record<string, string>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  const manager = { sites: [{ siteId: tenant.siteId, role: 'manager' as const }] }
  headers = (await addPerson(cloud, tenant.orgId, 'mari@example.ee', manager)).headers
})
afterAll(() => cloud?.stop())

const tickets = () => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/tickets`
const post = async (path: string, body: object) => (await call(cloud, 'POST', path, { headers, body })).body
const addRequest = (body: object) => post(tickets(), { title: 'Tap leaks', ...body })

const MARI = { email: 'mari@example.ee', name: null, phone: null }
const JAAN = { email: 'jaan@example.ee', name: 'Jaan', phone: null }

describe('a request added by a signed-in user', () => {
  test('has them as reporter unless the body names a reporter or null', async () => {
    expect(await addRequest({})).toMatchObject({ reporter: MARI })
    expect(await addRequest({ reporter: JAAN })).toMatchObject({ reporter: JAAN })
    expect(await addRequest({ reporter: null })).toMatchObject({ reporter: null })
  })

  test('has no reporter when the operator adds it', async () => {
    expect((await asOperator(cloud, 'POST', tickets(), { title: 'Tap leaks' })).body).toMatchObject({ reporter: null })
  })
})

describe('a comment added by a signed-in user', () => {
  test('has them as author, and is mailed to the reporter unless they are the author', async () => {
    const theirs = `${tickets()}/${(await addRequest({ reporter: JAAN })).number}/comments`
    expect(await post(theirs, { content: 'Coming' })).toMatchObject({ author: MARI, mailedTo: JAAN.email })
    const own = `${tickets()}/${(await addRequest({})).number}/comments`
    expect(await post(own, { content: 'Done' })).toMatchObject({ author: MARI, mailedTo: null })
  })

  test('cannot have anyone else as author, whatever the role; a key and the operator can name one', async () => {
    const path = `${tickets()}/${(await addRequest({ reporter: JAAN })).number}/comments`
    const admin = await addPerson(cloud, tenant.orgId, 'admin@example.ee', { role: 'admin' })
    for (const person of [headers, admin.headers]) {
      for (const author of [JAAN, { name: 'Jaan' }, null, MARI]) {
        const answer = await call(cloud, 'POST', path, { headers: person, body: { content: 'Thanks', author } })
        expect([answer.status, answer.body.field]).toEqual([400, 'author'])
      }
    }
    expect((await call(cloud, 'GET', path, { headers })).body.comments).toEqual([])
    const { apiKey } = await createKey(cloud, tenant.orgId, ['ticket:read_write'])
    for (const caller of [{ 'x-api-key': apiKey }, { authorization: `Bearer ${cloud.ready.adminToken}` }]) {
      const answer = await call(cloud, 'POST', path, { headers: caller, body: { content: 'Thanks', author: JAAN } })
      expect([answer.status, answer.body.author]).toEqual([201, JAAN])
    }
  })
})

test('the requests assigned to a signed-in user are theirs, in any case of the email, and none for others', async () => {
  const people = `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/people`
  await post(people, { email: 'MARI@example.ee' })
  await post(people, { email: 'jaan@example.ee' })
  const mine = (await addRequest({ assignee: 'mari@example.ee' })).number
  await addRequest({ assignee: 'jaan@example.ee' })
  const { body } = await call(cloud, 'GET', `${tickets()}?assigned=me`, { headers })
  expect((body.tickets as { number: number }[]).map(({ number }) => number)).toEqual([mine])
  expect((await call(cloud, 'GET', `${tickets()}/counts?assigned=me`, { headers })).body).toMatchObject({ total: 1 })
})

describe('members with a role on the site', () => {
  const base = () => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}`
  interface Listed {
    id: string
    email: string
    name: string | null
    member?: boolean
  }
  const people = async () => (await call(cloud, 'GET', `${base()}/people`, { headers })).body.people as Listed[]

  test('are people of the site: a manager assigns a request to themselves', async () => {
    tenant = await addTenant(cloud, 'Own organization')
    const own = { sites: [{ siteId: tenant.siteId, role: 'manager' as const }] }
    headers = (await addPerson(cloud, tenant.orgId, 'own@example.ee', own)).headers
    const admin = await addPerson(cloud, tenant.orgId, 'boss@example.ee', { role: 'admin' })
    const foreign = await addTenant(cloud, 'Foreign organization')
    await addPerson(cloud, foreign.orgId, 'foreign@example.ee', { role: 'admin' })
    await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members`, { email: 'invited@example.ee', ...own })

    expect((await people()).map(({ email, member }) => [email, member])).toEqual([
      ['boss@example.ee', true],
      ['own@example.ee', true],
    ])
    expect((await people())[0]?.id).toBe(admin.userId)
    const added = await addRequest({ assignee: 'OWN@example.ee', watchers: ['boss@example.ee'], reporter: null })
    expect(added).toMatchObject({ assignee: { email: 'own@example.ee' }, watchers: [{ email: 'boss@example.ee' }] })
    const changes = { numbers: [added.number], assignee: 'boss@example.ee' }
    expect(await post(`${tickets()}/changes`, changes)).toMatchObject({ outcomes: [{ outcome: 'changed' }] })
    for (const email of ['foreign@example.ee', 'invited@example.ee', 'nobody@example.ee']) {
      const refused = await call(cloud, 'POST', tickets(), { headers, body: { title: 'x', assignee: email } })
      expect([refused.status, refused.body.field]).toEqual([400, 'assignee'])
    }
    const { body } = await call(cloud, 'GET', `/api/orgs/${foreign.orgId}/properties/${foreign.siteId}/people`, {
      headers,
    })
    expect(body.people).toBeUndefined()
  })

  test('can be named, and stay in requests when their role ends', async () => {
    const viewer = { sites: [{ siteId: tenant.siteId, role: 'viewer' as const }] }
    const { userId } = await addPerson(cloud, tenant.orgId, 'leaver@example.ee', viewer)
    const refused = await call(cloud, 'DELETE', `${base()}/people/${userId}`, { headers })
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    const named = await call(cloud, 'PATCH', `${base()}/people/${userId}`, { headers, body: { name: 'Leaver' } })
    expect(named.body).toMatchObject({ email: 'leaver@example.ee', name: 'Leaver' })
    const { number } = await addRequest({ assignee: 'leaver@example.ee' })
    await asOperator(cloud, 'DELETE', `/api/orgs/${tenant.orgId}/members/${userId}`)
    const after = await call(cloud, 'GET', `${tickets()}/${number}`, { headers })
    expect(after.body).toMatchObject({ assignee: { email: 'leaver@example.ee', name: 'Leaver' } })
    expect((await people()).find(({ email }) => email === 'leaver@example.ee')?.member).toBeUndefined()
  })

  test('are added once when several requests name them at the same time', async () => {
    await addPerson(cloud, tenant.orgId, 'busy@example.ee', { role: 'admin' })
    await addPerson(cloud, tenant.orgId, 'eager@example.ee', { role: 'admin' })
    const pairs = Array.from({ length: 8 }, (_, index) =>
      ['busy@example.ee', 'eager@example.ee'].toSorted(() => (index % 2) - 0.5),
    )
    const answers = await Promise.all(
      pairs.map(([assignee, supervisor]) =>
        call(cloud, 'POST', tickets(), { headers, body: { title: 'x', assignee, supervisor } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect((await people()).filter(({ email }) => email === 'busy@example.ee')).toHaveLength(1)
  })
})

describe('people mentioned in a comment', () => {
  interface Mail {
    recipient: string
    body: string
    ticketNumber: number
  }
  const base = () => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}`
  const mailsOf = async (number: unknown) =>
    ((await call(cloud, 'GET', `${base()}/outbox?limit=1000`, { headers })).body.mails as Mail[]).filter(
      (mail) => mail.ticketNumber === number,
    )

  test('are those with a role on the site; they get a mail with a link, the reporter none of their ids', async () => {
    const viewer = { sites: [{ siteId: tenant.siteId, role: 'viewer' as const }] }
    const kati = await addPerson(cloud, tenant.orgId, 'kati@example.ee', viewer)
    await asOperator(cloud, 'POST', `${base()}/people`, { email: 'KATI@example.ee', name: 'Kati Kask' })
    const { people } = (await call(cloud, 'GET', `${base()}/mentionable`, { headers })).body
    expect(people).toContainEqual({ userId: kati.userId, email: 'kati@example.ee', name: 'Kati Kask' })
    const { number } = await addRequest({ reporter: JAAN })
    const content = '@Kati Kask please look'
    const mentions = [kati.userId, kati.userId]
    const added = await post(`${tickets()}/${number}/comments`, { content, mentions })
    expect(added.mentions).toEqual([{ userId: kati.userId, name: 'Kati Kask' }])
    const shown = await call(cloud, 'GET', `${tickets()}/${number}`, { headers })
    expect(shown.body.comments).toMatchObject([{ content, mentions: added.mentions }])
    const mails = await mailsOf(number)
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['jaan@example.ee', 'kati@example.ee'])
    for (const { body } of mails) expect(body).not.toContain(kati.userId)
    const page = `/o/${tenant.orgId}/s/${tenant.siteId}/requests/${number}`
    expect(mails.map(({ body, recipient }) => [recipient, body.includes(page)])).toEqual(
      mails.map(({ recipient }) => [recipient, recipient === 'kati@example.ee']),
    )
  })

  test('are never people of other sites, other organizations or nobody, and then nothing is added', async () => {
    const foreign = await addTenant(cloud, 'Foreign')
    const theirs = await addPerson(cloud, foreign.orgId, 'their@example.ee', { role: 'admin' })
    const second = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, {
      name: 'Second',
      maintenanceRequests: true,
    })
    const elsewhere = { sites: [{ siteId: String(second.body.id), role: 'manager' as const }] }
    const neighbour = await addPerson(cloud, tenant.orgId, 'neighbour@example.ee', elsewhere)
    const { people } = (await call(cloud, 'GET', `${base()}/mentionable`, { headers })).body
    expect(JSON.stringify(people)).not.toMatch(/their@|neighbour@/)
    const { number } = await addRequest({ reporter: JAAN })
    const path = `${tickets()}/${number}/comments`
    const messages: unknown[] = []
    for (const userId of [theirs.userId, neighbour.userId, 'usr_nobody']) {
      const answer = await call(cloud, 'POST', path, { headers, body: { content: 'x', mentions: [userId] } })
      expect([answer.status, answer.body.field]).toEqual([400, 'mentions[0]'])
      messages.push(String(answer.body.message).replace(userId, 'ID'))
    }
    // The same answer for people who exist and for those who do not.
    expect(new Set(messages).size).toBe(1)
    expect([(await call(cloud, 'GET', path, { headers })).body.comments, await mailsOf(number)]).toEqual([[], []])
  })
})
