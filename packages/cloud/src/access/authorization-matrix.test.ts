import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

const CALLERS = [
  'nobody',
  'a malformed key',
  'an unknown key',
  'a revoked key',
  'a key without the permission',
  'a key of another organization',
  'a key of another site',
  'the right key',
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
  'a key without the permission': 403,
  'a key of another organization': 403,
  'a key of another site': 403,
  'the right key': 'passes',
}
const KEY_FOR_DEVICE_OR_OPERATOR: Record<Caller, Verdict> = { ...KEY_FOR_DEVICE, 'the admin token': 'passes' }
/** What a key sees there is another question: only what is of its sites. */
const KEY_FOR_ORGANIZATION_OR_OPERATOR: Record<Caller, Verdict> = {
  ...KEY_FOR_DEVICE_OR_OPERATOR,
  'a key of another site': 'passes',
}

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
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let headers: Record<Caller, Record<string, string>>

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  const theirs = await addTenant(cloud, 'Theirs')
  const otherSite = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Other site' })
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
    'a key without the permission': { 'x-api-key': await key(ours.orgId, ['ticket:read', 'ticket:read_write']) },
    'a key of another organization': { 'x-api-key': await key(theirs.orgId, everything) },
    'a key of another site': { 'x-api-key': await key(ours.orgId, everything, [String(otherSite.body.id)]) },
    'the right key': { 'x-api-key': right },
    'a wrong admin token': { authorization: 'Bearer not-the-admin-token-at-all' },
    'the admin token': { authorization: `Bearer ${cloud.ready.adminToken}` },
  }
})

afterAll(() => cloud.stop())

const routes = () =>
  cloud.routes
    .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))
    .filter((route) => !route.startsWith('HEAD '))

describe('who may call what', () => {
  test('every route has a row, and every row is a route', () => {
    expect([...new Set(routes())].toSorted()).toEqual(Object.keys(MATRIX).toSorted())
  })

  test.each(Object.keys(MATRIX))('%s', async (route) => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern
      .replace(':orgId', ours.orgId)
      // Not the real device where it would be removed or given a new secret by the right caller.
      .replace(':deviceId', MATRIX[route]?.['the right key'] === 'passes' ? ours.deviceId : 'dev_none')
      .replace(':datapointId', 'none')
      .replace(':keyId', 'none')
      .replace(':command', 'none')
      .replace('*', 'index.html')
    for (const caller of CALLERS) {
      const body = method === 'GET' ? {} : { body: { data: {} } }
      const { status } = await call(cloud, method, path, { headers: headers[caller], ...body })
      const verdict = status === 401 || status === 403 ? status : 'passes'
      expect([caller, verdict]).toEqual([caller, MATRIX[route]?.[caller]])
    }
  })

  test('an unknown device, and one of another site or organization, get one and the same answer', async () => {
    const theirs = await addTenant(cloud, 'Others')
    const answers = await Promise.all(
      [
        [ours.orgId, 'dev_none', 'the right key'],
        [ours.orgId, theirs.deviceId, 'the right key'],
        [theirs.orgId, theirs.deviceId, 'the right key'],
        ['org_none', 'dev_none', 'the right key'],
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

  test('a refused caller learns nothing from what it sends', async () => {
    const path = `/api/orgs/${ours.orgId}/edge-device-admin/${ours.deviceId}/cmd/getTechnicalConnectionValues`
    const malformed = await call(cloud, 'POST', path, { raw: '{"data":' })
    const oversized = await call(cloud, 'POST', path, { raw: JSON.stringify({ data: { id: 'x'.repeat(70_000) } }) })
    expect([malformed.status, oversized.status]).toEqual([401, 401])
  })
})
