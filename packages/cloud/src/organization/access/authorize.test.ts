import { createLog } from '@plantroom/base/log'
import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import type { Access } from '@plantroom/contract/route'
import type { FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../platform/http/server.ts'
import { authorizeRoutes } from './authorize.ts'
import type { Membership } from './authorize-person.ts'
import type { ActiveKey } from './keys/key-store.ts'
import { makeApiKey, makeToken } from './secrets.ts'

const ADMIN_TOKEN = 'admin-token-0123456789'
const SITES = new Map([
  ['site', { organizationId: 'org', maintenanceRequests: true }],
  ['site2', { organizationId: 'org', maintenanceRequests: true }],
])

/** A server with one route and one caller of each kind. */
async function openRoute(access: Access, path = '/api/orgs/:orgId/things') {
  const token = makeToken()
  const { text: apiKey, id: keyId } = makeApiKey()
  const memberships = new Map<string, Membership[]>([
    [token, [{ organizationId: 'org', siteId: 'site', role: 'viewer' }]],
  ])
  const keys = new Map([[apiKey, { id: keyId, organizationId: 'org', permissions: new Set(['ticket:read']) }]])
  let lookups = 0
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  authorizeRoutes(app, {
    adminToken: ADMIN_TOKEN,
    publicOrigin: undefined,
    findDevice: () => undefined,
    findSite: (id) => SITES.get(id),
    keys: {
      verify: (text) => keys.get(text) as unknown as ActiveKey | undefined,
      isActive: (id) => [...keys.values()].some((key) => key.id === id),
    },
    sessions: {
      async find(token) {
        lookups += 1
        const found = memberships.get(token)
        const person = { sessionId: 'ses_1', userId: 'usr_1', email: 'mari@example.ee' }
        return found && { ...person, memberships: found, isFresh: false, hasSecondFactor: false }
      },
    },
  })
  let last: FastifyRequest | undefined
  app.get(path, { config: { access } }, async (request) => {
    last = request
    const { keyId, callerId, userId, email, role, siteIds } = request
    return { keyId, callerId, userId, email, role, siteIds: siteIds && [...siteIds] }
  })
  const cookie = `${SESSION_COOKIE}=${token}`
  const ask = (headers: Record<string, string>, url = '/api/orgs/org/things') => app.inject({ url, headers })
  const request = () => {
    if (!last) throw new Error('no request reached the route')
    return last
  }
  return { ask, cookie, token, memberships, keys, apiKey, keyId, request, lookups: () => lookups }
}

const OPEN = { by: 'key-or-operator', permission: 'ticket:read', role: 'viewer' } as const

describe('the caller of a route', () => {
  test('is the id of a key, and no person', async () => {
    const { ask, apiKey, keyId, lookups, cookie } = await openRoute(OPEN)
    expect((await ask({ 'x-api-key': apiKey, cookie })).json()).toEqual({ keyId, callerId: keyId })
    expect(lookups()).toBe(0)
  })

  test('is undefined for the operator', async () => {
    const { ask } = await openRoute(OPEN)
    expect((await ask({ authorization: `Bearer ${ADMIN_TOKEN}` })).json()).toEqual({})
  })

  test('is a person with their role and the sites where it is sufficient', async () => {
    const { ask, cookie, memberships, token } = await openRoute(OPEN)
    const person = { callerId: 'user:usr_1', userId: 'usr_1', email: 'mari@example.ee' }
    expect((await ask({ cookie })).json()).toEqual({ ...person, role: 'viewer', siteIds: ['site'] })
    memberships.set(token, [{ organizationId: 'org', siteId: null, role: 'admin' }])
    expect((await ask({ cookie })).json()).toEqual({ ...person, role: 'admin' })
  })

  test('is a person without a role where being signed in is enough', async () => {
    const { ask, cookie } = await openRoute({ by: 'session' })
    expect((await ask({ cookie })).json()).toEqual({
      callerId: 'user:usr_1',
      userId: 'usr_1',
      email: 'mari@example.ee',
    })
  })

  test('cannot be a person on a route without a role, and the session is not looked up', async () => {
    const { ask, cookie, lookups } = await openRoute({ by: 'operator' })
    expect((await ask({ cookie })).statusCode).toBe(401)
    expect(lookups()).toBe(0)
  })

  test('is not looked up by a malformed cookie', async () => {
    const { ask, lookups } = await openRoute(OPEN)
    for (const cookie of [`${SESSION_COOKIE}=short`, SESSION_COOKIE, 'other=1']) {
      expect((await ask({ cookie })).statusCode).toBe(401)
    }
    expect(lookups()).toBe(0)
  })
})

test('a key without the permission learns its name and its identifier', async () => {
  const { ask, apiKey } = await openRoute({
    by: 'key-or-operator',
    permission: ['measurement:read', 'edge-device:read_write'],
  })
  const { statusCode, body } = await ask({ 'x-api-key': apiKey })
  expect([statusCode, JSON.parse(body).message]).toEqual([
    403,
    'this API key lacks the permission Measurements read (measurement:read) or Edge devices read & write (edge-device:read_write)',
  ])
})

describe('a long-lived request loses access', () => {
  test('when its session has ended', async () => {
    const { ask, cookie, memberships, token, request } = await openRoute(OPEN)
    await ask({ cookie })
    expect(await request().sessionIsOpen()).toBe(true)
    memberships.delete(token)
    expect(await request().sessionIsOpen()).toBe(false)
  })

  test('when its person loses the membership or the role', async () => {
    const { ask, cookie, memberships, token, request } = await openRoute(
      { by: 'operator', role: 'manager' },
      '/api/orgs/:orgId/sites/:siteId/things',
    )
    const be = (siteId: string, role: 'viewer' | 'manager') =>
      memberships.set(token, [{ organizationId: 'org', siteId, role }])
    be('site', 'manager')
    expect((await ask({ cookie }, '/api/orgs/org/sites/site/things')).statusCode).toBe(200)
    expect(await request().sessionIsOpen()).toBe(true)
    be('site', 'viewer')
    expect(await request().sessionIsOpen()).toBe(false)
    be('site2', 'manager')
    expect(await request().sessionIsOpen()).toBe(false)
  })

  test('when its key was revoked', async () => {
    const { ask, apiKey, keys, request } = await openRoute(OPEN)
    await ask({ 'x-api-key': apiKey })
    expect(await request().sessionIsOpen()).toBe(true)
    keys.delete(apiKey)
    expect(await request().sessionIsOpen()).toBe(false)
  })

  test('never when the operator sent it', async () => {
    const { ask, request } = await openRoute(OPEN)
    await ask({ authorization: `Bearer ${ADMIN_TOKEN}` })
    expect(await request().sessionIsOpen()).toBe(true)
  })
})
