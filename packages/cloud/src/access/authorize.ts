import { Failure } from '@plantroom/contract/failure'
import type { Role } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { hashSecret, secretMatches } from './api-key.ts'
import { judgePerson, type Reach } from './judge-person.ts'
import type { KeyRegistry } from './key-registry.ts'
import type { ActiveKey } from './key-store.ts'
import { judgeOrigin } from './own-origin.ts'
import type { Permission } from './permissions.ts'
import { SESSION_COOKIE, sessionTokenIn } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

/** Who may call a route. Every route says so; with one that does not, the server does not start. */
export type Access =
  | {
      by: 'anyone'
      /** Only from pages of ours, when it is a browser that asks. */
      fromOwnPages?: true
    }
  /** Any person who is signed in. */
  | { by: 'session' }
  | ({ by: 'operator' } & ForPeople)
  | ({ by: 'key'; permission: Permission } & ForPeople)
  | ({
      by: 'key-or-operator'
      /** Any one of them. */
      permission: Permission | readonly Permission[]
      /** What must be turned on for the site in the path. */
      needs?: 'maintenance-requests'
    } & ForPeople)

interface ForPeople {
  /** The least that a person who is signed in must be there; missing: no person may. */
  role?: Role
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
    /** The id of the key that calls, or `user:<id>` of the person who does; `undefined`: the operator, or anyone. */
    readonly callerId: string | undefined
    /** The person who is signed in and calls. */
    userId: string | undefined
    email: string | undefined
    /** What that person is in what the path names: the device, the site, or the most that they are in the organization. */
    role: Role | undefined
    /** The sites that the caller may see; `undefined`: all of the organization. */
    siteIds: ReadonlySet<string> | undefined
    /** Whether the caller could call this again now: what goes on for long asks now and then, and ends with its session. */
    sessionIsOpen(): Promise<boolean>
  }
}

export interface AuthorizeDeps {
  keys: Pick<KeyRegistry, 'verify'>
  sessions: Pick<Sessions, 'find'>
  adminToken: string
  /** Of the address that people open, where that is another than they ask. */
  publicOrigin: string | undefined
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
  app.decorateRequest('callerId', {
    getter(this: FastifyRequest) {
      return this.keyId ?? (this.userId === undefined ? undefined : `user:${this.userId}`)
    },
  })
  app.decorateRequest('userId', undefined)
  app.decorateRequest('email', undefined)
  app.decorateRequest('role', undefined)
  app.decorateRequest('siteIds', undefined)
  app.decorateRequest('sessionIsOpen', async function (this: FastifyRequest) {
    if (this.keyId !== undefined) return deps.keys.verify(String(this.headers['x-api-key'])) !== undefined
    return this.userId === undefined || (await judgeSession(this, neededRole(this), deps)) === undefined
  })
  // With callbacks, not promises: these run for every poll of every device.
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access
    if (access?.by === undefined) return done()
    if (access.by === 'anyone') {
      return done(access.fromOwnPages ? judgeOrigin(request, deps.publicOrigin) : undefined)
    }
    if (isForSession(request, access)) {
      judgeSession(request, neededRole(request), deps).then((refusal) => {
        // Told after the body was read where keys are, too; else at once.
        if (access.by === 'operator' || access.by === 'session') return done(refusal)
        request.refusal = refusal
        if (access.by === 'key-or-operator') request.refusal ??= judgeSite(request.params as Reach, access.needs, deps)
        done()
      }, done)
      return
    }
    if (access.by === 'session') return done(new Failure('unauthenticated', SIGN_IN))
    if (access.by === 'operator') return done(judgeOperator(request, adminHash))
    if (access.by === 'key') request.refusal = judgeKey(request, access.permission, deps)
    if (access.by === 'key-or-operator') {
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

const SIGN_IN = 'nobody is signed in, or the session has ended: sign in'
const NEITHER = 'send an API key as "X-Api-Key: <key>", or the admin token as "Authorization: Bearer <token>"'

function judgeOperator(request: FastifyRequest, adminHash: Buffer): Failure | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && token && secretMatches(token, adminHash)) return undefined
  return new Failure('unauthenticated', 'send the admin token as "Authorization: Bearer <token>"')
}

/** A cookie counts where people may call, and nobody else says who they are. */
function isForSession({ headers }: FastifyRequest, access: Access): boolean {
  if ('x-api-key' in headers || 'authorization' in headers) return false
  const isForPeople = access.by === 'session' || (access.by !== 'anyone' && access.role !== undefined)
  return isForPeople && headers.cookie?.includes(SESSION_COOKIE) === true
}

function neededRole(request: FastifyRequest): Role | undefined {
  const access = request.routeOptions.config.access
  return access && 'role' in access ? access.role : undefined
}

/** Judges the person whose session the cookie is; without a role, being signed in is enough. */
async function judgeSession(
  request: FastifyRequest,
  needed: Role | undefined,
  deps: AuthorizeDeps,
): Promise<Failure | undefined> {
  const token = sessionTokenIn(request.headers.cookie)
  const person = token === undefined ? undefined : await deps.sessions.find(token)
  if (!person) return new Failure('unauthenticated', SIGN_IN)
  const foreign = judgeOrigin(request, deps.publicOrigin)
  if (foreign) return foreign
  if (needed !== undefined) {
    const verdict = judgePerson(person, needed, request.params as Reach, deps)
    if (verdict instanceof Failure) return verdict
    request.role = verdict.role
    request.siteIds = verdict.siteIds
  }
  request.userId = person.userId
  request.email = person.email
  return undefined
}

/** Only whoever may know of the site gets here. */
function judgeSite(
  { orgId, propertyId }: Reach,
  needs: 'maintenance-requests' | undefined,
  deps: AuthorizeDeps,
): Failure | undefined {
  if (propertyId === undefined) return undefined
  const site = deps.findSite(propertyId)
  if (site?.organizationId !== orgId)
    return new Failure('notFound', `this organization has no site ${shown(propertyId)}`)
  if (needs === undefined || site?.maintenanceRequests) return undefined
  return new Failure(
    'forbidden',
    'Maintenance Requests are turned off for this site: an administrator turns them on in its settings, or the operator with "plantroom site update ID --maintenance-requests on"',
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

function reaches(key: ActiveKey, { orgId, propertyId, deviceId }: Reach, deps: AuthorizeDeps): boolean {
  if (key.organizationId !== orgId) return false
  const isOpen = (siteId: string) => key.siteIds === undefined || key.siteIds.has(siteId)
  if (propertyId !== undefined) return deps.findSite(propertyId)?.organizationId === orgId && isOpen(propertyId)
  if (deviceId === undefined) return true
  const device = deps.findDevice(deviceId)
  return device?.organizationId === orgId && isOpen(device.siteId)
}
