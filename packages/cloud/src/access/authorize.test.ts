import { createLog } from '@plantroom/base/log'
import type { FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { makeApiKey } from './api-key.ts'
import { type Access, authorizeRoutes } from './authorize.ts'
import type { ActiveKey } from './key-store.ts'
import type { Membership } from './person-reach.ts'
import { makeToken, SESSION_COOKIE } from './session-cookie.ts'

const ADMIN_TOKEN = 'admin-token-0123456789'
const SITES = new Map([
  ['site', { organizationId: 'org', maintenanceRequests: true }],
  ['site2', { organizationId: 'org', maintenanceRequests: true }],
])

/** A server with one route, and who may call it. */
async function openRoute(access: Access, path = '/api/orgs/:orgId/things') {
  const token = makeToken()
  const { text: apiKey, id: keyId } = makeApiKey()
  const memberships = new Map<string, Membership[]>([
    [token, [{ organizationId: 'org', siteId: 'site', role: 'viewer' }]],
  ])
  const keys = new Map([[apiKey, { id: keyId, organizationId: 'org', permissions: new Set(['ticket:read']) }]])
  let lookUps = 0
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  authorizeRoutes(app, {
    adminToken: ADMIN_TOKEN,
    publicOrigin: undefined,
    findDevice: () => undefined,
    findSite: (id) => SITES.get(id),
    keys: { verify: (text) => keys.get(text) as unknown as ActiveKey | undefined },
    sessions: {
      async find(token) {
        lookUps += 1
        const found = memberships.get(token)
        return found && { userId: 'usr_1', email: 'mari@example.ee', memberships: found }
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
    if (!last) throw new Error('nobody asked')
    return last
  }
  return { ask, cookie, token, memberships, keys, apiKey, keyId, request, lookUps: () => lookUps }
}

const OPEN = { by: 'key-or-operator', permission: 'ticket:read', role: 'viewer' } as const

describe('what a route learns of who calls', () => {
  test('of a key: its id, and no person', async () => {
    const { ask, apiKey, keyId, lookUps, cookie } = await openRoute(OPEN)
    expect((await ask({ 'x-api-key': apiKey, cookie })).json()).toEqual({ keyId, callerId: keyId })
    expect(lookUps()).toBe(0)
  })

  test('of the operator: nothing', async () => {
    const { ask } = await openRoute(OPEN)
    expect((await ask({ authorization: `Bearer ${ADMIN_TOKEN}` })).json()).toEqual({})
  })

  test('of a person: who it is, their role, and the sites where it is enough', async () => {
    const { ask, cookie, memberships, token } = await openRoute(OPEN)
    const person = { callerId: 'user:usr_1', userId: 'usr_1', email: 'mari@example.ee' }
    expect((await ask({ cookie })).json()).toEqual({ ...person, role: 'viewer', siteIds: ['site'] })
    memberships.set(token, [{ organizationId: 'org', siteId: null, role: 'admin' }])
    expect((await ask({ cookie })).json()).toEqual({ ...person, role: 'admin' })
  })

  test('of whoever is only signed in: who it is', async () => {
    const { ask, cookie } = await openRoute({ by: 'session' })
    expect((await ask({ cookie })).json()).toEqual({
      callerId: 'user:usr_1',
      userId: 'usr_1',
      email: 'mari@example.ee',
    })
  })

  test('a route without a role is for no person, and asks for no session', async () => {
    const { ask, cookie, lookUps } = await openRoute({ by: 'operator' })
    expect((await ask({ cookie })).statusCode).toBe(401)
    expect(lookUps()).toBe(0)
  })

  test('a cookie that cannot be ours is not looked up', async () => {
    const { ask, lookUps } = await openRoute(OPEN)
    for (const cookie of [`${SESSION_COOKIE}=short`, SESSION_COOKIE, 'other=1']) {
      expect((await ask({ cookie })).statusCode).toBe(401)
    }
    expect(lookUps()).toBe(0)
  })
})

describe('what goes on for long is told', () => {
  test('when its session has ended', async () => {
    const { ask, cookie, memberships, token, request } = await openRoute(OPEN)
    await ask({ cookie })
    expect(await request().sessionIsOpen()).toBe(true)
    memberships.delete(token)
    expect(await request().sessionIsOpen()).toBe(false)
  })

  test('when its person is no member there any more, or not enough of one', async () => {
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

  test('never, when it is the operator’s', async () => {
    const { ask, request } = await openRoute(OPEN)
    await ask({ authorization: `Bearer ${ADMIN_TOKEN}` })
    expect(await request().sessionIsOpen()).toBe(true)
  })
})
