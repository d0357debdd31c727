import { newId } from '@plantroom/base/ids'
import type { ActivityEntry } from '@plantroom/contract/activity'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { addPerson, fromOwnPage, PASSWORD, type SignedInHeaders, signIn } from '../access/testing/people.ts'
import { openTestDatabase, readChain } from './testing/logs.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant
let admin: { userId: string; headers: SignedInHeaders }

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  admin = await addPerson(cloud, ours.orgId, 'admin@example.com', { role: 'admin' })
})
afterAll(() => cloud?.stop())

const pathOf = ({ orgId }: Tenant, query = '') => `/api/orgs/${orgId}/activity${query}`
async function listed(query = '', tenant = ours): Promise<ActivityEntry[]> {
  const { status, body } = await asOperator(cloud, 'GET', pathOf(tenant, query))
  expect(status).toBe(200)
  return body.entries as ActivityEntry[]
}
const asAdmin = (method: string, path: string, body?: unknown) =>
  call(cloud, method, path, { headers: admin.headers, body })
const org = (path: string) => `/api/orgs/${ours.orgId}${path}`
const site = (path: string) => org(`/properties/${ours.siteId}${path}`)
const newest = async () => (await listed('?limit=1'))[0]

/** Does something as the administrator and returns its entry. */
async function recorded(method: string, path: string, body?: unknown) {
  const before = (await newest())?.seq ?? 0
  const answer = await asAdmin(method, path, body)
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  const entries = (await listed('?limit=10')).filter(({ seq }) => seq > before)
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({
    organizationId: ours.orgId,
    actor: { kind: 'person', id: admin.userId, name: 'admin@example.com' },
    address: '127.0.0.1',
    outcome: 'done',
  })
  return {
    body: answer.body,
    ...entries[0],
    brief: [entries[0]?.action, entries[0]?.subject?.kind, entries[0]?.subject?.name],
  }
}

