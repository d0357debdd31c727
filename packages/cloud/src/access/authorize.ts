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
  | {
      by: 'key-or-operator'
      /** Any one of them. */
      permission: Permission | readonly Permission[]
      /** What must be turned on for the site in the path. */
      needs?: 'maintenance-requests'
    }

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
  findSite(siteId: string): { organizationId: string; maintenanceRequests: boolean } | undefined
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
      request.refusal ??= judgeSite(request.params as Reach, access.needs, deps)
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

/** Only whoever may know of the site gets here. */
function judgeSite(
  { orgId, propertyId }: Reach,
  needs: 'maintenance-requests' | undefined,
  deps: AuthorizeDeps,
): Failure | undefined {
  if (propertyId === undefined) return undefined
  const site = deps.findSite(propertyId)
  if (site?.organizationId !== orgId) return new Failure('notFound', `this organization has no site ${propertyId}`)
  if (needs === undefined || site?.maintenanceRequests) return undefined
  return new Failure(
    'forbidden',
    'Maintenance Requests are turned off for this site: the operator turns them on with "plantroom site update ID --maintenance-requests on"',
  )
}

function judgeKey(
  request: FastifyRequest,
  permission: Permission | readonly Permission[],
  deps: AuthorizeDeps,
): Failure | undefined {
  const text = request.headers['x-api-key']
  if (typeof text !== 'string' || text === '') {
    return new Failure('unauthenticated', 'the X-Api-Key header is missing')
  }
  const key = deps.keys.verify(text)
  if (!key) return new Failure('unauthenticated', 'the API key in X-Api-Key is malformed, unknown or revoked')
  const anyOf = [permission].flat()
  if (!anyOf.some((one) => key.permissions.has(one))) {
    return new Failure('forbidden', `this API key lacks the permission ${anyOf.join(' or ')}`)
  }
  if (!reaches(key, request.params as Reach, deps)) {
    // One answer for all: whether an organization, a site or a device exists is not for a stranger to learn.
    return new Failure(
      'forbidden',
      'this API key is not authorized for this organization, or for this site or the site of this device',
    )
  }
  request.keyId = key.id
  request.siteIds = key.siteIds
  return undefined
}

interface Reach {
  orgId?: string
  /** What the contract of packages calls a site. */
  propertyId?: string
  deviceId?: string
}

function reaches(key: ActiveKey, { orgId, propertyId, deviceId }: Reach, deps: AuthorizeDeps): boolean {
  if (key.organizationId !== orgId) return false
  const isOpen = (siteId: string) => key.siteIds === undefined || key.siteIds.has(siteId)
  if (propertyId !== undefined) return deps.findSite(propertyId)?.organizationId === orgId && isOpen(propertyId)
  if (deviceId === undefined) return true
  const device = deps.findDevice(deviceId)
  return device?.organizationId === orgId && isOpen(device.siteId)
}
