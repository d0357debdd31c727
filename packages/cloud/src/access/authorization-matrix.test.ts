import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

const CALLERS = [
  'nobody',
  'a malformed key',
  'an unknown key',
  'a revoked key',
  'a key of another organization',
  'a key of another site',
  'a key for devices',
  'a key that reads requests',
  'a key that writes requests',
  'a wrong admin token',
  'the admin token',
] as const
type Caller = (typeof CALLERS)[number]

/** What a caller gets; 'passes' is any answer that is not 401 or 403. */
type Verdict = 401 | 403 | 'passes'

const everyone = (verdict: Verdict) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, verdict])) as Record<Caller, Verdict>
const ANYONE = everyone('passes')
const OPERATOR: Record<Caller, Verdict> = { ...everyone(401), 'the admin token': 'passes' }
const KEY_FOR_DEVICE: Record<Caller, Verdict> = {
  ...everyone(401),
  'a key of another organization': 403,
  'a key of another site': 403,
  'a key for devices': 'passes',
  'a key that reads requests': 403,
  'a key that writes requests': 403,
}
const KEY_FOR_DEVICE_OR_OPERATOR: Record<Caller, Verdict> = { ...KEY_FOR_DEVICE, 'the admin token': 'passes' }
/** What a key sees there is another question: only what is of its sites. */
const KEY_FOR_ORGANIZATION_OR_OPERATOR: Record<Caller, Verdict> = {
  ...KEY_FOR_DEVICE_OR_OPERATOR,
  'a key of another site': 'passes',
}

const READS_REQUESTS: Record<Caller, Verdict> = {
  ...everyone(401),
  'a key of another organization': 403,
  'a key of another site': 403,
  'a key for devices': 403,
  'a key that reads requests': 'passes',
  'a key that writes requests': 'passes',
  'the admin token': 'passes',
}
/** The signature of its address says who may; these callers have none. */
const SIGNED = everyone(403)
const WRITES_REQUESTS: Record<Caller, Verdict> = { ...READS_REQUESTS, 'a key that reads requests': 403 }

const SITE = '/api/orgs/:orgId/properties/:propertyId'
const PACKAGES = `${SITE}/ticket-packages`
const DEVICE = '/api/orgs/:orgId/devices/:deviceId'
const COMMAND = '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd'

/** Every route has a row here: one that has none fails the test. */
const MATRIX: Record<string, Record<Caller, Verdict>> = {
  'GET /': ANYONE,
  'GET /healthz': ANYONE,
  'GET /readyz': ANYONE,
  'GET /metrics': ANYONE,
  'GET /openapi.json': ANYONE,
  'GET /docs/': ANYONE,
  'GET /schemas/ticket-export-v1.json': ANYONE,
  'GET /docs/json': ANYONE,
  'GET /docs/yaml': ANYONE,
  'GET /docs/static/*': ANYONE,
  'GET /docs/static/index.html': ANYONE,
  'GET /docs/static/swagger-initializer.js': ANYONE,
  [`POST ${COMMAND}/getTechnicalDataPoints`]: KEY_FOR_DEVICE,
  [`POST ${COMMAND}/getTechnicalConnectionValues`]: KEY_FOR_DEVICE,
  [`POST ${COMMAND}/demandResponseOverride`]: KEY_FOR_DEVICE,
  [`POST ${COMMAND}/demandResponseCancel`]: KEY_FOR_DEVICE,
  [`POST ${COMMAND}/:command`]: KEY_FOR_DEVICE,
  'GET /api/orgs/:orgId/reports': KEY_FOR_ORGANIZATION_OR_OPERATOR,
  [`GET ${DEVICE}/datapoints/:datapointId/measurements`]: KEY_FOR_DEVICE_OR_OPERATOR,
  [`GET ${DEVICE}/broadcasts`]: OPERATOR,
  'GET /api/orgs': OPERATOR,
  'POST /api/orgs': OPERATOR,
  'GET /api/orgs/:orgId/sites': OPERATOR,
  'POST /api/orgs/:orgId/sites': OPERATOR,
  'PATCH /api/orgs/:orgId/sites/:siteId': OPERATOR,
  'GET /api/orgs/:orgId/devices': OPERATOR,
  'POST /api/orgs/:orgId/devices': OPERATOR,
  [`POST ${DEVICE}/credential`]: OPERATOR,
  [`DELETE ${DEVICE}`]: OPERATOR,
  [`GET ${DEVICE}/technical-systems`]: OPERATOR,
  [`PUT ${DEVICE}/commissioning`]: OPERATOR,
  'GET /api/orgs/:orgId/api-keys': OPERATOR,
  'POST /api/orgs/:orgId/api-keys': OPERATOR,
  'DELETE /api/orgs/:orgId/api-keys/:keyId': OPERATOR,
  'POST /api/orgs/:orgId/users': OPERATOR,
  [`GET ${SITE}/tickets`]: READS_REQUESTS,
  [`POST ${SITE}/tickets`]: WRITES_REQUESTS,
  [`GET ${SITE}/tickets/:number`]: READS_REQUESTS,
  [`PATCH ${SITE}/tickets/:number`]: WRITES_REQUESTS,
  [`GET ${SITE}/tickets/:number/attachments/:attachmentId`]: READS_REQUESTS,
  [`GET ${SITE}/tickets/:number/comments`]: READS_REQUESTS,
  [`POST ${SITE}/tickets/:number/comments`]: WRITES_REQUESTS,
  [`GET ${SITE}/people`]: READS_REQUESTS,
  [`POST ${SITE}/people`]: WRITES_REQUESTS,
  [`PATCH ${SITE}/people/:personId`]: WRITES_REQUESTS,
  [`DELETE ${SITE}/people/:personId`]: WRITES_REQUESTS,
  [`GET ${SITE}/units`]: READS_REQUESTS,
  [`POST ${SITE}/units`]: WRITES_REQUESTS,
  [`DELETE ${SITE}/units/:unitId`]: WRITES_REQUESTS,
  [`GET ${SITE}/tags`]: READS_REQUESTS,
  [`GET ${SITE}/outbox`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/import/upload-url`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/preview`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/export`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/problems`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/findings`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/numbers`]: READS_REQUESTS,
  'PUT /uploads/:orgId/:propertyId/:file': SIGNED,
  'GET /downloads/:kind/:propertyId/:file': SIGNED,
}
/** Those below a site that needs Maintenance Requests turned on. */
const OF_REQUESTS = Object.keys(MATRIX).filter((route) => route.includes(SITE))

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
/** Of another organization. */
let others: Tenant
/** A site of ours that has Maintenance Requests off. */
let turnedOff: string
let headers: Record<Caller, Record<string, string>>

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  others = await addTenant(cloud, 'Theirs')
  const otherSite = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Other site' })
  turnedOff = String(otherSite.body.id)
  const everything = ['edge-device:read_write', 'ticket:read', 'ticket:read_write']
  const key = async (orgId: string, permissions: string[], siteIds: string[] | null = null) =>
    (await createKey(cloud, orgId, permissions, siteIds)).apiKey
  const right = await key(ours.orgId, ['edge-device:read_write'], [ours.siteId])
  const revoked = await createKey(cloud, ours.orgId, everything)
  await asOperator(cloud, 'DELETE', `/api/orgs/${ours.orgId}/api-keys/${revoked.id}`)
  headers = {
    nobody: {},
    'a malformed key': { 'x-api-key': `${right.slice(0, -1)}${right.endsWith('a') ? 'b' : 'a'}` },
    'an unknown key': { 'x-api-key': 'plr_000000000000_00000000000000000000000000000000000000' },
    'a revoked key': { 'x-api-key': revoked.apiKey },
    'a key of another organization': { 'x-api-key': await key(others.orgId, everything) },
    'a key of another site': { 'x-api-key': await key(ours.orgId, everything, [turnedOff]) },
    'a key for devices': { 'x-api-key': right },
    'a key that reads requests': { 'x-api-key': await key(ours.orgId, ['ticket:read'], [ours.siteId]) },
    'a key that writes requests': { 'x-api-key': await key(ours.orgId, ['ticket:read_write'], [ours.siteId]) },
    'a wrong admin token': { authorization: 'Bearer not-the-admin-token-at-all' },
    'the admin token': { authorization: `Bearer ${cloud.ready.adminToken}` },
  }
})