describe('the activity log', () => {
  test('names the operator who set up an organization', async () => {
    const entries = (await listed()).filter(({ actor }) => actor.kind === 'operator')
    expect(entries.map(({ action }) => action)).toEqual([
      'member-invited',
      'device-added',
      'site-added',
      'organization-added',
    ])
  })

  test('has one entry for what happens to keys, without their secrets', async () => {
    const made = await recorded('POST', org('/api-keys'), { name: 'Partner', permissions: ['ticket:read'] })
    const id = String(made.body.id)
    expect(made.brief).toEqual(['key-created', 'key', 'Partner'])
    const rotated = await recorded('POST', org(`/api-keys/${id}/rotate`), { overlapSeconds: 60 })
    expect([rotated.brief, rotated.details]).toEqual([['key-rotated', 'key', 'Partner'], { overlapSeconds: 60 }])
    expect((await recorded('DELETE', org(`/api-keys/${id}`))).brief).toEqual(['key-revoked', 'key', 'Partner'])
    const text = JSON.stringify(await listed())
    for (const { body } of [made, rotated]) expect(text).not.toContain(String(body.apiKey).split('_')[2])
  })

  test('has one entry for what happens to members', async () => {
    const email = `${newId('p')}@example.com`
    const invited = await recorded('POST', org('/members'), { email, sites: [{ siteId: ours.siteId, role: 'viewer' }] })
    expect([invited.brief, invited.details]).toEqual([
      ['member-invited', 'person', email],
      { roles: ['viewer'], sites: 1, siteIds: [ours.siteId] },
    ])
    const path = org(`/members/${invited.body.userId}`)
    const link = await recorded('POST', `${path}/link`)
    expect(link.brief).toEqual(['member-link-made', 'person', email])
    const token = String(link.body.link).split('#')[1]
    await call(cloud, 'PUT', '/api/invitation', { headers: fromOwnPage(cloud), body: { token, password: PASSWORD } })
    const actor = { kind: 'person', id: invited.body.userId, name: email }
    expect((await listed('?limit=2')).map(({ action, actor }) => [action, actor])).toEqual([
      ['signed-in', actor],
      ['member-joined', actor],
    ])
    expect((await recorded('PATCH', path, { role: 'admin' })).brief).toEqual(['role-changed', 'person', email])
    expect((await recorded('DELETE', path)).brief).toEqual(['member-removed', 'person', email])
  })

  test('has one entry for what happens to sites and devices', async () => {
    const added = await recorded('POST', org('/sites'), { name: newId('Site') })
    expect(added).toMatchObject({ action: 'site-added', siteId: added.body.id })
    const changed = await recorded('PATCH', org(`/sites/${added.body.id}`), { timeZone: 'Europe/Tallinn' })
    expect(changed).toMatchObject({ action: 'site-changed', details: { timeZone: 'Europe/Tallinn' } })
    const device = await recorded('POST', org('/devices'), { name: 'Spare', siteId: ours.siteId })
    expect(device.brief).toEqual(['device-added', 'device', 'Spare'])
    const path = org(`/devices/${device.body.id}`)
    expect((await recorded('POST', `${path}/credential`)).brief).toEqual(['device-secret-renewed', 'device', 'Spare'])
    expect((await recorded('DELETE', path)).brief).toEqual(['device-removed', 'device', 'Spare'])
  })

  test('has an entry for commissioning, but none when the device refuses the file', async () => {
    const device = await connectDevice(cloud.ready.mqttUrl, ours, (_command, { data }) =>
      JSON.stringify(data).includes('refuse me')
        ? { status: 'rejected', payload: JSON.stringify({ message: 'no' }) }
        : { status: 'ok', payload: '{}' },
    )
    const path = org(`/devices/${ours.deviceId}`)
    await eventually(async () => {
      const { body } = await asOperator(cloud, 'GET', org('/devices'))
      expect((body.devices as { id: string; online: boolean }[]).find(({ id }) => id === ours.deviceId)?.online).toBe(
        true,
      )
    })
    const file = (name: string) => ({
      technicalSystem: name,
      connections: [{ name: 'C', protocol: 'modbus-tcp', settings: { host: 'h', password: 'hidden' }, datapoints: [] }],
    })
    const entry = await recorded('PUT', `${path}/commissioning`, file('Room'))
    expect(entry).toMatchObject({
      action: 'commissioned',
      siteId: ours.siteId,
      details: { connections: 1, datapoints: 0 },
    })
    expect(JSON.stringify(entry.details)).not.toContain('hidden')
    const before = await newest()
    expect((await asAdmin('PUT', `${path}/commissioning`, file('refuse me'))).status).toBeGreaterThan(399)
    expect(await newest()).toEqual(before)
    await device.close()
  })

  test('has one entry for what happens to requests, without what people wrote', async () => {
    const created = await recorded('POST', site('/tickets'), { title: 'Private matter', description: 'private' })
    const number = String(created.body.number)
    expect(created).toMatchObject({
      action: 'request-created',
      siteId: ours.siteId,
      subject: { kind: 'request', id: number },
    })
    const changed = await recorded('PATCH', site(`/tickets/${number}`), { state: 'resolved', description: 'private' })
    expect([changed.action, changed.details]).toEqual([
      'request-changed',
      { fields: expect.arrayContaining(['state', 'description']), state: 'resolved' },
    ])
    const commented = await recorded('POST', site(`/tickets/${number}/comments`), { content: 'private' })
    expect([commented.action, commented.details]).toEqual(['comment-added', { mailed: false, forSomeoneElse: false }])
    const contact = await recorded('POST', site('/people'), { email: 'private@example.com', name: 'Cara', phone: '5' })
    expect(contact.brief).toEqual(['contact-added', 'contact', 'Cara'])
    const path = site(`/people/${contact.body.id}`)
    expect((await recorded('PATCH', path, { phone: '6' })).details).toEqual({ fields: ['phone'] })
    expect((await recorded('DELETE', path)).brief).toEqual(['contact-removed', 'contact', 'Cara'])
    const unit = await recorded('POST', site('/units'), { name: 'A 1' })
    expect(unit.brief).toEqual(['unit-added', 'unit', 'A 1'])
    expect((await recorded('DELETE', site(`/units/${unit.body.id}`))).brief).toEqual(['unit-removed', 'unit', 'A 1'])
    expect(JSON.stringify(await listed())).not.toMatch(/private/i)
  })

  test('says who commented under the name of another', async () => {
    const { id, apiKey } = await createKey(cloud, ours.orgId, ['ticket:read_write'])
    const headers = { 'x-api-key': apiKey }
    const { body } = await call(cloud, 'POST', site('/tickets'), { headers, body: { title: 'T' } })
    const comment = { content: 'c', author: { email: 'boss@example.com' } }
    await call(cloud, 'POST', site(`/tickets/${body.number}/comments`), { headers, body: comment })
    expect(await newest()).toMatchObject({ actor: { kind: 'key', id, name: 'Key' }, details: { forSomeoneElse: true } })
  })

  test('has the start of an export with who started it, as the job does', async () => {
    const { body, ...entry } = await recorded('POST', site('/ticket-packages/export'))
    expect(entry).toMatchObject({ action: 'export-started', subject: { kind: 'job', id: body.jobId } })
    const { body: list } = await asAdmin('GET', site('/ticket-packages/jobs'))
    expect(list.jobs).toMatchObject([{ startedBy: { kind: 'person', id: admin.userId, name: 'admin@example.com' } }])
    const { apiKey } = await createKey(cloud, ours.orgId, ['ticket:read'])
    const seen = await call(cloud, 'GET', site('/ticket-packages/jobs'), { headers: { 'x-api-key': apiKey } })
    expect(seen.body.jobs).toMatchObject([{ startedBy: { kind: 'person', id: null, name: null } }])
  })

  test('has sign-ins, sign-outs, passwords and ended sessions in the logs of all organizations of a person', async () => {
    const email = `${newId('p')}@example.com`
    const person = await addPerson(cloud, ours.orgId, email, { role: 'admin' })
    const { body } = await asOperator(cloud, 'POST', `/api/orgs/${theirs.orgId}/members`, { email, role: 'admin' })
    await call(cloud, 'POST', '/api/session/invitations', {
      headers: person.headers,
      body: { token: String(body.link).split('#')[1] },
    })
    await signIn(cloud, email)
    const post = (method: string, path: string, body?: unknown) =>
      call(cloud, method, path, { headers: person.headers, body })
    await post('DELETE', '/api/session/all')
    await post('PUT', '/api/session/password', { current: PASSWORD, password: `${PASSWORD} 2` })
    await post('DELETE', '/api/session')
    const actions = ['signed-out', 'password-changed', 'session-ended', 'signed-in']
    for (const tenant of [ours, theirs]) {
      const entries = await listed(`?actor=${person.userId}&limit=4`, tenant)
      expect(entries.map(({ action }) => action)).toEqual(actions)
    }
    expect((await listed(`?actor=${person.userId}`, theirs)).at(-1)?.action).toBe('member-joined')
  })
})

