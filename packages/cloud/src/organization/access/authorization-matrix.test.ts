import { newId } from '@plantroom/base/ids'
import { PERMISSIONS } from '@plantroom/contract/permissions'
import type { MemberRoles, SignedIn } from '@plantroom/contract/roles'
import { eventually } from '@plantroom/testkit/eventually'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { CALLERS, type Caller, MATRIX, OF_REQUESTS, SITE, SPENDS_DEVICE, verdictFor } from './testing/matrix.ts'
import { addPerson, cookieOf, signIn } from './testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
/** A tenant of another organization. */
let others: Tenant
/** A site of our organization with Maintenance Requests turned off. */
let turnedOff: string
let headers: Record<Caller, Record<string, string>>

beforeAll(async () => {
  cloud = await startTestCloud({ trustedProxies: ['127.0.0.1'] })
  ours = await addTenant(cloud, 'Ours')
  others = await addTenant(cloud, 'Theirs')
  const otherSite = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Other site' })
  turnedOff = String(otherSite.body.id)
  const everything = [...PERMISSIONS]
  const key = async (orgId: string, permissions: string[], siteIds: string[] | null = null) =>
    (await createKey(cloud, orgId, permissions, siteIds)).apiKey
  const right = await key(ours.orgId, ['edge-device:read_write'], [ours.siteId])
  const revoked = await createKey(cloud, ours.orgId, everything)
  await asOperator(cloud, 'DELETE', `/api/orgs/${ours.orgId}/api-keys/${revoked.id}`)
  const soon = new Date(Date.now() + 100)
  const expired = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/api-keys`, {
    ...{ name: 'Expired', permissions: everything, expiresAt: soon.toISOString() },
  })
  await eventually(() => expect(Date.now()).toBeGreaterThan(soon.getTime()))
  const rotated = await createKey(cloud, ours.orgId, everything)
  await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/api-keys/${rotated.id}/rotate`, { overlapSeconds: 0 })
  // The other organization has the same tag, on its own site.
  await tagSites(ours.orgId, [ours.siteId], ['north'])
  await tagSites(others.orgId, [others.siteId], ['north'])
  headers = {
    nobody: {},
    'a malformed key': { 'x-api-key': `${right.slice(0, -1)}${right.endsWith('a') ? 'b' : 'a'}` },
    'an unknown key': { 'x-api-key': 'plr_000000000000_00000000000000000000000000000000000000' },
    'a revoked key': { 'x-api-key': revoked.apiKey },
    'an expired key': { 'x-api-key': String(expired.body.apiKey) },
    'a rotated key with its old secret': { 'x-api-key': rotated.apiKey },
    'a key of another organization': { 'x-api-key': await key(others.orgId, everything) },
    'a key of another site': { 'x-api-key': await key(ours.orgId, everything, [turnedOff]) },
    'a key that reads measurements': { 'x-api-key': await key(ours.orgId, ['measurement:read'], [ours.siteId]) },
    'a key for devices': { 'x-api-key': right },
    'a key that reads requests': { 'x-api-key': await key(ours.orgId, ['ticket:read'], [ours.siteId]) },
    'a key that writes requests': { 'x-api-key': await key(ours.orgId, ['ticket:read_write'], [ours.siteId]) },
    'a wrong admin token': { authorization: 'Bearer not-the-admin-token-at-all' },
    'the admin token': { authorization: `Bearer ${cloud.ready.adminToken}` },
    'a viewer': await person(ours.orgId, { sites: [{ siteId: ours.siteId, role: 'viewer' }] }),
    'a manager': await person(ours.orgId, { sites: [{ siteId: ours.siteId, role: 'manager' }] }),
    'a manager by tag': await person(ours.orgId, { tags: [{ tag: 'north', role: 'manager' }] }),
    'a manager of all sites': await person(ours.orgId, { allSites: 'manager' }),
    'an administrator': await person(ours.orgId, { role: 'admin' }),
    'a manager of another site': await person(ours.orgId, { sites: [{ siteId: turnedOff, role: 'manager' }] }),
    'an administrator of another organization': await person(others.orgId, { role: 'admin' }),
    'an ended session': await person(ours.orgId, { role: 'admin' }),
    'an administrator on a foreign page': {
      ...(await person(ours.orgId, { role: 'admin' })),
      origin: 'https://evil.example',
    },
  }
  await call(cloud, 'DELETE', '/api/session', { headers: headers['an ended session'] })
})

