import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { hashSecret, secretMatches } from './api-key.ts'
import type { KeyRegistry } from './key-registry.ts'
import type { ActiveKey } from './key-store.ts'
import type { Permission } from './permissions.ts'

/** Who may call a route. Every route says so; with one that does not, the server does not start. */
export type Access =
  | { by: 'anyone' }
  | { by: 'operator' }
  | { by: 'key'; permission: Permission }
  | { by: 'key-or-operator'; permission: Permission }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Why a key was refused. Told after the body was read, so that its reqId can be echoed. */
    refusal: Failure | undefined
    /** The API key that calls; `undefined` when it is the operator, or anyone. */
    keyId: string | undefined
    /** The sites that the caller may see; `undefined`: all of the organization. */
    siteIds: ReadonlySet<string> | undefined
  }
}

export interface AuthorizeDeps {
  keys: Pick<KeyRegistry, 'verify'>
  adminToken: string
  /** Where a device stands, or `undefined` when there is none of this id. */
  findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
}

/**
 * Judges every request before anything else does: a stranger learns nothing from how its body is taken.
 * Returns the list that every route is put on when it is added.
 */
export function authorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): readonly RouteOptions[] {
  const adminHash = hashSecret(deps.adminToken)

  const added: RouteOptions[] = []
  app.addHook('onRoute', (route) => void added.push(route))
  app.addHook('onReady', async () => {
    const silent = added.find((route) => !route.config?.access)
    if (silent) throw new Error(`${silent.method} ${silent.url} does not say who may call it`)
  })

  app.decorateRequest('refusal', undefined)
  app.decorateRequest('keyId', undefined)
  app.decorateRequest('siteIds', undefined)
  // With callbacks, not promises: these run for every poll of every device.
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access
    if (access?.by === 'operator') return done(judgeOperator(request, adminHash))
    if (access?.by === 'key') request.refusal = judgeKey(request, access.permission, deps)
    if (access?.by === 'key-or-operator') {
      // With a key, the key alone is judged: what it may not see, no second header opens.
      if ('x-api-key' in request.headers) request.refusal = judgeKey(request, access.permission, deps)
      else if (judgeOperator(request, adminHash)) request.refusal = new Failure('unauthenticated', NEITHER)
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => done(request.refusal))
  return added
}

const NEITHER = 'send an API key as "X-Api-Key: <key>", or the admin token as "Authorization: Bearer <token>"'

function judgeOperator(request: FastifyRequest, adminHash: Buffer): Failure | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && token && secretMatches(token, adminHash)) return undefined
  return new Failure('unauthenticated', 'send the admin token as "Authorization: Bearer <token>"')
}

function judgeKey(request: FastifyRequest, permission: Permission, deps: AuthorizeDeps): Failure | undefined {
  const text = request.headers['x-api-key']
  if (typeof text !== 'string' || text === '') {
    return new Failure('unauthenticated', 'the X-Api-Key header is missing')
  }
  const key = deps.keys.verify(text)
  if (!key) return new Failure('unauthenticated', 'the API key in X-Api-Key is malformed, unknown or revoked')
  if (!key.permissions.has(permission)) {
    return new Failure('forbidden', `this API key lacks the permission ${permission}`)
  }
  if (!reaches(key, request.params as Reach, deps)) {
    // One answer for all: whether an organization, a site or a device exists is not for a stranger to learn.
    return new Failure(
      'forbidden',
      'this API key is not authorized for this organization, or for the site of this device',
    )
  }
  request.keyId = key.id
  request.siteIds = key.siteIds
  return undefined
}

interface Reach {
  orgId?: string
  deviceId?: string
}

function reaches(key: ActiveKey, { orgId, deviceId }: Reach, deps: AuthorizeDeps): boolean {
  if (key.organizationId !== orgId) return false
  if (deviceId === undefined) return true
  const device = deps.findDevice(deviceId)
  return device?.organizationId === orgId && (key.siteIds === undefined || key.siteIds.has(device.siteId))
}