describe('the list', () => {
  test('is filtered, and comes by pages without gaps or repetitions', async () => {
    const all = await listed('?limit=1000')
    const found: ActivityEntry[] = []
    for (let cursor = ''; ; ) {
      const { body } = await asOperator(cloud, 'GET', pathOf(ours, `?limit=7${cursor}`))
      found.push(...(body.entries as ActivityEntry[]))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(found).toEqual(all)
    const [one] = all.filter(({ action }) => action === 'key-created')
    const sum = async (query: string) => (await listed(`?limit=1000&${query}`)).map(({ seq }) => seq)
    const expected = (keep: (entry: ActivityEntry) => boolean) => all.filter(keep).map(({ seq }) => seq)
    expect(await sum('action=key-created')).toEqual(expected(({ action }) => action === 'key-created'))
    expect(await sum(`subject=${one?.subject?.id}`)).toEqual(
      expected(({ subject }) => subject?.id === one?.subject?.id),
    )
    expect(await sum(`siteId=${ours.siteId}`)).toEqual(expected(({ siteId }) => siteId === ours.siteId))
    expect(await sum(`from=${one?.at}`)).toEqual(expected(({ at }) => at >= String(one?.at)))
    expect(await sum(`to=${one?.at}`)).toEqual(expected(({ at }) => at < String(one?.at)))
  })

  test('is for administrators of the organization and the operator', async () => {
    const statuses: unknown[] = []
    const bodies = new Set<string>()
    const viewer = await addPerson(cloud, ours.orgId, 'v@example.com', {
      sites: [{ siteId: ours.siteId, role: 'manager' }],
    })
    const stranger = await addPerson(cloud, theirs.orgId, 's@example.com', { role: 'admin' })
    const { apiKey } = await createKey(cloud, ours.orgId, ['edge-device:read_write', 'ticket:read_write'])
    for (const headers of [admin.headers, viewer.headers, { 'x-api-key': apiKey }]) {
      statuses.push((await call(cloud, 'GET', pathOf(ours), { headers })).status)
    }
    expect(statuses).toEqual([200, 403, 401])
    for (const orgId of [ours.orgId, 'org_none']) {
      for (const format of ['json', 'csv', 'chain']) {
        const path = `/api/orgs/${orgId}/activity?format=${format}`
        const { status, body } = await call(cloud, 'GET', path, { headers: stranger.headers })
        bodies.add(JSON.stringify([status, body.code, body.message]))
      }
    }
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).toContain('403')
    expect((await call(cloud, 'GET', '/api/activity', { headers: admin.headers })).status).toBe(401)
    expect(JSON.stringify(await listed('?limit=1000', theirs))).not.toContain(ours.siteId)
  })

  test('refuses a kind of entry that does not exist', async () => {
    const { status, body } = await asOperator(cloud, 'GET', pathOf(ours, '?action=constructor'))
    expect([status, body.field]).toEqual([400, 'action'])
  })

  test('as CSV is whole, and safe for spreadsheets', async () => {
    await recorded('POST', org('/sites'), { name: '=HYPERLINK("http://evil")' })
    const { body, headers } = await asOperator(cloud, 'GET', pathOf(ours, '?format=csv'))
    const lines = String(body.text).trimEnd().split('\r\n')
    expect(headers.get('content-disposition')).toBe('attachment; filename="activity.csv"')
    expect(lines[0]).toBe(
      'at,action,outcome,actorKind,actorName,actorId,address,subjectKind,subjectName,subjectId,siteId,details,seq,id',
    )
    expect(lines).toHaveLength((await listed('?limit=1000')).length + 1)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"")"`)
  })

  test('as a chain has the exact signed texts from the first to the last', async () => {
    const headers = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const answer = await fetch(`${cloud.ready.baseUrl}${pathOf(ours, '?format=chain&action=refused')}`, { headers })
    const [head, ...lines] = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(head).toEqual({ plantroomAudit: 2, organizationId: ours.orgId })
    const { count, organizationId, keys } = JSON.parse(lines.pop().head)
    expect([count, organizationId, keys.length]).toEqual([lines.length, ours.orgId, 1])
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    expect(lines.map(({ entry }) => JSON.parse(entry))).toEqual(await readChain(db, ours.orgId))
    expect(new Set(lines.map(({ signed }) => signed.key)).size).toBe(1)
  })
})