const tagSites = (orgId: string, siteIds: string[], add: string[]) =>
  asOperator(cloud, 'PATCH', `/api/orgs/${orgId}/site-tags`, { siteIds, add })

/** The headers of a new person who has just signed in. */
async function person(orgId: string, roles: MemberRoles) {
  return (await addPerson(cloud, orgId, `${newId('person')}@example.com`, roles)).headers
}

afterAll(() => cloud.stop())

const routes = () =>
  cloud.routes
    .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))
    .filter((route) => !route.startsWith('HEAD '))

async function callRoute(route: string, place: { orgId: string; siteId: string }, headers: Record<string, string>) {
  const { method, path, body } = await requestFor(route, place)
  return call(cloud, method, path, { headers, body })
}

let asked = 0
/** Another address each time, so that no limit by address applies. */
function fromElsewhere() {
  asked += 1
  return { 'x-forwarded-for': `198.18.${asked >> 8}.${asked & 255}` }
}

/** Reads only the status, because some answers never end. */
async function statusOf(route: string, headers: Record<string, string>): Promise<number> {
  const { method, path, body } = await requestFor(route, ours)
  const response = await fetch(cloud.ready.baseUrl + path, {
    method,
    headers: { ...headers, ...fromElsewhere(), ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  })
  await response.body?.cancel()
  return response.status
}

async function requestFor(route: string, place: { orgId: string; siteId: string }) {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace(':orgId', place.orgId)
    .replace(':propertyId', place.siteId)
    .replace(':siteId', place.siteId)
    .replace(':deviceId', SPENDS_DEVICE.has(route) ? await spareDevice() : ours.deviceId)
    .replace(':kind', 'blobs')
    .replace(/:\w+/, 'none')
    .replace(/:\w+/, 'none')
    .replace('*', 'index.html')
  return { method, path, body: method === 'GET' ? undefined : { data: {} } }
}

/** The headers with a second session of the same person, if there is a session. */
async function copyOf(headers: Record<string, string>): Promise<Record<string, string>> {
  const { body } = await call(cloud, 'GET', '/api/session', { headers })
  if (!body.user) return headers
  const again = await signIn(cloud, (body as unknown as SignedIn).user.email)
  return { ...headers, cookie: cookieOf(again) }
}

/** A device that a test may remove or give a new secret. */
async function spareDevice(): Promise<string> {
  const device = { name: newId('Spare'), siteId: ours.siteId }
  return String((await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, device)).body.id)
}

/** Callers whom no route accepts, in one way for all routes. */
const REFUSED: readonly Caller[] = [
  'a malformed key',
  'an unknown key',
  'a revoked key',
  'an expired key',
  'a rotated key with its old secret',
  'a wrong admin token',
  'an ended session',
]

/** Every caller; of those whom no route accepts, each route gets another one, unless in a campaign. */
function callersOf(index: number): readonly Caller[] {
  const refused = REFUSED[index % REFUSED.length]
  return isCampaign ? CALLERS : CALLERS.filter((caller) => caller === refused || !REFUSED.includes(caller))
}

