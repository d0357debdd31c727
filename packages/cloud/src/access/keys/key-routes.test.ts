import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  addTenant,
  asOperator,
  call,
  commandPath,
  createKey,
  startTestCloud,
  type Tenant,
} from '../../testing/cloud.ts'
import { createTestDatabase } from '../../testing/database.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(() => cloud.stop())

const keysPath = () => `/api/orgs/${tenant.orgId}/api-keys`
const list = async () =>
  (await asOperator(cloud, 'GET', keysPath())).body.keys as {
    id: string
    lastUsedAt: string | null
    revokedAt: string | null
  }[]

/** 401 for a refused key; 502 for an accepted one, because the device is never connected. */
async function statusWith(at: typeof cloud, apiKey: string): Promise<number> {
  const path = commandPath(tenant.orgId, tenant.deviceId, 'getTechnicalConnectionValues')
  const answer = await call(at, 'POST', path, { headers: { 'x-api-key': apiKey }, body: { data: { id: 'x' } } })
  return answer.status
}

describe('an API key', () => {
  test('is shown once and listed without its secret', async () => {
    const made = await asOperator(cloud, 'POST', keysPath(), { name: 'Market', permissions: ['ticket:read'] })
    expect(made.status).toBe(201)
    expect(made.body.apiKey).toMatch(/^plr_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
    const listed = await asOperator(cloud, 'GET', keysPath())
    expect(JSON.stringify(listed.body)).not.toContain(String(made.body.apiKey).slice(20))
    expect((listed.body.keys as object[]).find((key) => 'id' in key && key.id === made.body.id)).toEqual({
      id: made.body.id,
      name: 'Market',
      permissions: ['ticket:read'],
      siteIds: null,
      state: 'active',
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      rotatedAt: null,
      previousSecretUntil: null,
      revokedAt: null,
      overrides: 0,
      pendingDevices: 0,
    })
  })

  test('works immediately and shows its last use', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    expect(await statusWith(cloud, apiKey)).toBe(502)
    expect((await list()).find((key) => key.id === id)?.lastUsedAt).toEqual(expect.any(String))
  })

  test('is refused as soon as it is revoked; revoking it again changes nothing', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    expect((await asOperator(cloud, 'DELETE', `${keysPath()}/${id}`)).status).toBe(204)
    expect(await statusWith(cloud, apiKey)).toBe(401)
    const revokedAt = (await list()).find((key) => key.id === id)?.revokedAt
    expect(revokedAt).toEqual(expect.any(String))
    expect((await asOperator(cloud, 'DELETE', `${keysPath()}/${id}`)).status).toBe(204)
    expect((await list()).find((key) => key.id === id)?.revokedAt).toBe(revokedAt)
  })

  test('cannot be created for an unknown site or organization', async () => {
    const before = (await list()).length
    const body = { name: 'Key', permissions: ['ticket:read'], siteIds: ['site_none'] }
    const unknownSite = await asOperator(cloud, 'POST', keysPath(), body)
    expect([unknownSite.status, unknownSite.body.field]).toEqual([400, 'siteIds'])
    expect((await asOperator(cloud, 'POST', '/api/orgs/org_none/api-keys', { ...body, siteIds: null })).status).toBe(
      404,
    )
    expect((await list()).length).toBe(before)
  })

  test.each([
    [{ permissions: ['ticket:read'] }, 'name'],
    [{ name: ' ', permissions: ['ticket:read'] }, 'name'],
    [{ name: 'Key' }, 'permissions'],
    [{ name: 'Key', permissions: [] }, 'permissions'],
    [{ name: 'Key', permissions: ['everything'] }, 'permissions[0]'],
  ])('with an invalid description is refused: %j', async (body, field) => {
    const { status, body: answer } = await asOperator(cloud, 'POST', keysPath(), body)
    expect([status, answer.field]).toEqual([400, field])
  })

  test('of another organization is not listed and cannot be revoked through ours', async () => {
    const theirs = await addTenant(cloud, 'Other organization')
    const { id, apiKey } = await createKey(cloud, theirs.orgId, ['edge-device:read_write'])
    expect((await list()).map((key) => key.id)).not.toContain(id)
    expect((await asOperator(cloud, 'GET', `/api/orgs/${theirs.orgId}/api-keys`)).body.keys).toMatchObject([{ id }])
    expect((await asOperator(cloud, 'DELETE', `${keysPath()}/${id}`)).status).toBe(404)
    expect(await statusWith(cloud, apiKey)).toBe(403)
  })
})

describe('two cloud processes on one database', () => {
  test('share created and revoked keys', async () => {
    const databaseUrl = await createTestDatabase()
    const [first, second] = await Promise.all([startTestCloud({ databaseUrl }), startTestCloud({ databaseUrl })])
    try {
      const own = await addTenant(first, 'Shared organization')
      const path = commandPath(own.orgId, own.deviceId, 'getTechnicalConnectionValues')
      const { id, apiKey } = await createKey(first, own.orgId, ['edge-device:read_write'])
      const atSecond = async () =>
        (await call(second, 'POST', path, { headers: { 'x-api-key': apiKey }, body: { data: { id: 'x' } } })).status
      await vi.waitFor(async () => expect(await atSecond()).toBe(502))
      await asOperator(first, 'DELETE', `/api/orgs/${own.orgId}/api-keys/${id}`)
      await vi.waitFor(async () => expect(await atSecond()).toBe(401))
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })
})