afterAll(() => cloud.stop())

const routes = () =>
  cloud.routes
    .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))
    .filter((route) => !route.startsWith('HEAD '))

async function callRoute(route: string, place: { orgId: string; siteId: string }, headers: Record<string, string>) {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace(':orgId', place.orgId)
    .replace(':propertyId', place.siteId)
    // Not the real device where it would be removed or given a new secret by the right caller.
    .replace(':deviceId', MATRIX[route]?.['a key for devices'] === 'passes' ? ours.deviceId : 'dev_none')
    .replace(':kind', 'blobs')
    .replace(/:\w+/, 'none')
    .replace(/:\w+/, 'none')
    .replace('*', 'index.html')
  const body = method === 'GET' ? {} : { body: { data: {} } }
  return call(cloud, method, path, { headers, ...body })
}

describe('who may call what', () => {
  test('every route has a row, and every row is a route', () => {
    expect([...new Set(routes())].toSorted()).toEqual(Object.keys(MATRIX).toSorted())
  })

  test.each(Object.keys(MATRIX))('%s', async (route) => {
    for (const caller of CALLERS) {
      const { status } = await callRoute(route, ours, headers[caller])
      const verdict = status === 401 || status === 403 ? status : 'passes'
      expect([caller, verdict]).toEqual([caller, MATRIX[route]?.[caller]])
    }
  })

  test('an unknown device, and one of another site or organization, get one and the same answer', async () => {
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
    test('tells a key nothing of sites that are not for it', async () => {
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

    test('says so when Maintenance Requests are off, to whoever may know of the site', async () => {
      const place = { orgId: ours.orgId, siteId: turnedOff }
      for (const caller of ['a key of another site', 'the admin token'] as const) {
        const { status, body } = await callRoute(route, place, headers[caller])
        expect([status, body.message]).toEqual([403, expect.stringContaining('Maintenance Requests are turned off')])
      }
    })

    test('is 404 for the operator when the organization has no such site', async () => {
      for (const siteId of ['site_none', others.siteId]) {
        const { status, body } = await callRoute(route, { orgId: ours.orgId, siteId }, headers['the admin token'])
        expect([status, body.message]).toEqual([404, `this organization has no site ${siteId}`])
      }
    })
  })

  test('a site that is turned off while it is used is closed at once, and open again as it was', async () => {
    const site = `/api/orgs/${ours.orgId}/sites/${ours.siteId}`
    const ask = () => callRoute(`GET ${SITE}/tickets`, ours, headers['a key that reads requests'])
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: false })
    expect((await ask()).status).toBe(403)
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: true })
    expect((await ask()).status).toBe(200)
  })

  test('a refused caller learns nothing from what it sends', async () => {
    const path = `/api/orgs/${ours.orgId}/edge-device-admin/${ours.deviceId}/cmd/getTechnicalConnectionValues`
    const malformed = await call(cloud, 'POST', path, { raw: '{"data":' })
    const oversized = await call(cloud, 'POST', path, { raw: JSON.stringify({ data: { id: 'x'.repeat(70_000) } }) })
    expect([malformed.status, oversized.status]).toEqual([401, 401])
  })
})