describe('the authorization matrix', () => {
  test('has a row for every route, and no other rows', () => {
    expect([...new Set(routes())].toSorted()).toEqual(Object.keys(MATRIX).toSorted())
  })

  test.each(Object.keys(MATRIX).map((route, index) => ({ route, index })))('$route', async ({ route, index }) => {
    for (const caller of callersOf(index)) {
      // Signing out must not end the session that later routes use.
      const sent = route === 'DELETE /api/session' ? await copyOf(headers[caller]) : headers[caller]
      const status = await statusOf(route, sent)
      const verdict = status === 401 || status === 403 ? status : 'passes'
      expect([caller, verdict]).toEqual([caller, verdictFor(route, caller)])
    }
  })

  test('gives the same answer for an unknown device and for one of another site or organization', async () => {
    const theirs = await addTenant(cloud, 'Others')
    const answers = await Promise.all(
      [
        [ours.orgId, 'dev_none', 'a key for devices'],
        [ours.orgId, theirs.deviceId, 'a key for devices'],
        [theirs.orgId, theirs.deviceId, 'a key for devices'],
        ['org_none', 'dev_none', 'a key for devices'],
        [ours.orgId, ours.deviceId, 'a key of another site'],
        [ours.orgId, ours.deviceId, 'a key of another organization'],
      ].map(async ([orgId, deviceId, caller]) => {
        const path = `/api/orgs/${orgId}/edge-device-admin/${deviceId}/cmd/getTechnicalConnectionValues`
        const answer = await call(cloud, 'POST', path, {
          headers: headers[caller as Caller],
          body: { data: { id: 'x' } },
        })
        return [answer.status, answer.body.message]
      }),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(403)
  })

  describe.each(OF_REQUESTS)('%s', (route) => {
    test('reveals nothing to a key about other sites', async () => {
      const theirs = { orgId: ours.orgId, siteId: others.siteId }
      const places: [Caller, { orgId: string; siteId: string }][] = [
        ['a key that writes requests', { orgId: ours.orgId, siteId: 'site_none' }],
        ['a key that writes requests', { orgId: ours.orgId, siteId: '%00' }],
        ['a key that writes requests', theirs],
        ['a key that writes requests', others],
        ['a key that writes requests', { orgId: ours.orgId, siteId: turnedOff }],
        ['a key of another site', ours],
        ['a key of another organization', ours],
        ['a key of another organization', theirs],
      ]
      const answers = new Set<string>()
      for (const [caller, place] of places) {
        const { status, body } = await callRoute(route, place, headers[caller])
        answers.add(`${status} ${body.message}`)
      }
      expect([...answers]).toEqual([expect.stringMatching(/^403 this API key is not authorized for /)])
    })

    test('reveals nothing to a person about other sites', async () => {
      const theirs = { orgId: ours.orgId, siteId: others.siteId }
      const places: [Caller, { orgId: string; siteId: string }][] = [
        ['a manager', { orgId: ours.orgId, siteId: 'site_none' }],
        ['a manager', { orgId: 'org_none', siteId: ours.siteId }],
        ['a manager', theirs],
        ['a manager', others],
        ['a manager', { orgId: ours.orgId, siteId: turnedOff }],
        ['a manager by tag', theirs],
        ['a manager by tag', others],
        ['a manager by tag', { orgId: ours.orgId, siteId: turnedOff }],
        ['a manager of all sites', theirs],
        ['a manager of all sites', others],
        ['a manager of another site', ours],
        ['an administrator', { orgId: ours.orgId, siteId: 'site_none' }],
        ['an administrator', theirs],
        ['an administrator', others],
        ['an administrator of another organization', ours],
        ['an administrator of another organization', theirs],
      ]
      const answers = new Set<string>()
      for (const [caller, place] of places) {
        const { status, body } = await callRoute(route, place, headers[caller])
        answers.add(`${status} ${body.message}`)
      }
      expect([...answers]).toEqual([expect.stringMatching(/^403 you have no access to /)])
    })

    // Jobs can be followed while they are off: that is when one fails. Samples are requests.
    const isOfJobs = /ticket-packages\/jobs(?!.*samples)/.test(route)
    const answer = isOfJobs ? 'answers' : 'says that Maintenance Requests are off'
    test(`${answer} to callers with access to a site where they are off`, async () => {
      const place = { orgId: ours.orgId, siteId: turnedOff }
      const refusal = [403, expect.stringContaining('Maintenance Requests are turned off')]
      for (const caller of ['a key of another site', 'the admin token', 'a manager of another site'] as const) {
        const { status, body } = await callRoute(route, place, headers[caller])
        if (isOfJobs) expect([200, 404]).toContain(status)
        else expect([status, body.message]).toEqual(refusal)
      }
    })

    test('answers 404 to the operator for an unknown site', async () => {
      for (const siteId of ['site_none', others.siteId]) {
        const { status, body } = await callRoute(route, { orgId: ours.orgId, siteId }, headers['the admin token'])
        expect([status, body.message]).toEqual([404, `this organization has no site ${siteId}`])
      }
    })
  })

  test('applies immediately when Maintenance Requests are turned off and on', async () => {
    const site = `/api/orgs/${ours.orgId}/sites/${ours.siteId}`
    const ask = () => callRoute(`GET ${SITE}/tickets`, ours, headers['a key that reads requests'])
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: false })
    expect((await ask()).status).toBe(403)
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: true })
    expect((await ask()).status).toBe(200)
  })

  test('reveals nothing to a refused caller about its body', async () => {
    const path = `/api/orgs/${ours.orgId}/edge-device-admin/${ours.deviceId}/cmd/getTechnicalConnectionValues`
    const malformed = await call(cloud, 'POST', path, { raw: '{"data":' })
    const oversized = await call(cloud, 'POST', path, { raw: JSON.stringify({ data: { id: 'x'.repeat(70_000) } }) })
    expect([malformed.status, oversized.status]).toEqual([401, 401])
  })
})