test('refused strangers, keys and people are recorded when the service stops', async () => {
  const own = await startTestCloud()
  const tenant = await addTenant(own, 'A')
  const { apiKey } = await createKey(own, tenant.orgId, ['ticket:read'])
  const viewer = await addPerson(own, tenant.orgId, 'viewer@example.com', {
    sites: [{ siteId: tenant.siteId, role: 'viewer' }],
  })
  const path = `/api/orgs/${tenant.orgId}/reports`
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await call(own, 'GET', path, { headers: { 'x-api-key': `${apiKey.slice(0, -1)}?` } })
    await call(own, 'GET', path, { headers: { 'x-api-key': apiKey } })
  }
  await call(own, 'GET', path)
  await call(own, 'GET', `/api/orgs/${tenant.orgId}/api-keys`, { headers: viewer.headers })
  await call(own, 'GET', '/api/orgs', { headers: { authorization: 'Bearer wrong' } })
  await signIn(own, 'viewer@example.com', 'wrong password')
  await signIn(own, 'hunter2 typed into the wrong field', 'x')
  await signIn(own, 'nobody@example.com', 'wrong password')
  await own.stop()
  const db = openTestDatabase(own.config.databaseUrl ?? '')
  const brief = async (chain: string) =>
    (await readChain(db, chain))
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ action, actor, details }) => [action, actor.kind, details.reason, details.count])
  expect(await brief(tenant.orgId)).toEqual([
    ['refused', 'key', 'permission', 20],
    ['refused', 'person', 'role', 1],
    ['sign-in-failed', 'unknown', 'wrong-password', 1],
  ])
  const strangers = await brief('service')
  expect(strangers).toEqual([
    ['refused', 'unknown', 'unknown-key', 20],
    ['refused', 'unknown', 'admin-token', 1],
    ['sign-in-failed', 'unknown', 'unknown-account', strangers[2]?.[3]],
  ])
  expect(JSON.stringify(await readChain(db, 'service'))).not.toContain('hunter2')
})
