import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  addTenant,
  asOperator,
  call,
  commandPath,
  createKey,
  startTestCloud,
  type Tenant,
} from '../../../testing/cloud.ts'
import { createTestDatabase } from '../../../testing/database.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(() => cloud.stop())

const REQ_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
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

  test('cannot have the permission of earlier versions, and the answer names its successors', async () => {
    const body = { name: 'Key', permissions: ['ticket:read', 'edge-device:read'] }
    const { status, body: answer } = await asOperator(cloud, 'POST', keysPath(), body)
    expect([status, answer.field]).toEqual([400, 'permissions[1]'])
    expect(answer.message).toBe(
      'permissions[1]: the permission edge-device:read no longer exists: measurement:read reads archived values and audit entries; datapoints, live values and overrides need edge-device:read_write',
    )
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

describe('the expiry of a key', () => {
  const create = (expiresAt: string | null) =>
    asOperator(cloud, 'POST', keysPath(), { name: 'Key', permissions: ['edge-device:read_write'], expiresAt })

  test('is in the future', async () => {
    for (const expiresAt of [new Date(Date.now() - 1).toISOString(), '1970-01-01T00:00:00Z']) {
      const { status, body } = await create(expiresAt)
      expect([status, body.field]).toEqual([400, 'expiresAt'])
      expect(body.message).toBe('expiresAt is not in the future: give a later time, or leave it out')
    }
    expect((await create('soon')).body.field).toBe('expiresAt')
    expect((await create(null)).status).toBe(201)
  })

  test('makes it refused exactly like a revoked key, and listed as expired', async () => {
    const expiresAt = new Date(Date.now() + 1500).toISOString()
    const { body } = await create(expiresAt)
    expect(body).toMatchObject({ expiresAt })
    const send = async (apiKey: unknown) => {
      const path = commandPath(tenant.orgId, tenant.deviceId, 'getTechnicalConnectionValues')
      const headers = { 'x-api-key': String(apiKey) }
      const answer = await call(cloud, 'POST', path, { headers, body: { reqId: REQ_ID, data: { id: 'x' } } })
      return [answer.status, answer.body]
    }
    expect((await send(body.apiKey))[0]).toBe(502)
    const revoked = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    await asOperator(cloud, 'DELETE', `${keysPath()}/${revoked.id}`)
    await vi.waitFor(async () => expect(await send(body.apiKey)).toEqual(await send(revoked.apiKey)), 5000)
    expect((await list()).find((key) => key.id === body.id)).toMatchObject({ state: 'expired', expiresAt })
    const rotated = await asOperator(cloud, 'POST', `${keysPath()}/${body.id}/rotate`, { overlapSeconds: 0 })
    expect([rotated.status, rotated.body.message]).toEqual([
      409,
      `the API key ${body.id} has expired or is revoked: create a new key`,
    ])
  })
})

describe('rotating a key', () => {
  const rotate = (keyId: string, body: object, orgId = tenant.orgId) =>
    asOperator(cloud, 'POST', `/api/orgs/${orgId}/api-keys/${keyId}/rotate`, body)

  test('shows a new secret once, keeps the id, and lets the old one work for the overlap', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const { status, body } = await rotate(id, { overlapSeconds: 3600, expiresAt })
    expect([status, body]).toEqual([
      200,
      {
        ...{ id, name: 'Key', permissions: ['edge-device:read_write'], siteIds: null, expiresAt },
        ...{ apiKey: expect.stringContaining(`plr_${id}_`), previousSecretUntil: expect.any(String) },
      },
    ])
    expect(await statusWith(cloud, apiKey)).toBe(502)
    expect(await statusWith(cloud, String(body.apiKey))).toBe(502)
    const listed = await asOperator(cloud, 'GET', keysPath())
    expect(JSON.stringify(listed.body)).not.toContain(String(body.apiKey).slice(20))
    expect((await list()).find((key) => key.id === id)).toMatchObject({
      ...{ state: 'active', rotatedAt: expect.any(String), previousSecretUntil: body.previousSecretUntil },
      ...{ lastUsedFrom: '127.0.0.1', expiresAt },
    })
    const again = await rotate(id, { overlapSeconds: 0 })
    expect(again.body).toMatchObject({ previousSecretUntil: null, expiresAt })
    expect(await statusWith(cloud, apiKey)).toBe(401)
    expect(await statusWith(cloud, String(body.apiKey))).toBe(401)
    expect(await statusWith(cloud, String(again.body.apiKey))).toBe(502)
  })

  test.each([[{}], [{ overlapSeconds: -1 }], [{ overlapSeconds: 30 * 86_400 + 1 }], [{ overlapSeconds: 0.5 }]])(
    'is refused with %j',
    async (body) => {
      const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
      const answer = await rotate(id, body)
      expect([answer.status, answer.body.field]).toEqual([400, 'overlapSeconds'])
      expect(await statusWith(cloud, apiKey)).toBe(502)
    },
  )

  test('is the same 404 for an unknown key and a key of another organization', async () => {
    const theirs = await addTenant(cloud, 'Organization that rotates')
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const foreign = await rotate(id, { overlapSeconds: 0 }, theirs.orgId)
    const unknown = await rotate('000000000000', { overlapSeconds: 0 }, theirs.orgId)
    expect([foreign.status, foreign.body.message]).toEqual([404, `this organization has no API key ${id}`])
    expect([unknown.status, unknown.body.message]).toEqual([404, 'this organization has no API key 000000000000'])
    expect(await statusWith(cloud, apiKey)).toBe(502)
  })
})

describe('revoking a key with its overrides', () => {
  const revoke = (id: string, query: string, orgId = tenant.orgId) =>
    asOperator(cloud, 'DELETE', `/api/orgs/${orgId}/api-keys/${id}?${query}`)

  test('answers which controllers are pending, again for a key that was revoked before', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const pending = [{ deviceId: tenant.deviceId, name: 'Device' }]
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await revoke(id, 'cancelOverrides=true')
      expect([status, body]).toEqual([200, { cancelled: [], pending }])
    }
    expect(await statusWith(cloud, apiKey)).toBe(401)
    expect((await list()).find((key) => key.id === id)).toMatchObject({ state: 'revoked', pendingDevices: 1 })
    expect((await revoke(id, 'cancelOverrides=false')).status).toBe(204)
  })

  test('changes nothing with a parameter that is neither true nor false', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    for (const value of ['yes', '', '1', 'True']) {
      const { status, body } = await revoke(id, `cancelOverrides=${value}`)
      expect([status, body.field]).toEqual([400, 'cancelOverrides'])
    }
    expect(await statusWith(cloud, apiKey)).toBe(502)
  })

  test('is not possible for another organization', async () => {
    const theirs = await addTenant(cloud, 'Organization that revokes')
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const { status, body } = await revoke(id, 'cancelOverrides=true', theirs.orgId)
    expect([status, body.message]).toEqual([404, `this organization has no API key ${id}`])
    expect(await statusWith(cloud, apiKey)).toBe(502)
    expect((await list()).find((key) => key.id === id)).toMatchObject({ state: 'active', pendingDevices: 0 })
  })
})

describe('a key that is revoked between the headers and the body of a request', () => {
  test('is refused', async () => {
    const { id, apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const body = JSON.stringify({ data: { id: 'x' } })
    const answer = Promise.withResolvers<number | undefined>()
    const slow = request(
      cloud.ready.baseUrl + commandPath(tenant.orgId, tenant.deviceId, 'getTechnicalConnectionValues'),
      {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': body.length },
      },
    )
    slow.on('response', (response) => answer.resolve(response.resume().statusCode)).on('error', answer.reject)
    slow.write(body.slice(0, 5))
    // The use is recorded when the headers were checked.
    await vi.waitFor(async () => expect((await list()).find((key) => key.id === id)?.lastUsedAt).not.toBeNull())
    await asOperator(cloud, 'DELETE', `${keysPath()}/${id}`)
    slow.end(body.slice(5))
    expect(await answer.promise).toBe(401)
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
