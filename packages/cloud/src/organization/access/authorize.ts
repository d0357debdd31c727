import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { describePermission, type Permission } from '@plantroom/contract/permissions'
import type { Role } from '@plantroom/contract/roles'
import type { Access } from '@plantroom/contract/route'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { callerAddress, callerNetwork } from '../../platform/routes/index.ts'
import type { ActingParty, Refusal, Refusals } from '../activity/index.ts'
import { authorizePerson, type PathIds } from './authorize-person.ts'
import type { KeyRegistry } from './keys/key-registry.ts'
import type { ActiveKey } from './keys/key-store.ts'
import { createOperatorCheck } from './operator-check.ts'
import { apiKeyId } from './secrets.ts'
import { sessionTokenIn } from './sessions/cookies.ts'
import type { Sessions } from './sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The server refuses to start with a route that does not declare it. */
    access?: Access
  }
  interface FastifyRequest {
    /** Why the caller was refused. Answered after the body is read, so that the answer can echo its reqId. */
    refusal: Failure | undefined
    /** The calling API key; `undefined` for the operator and for routes open to anyone. */
    keyId: string | undefined
    /** The name of the calling API key. */
    keyName: string | undefined
    /** The id of the calling key, or `user:<id>` for a person; `undefined` for the operator and for anyone. */
    readonly callerId: string | undefined
    /** Who calls, as the activity log names them. */
    readonly actor: ActingParty
    /** The session of the signed-in person who calls. */
    sessionId: string | undefined
    /** The signed-in person who calls. */
    userId: string | undefined
    email: string | undefined
    /** The person's role on the device or site in the path, or their highest role in the organization. */
    role: Role | undefined
    /** The person proved in the last 15 minutes who they are. False for keys and the operator, who need not. */
    isFresh: boolean
    /** The session was opened with a second factor. */
    hasSecondFactor: boolean
    /** The sites the caller may see; `undefined` for all sites of the organization. */
    siteIds: ReadonlySet<string> | undefined
    /** The sites on which the caller sees everyone's overrides: those of a manager, and all for the operator. */
    managedSiteIds: ReadonlySet<string> | 'all' | 'none'
    /** True while the caller still has access. Long-lived streams ask this repeatedly and end with the session. */
    sessionIsOpen(): Promise<boolean>
  }
}

interface AuthorizeDeps {
  keys: Pick<KeyRegistry, 'verify' | 'isActive'>
  sessions: Pick<Sessions, 'find'>
  adminToken: string
  /** Still accepted while callers change to the new one. */
  previousAdminToken?: string | undefined
  clock?: Clock
  /** Counts refused callers for the activity log. */
  refusals?: Pick<Refusals, 'add'>
  /** The origin people open in their browser, when a proxy makes it differ from the Host header. */
  publicOrigin: string | undefined
  /** Returns the organization and site of a device; `undefined` for an unknown id. */
  findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
  findSite(siteId: string): { organizationId: string; maintenanceRequests: boolean } | undefined
}

/**
 * Authorizes every request before anything else looks at it, so that strangers learn nothing from how a body is
 * handled. Returns a list to which every route is added as it is registered.
 */
export function authorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): readonly RouteOptions[] {
  const tokens = [deps.adminToken, deps.previousAdminToken].filter((token) => token !== undefined)
  const checkOperator = createOperatorCheck({ tokens, clock: deps.clock })
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const undeclared = routes.find((route) => !route.config?.access)
    if (undeclared) throw new Error(`${undeclared.method} ${undeclared.url} does not declare who may call it`)
  })
  decorateRequests(app, deps)

  function checkAsOperator(request: FastifyRequest, reply: FastifyReply): Failure | undefined {
    const refusal = checkOperator(request, reply)
    if (!refusal) {
      request.managedSiteIds = 'all'
      request.hasValidKey = true
    }
    if (refusal && request.headers.authorization !== undefined) count(request, deps, { reason: 'admin-token' })
    return refusal
  }

  // Callbacks instead of promises: these hooks run for every poll of every device.
  app.addHook('onRequest', (request, reply, done) => {
    const access = request.routeOptions.config.access
    if (access?.by === undefined) return done()
    if (access.by === 'anyone') {
      return done(access.fromOwnPages ? checkOrigin(request, deps.publicOrigin) : undefined)
    }
    if (usesSession(request, access)) {
      checkSession(request, neededRole(request), deps).then((refusal) => {
        // Routes that also take keys answer after the body is read; the others answer immediately.
        if (access.by === 'operator' || access.by === 'session') return done(refusal)
        request.refusal = refusal
        if (access.by === 'key-or-operator') request.refusal ??= checkSite(pathOf(request), access.needs, deps)
        done()
      }, done)
      return
    }
    if (access.by === 'session') return done(new Failure('unauthenticated', SIGN_IN))
    if (access.by === 'operator') {
      return done(checkAsOperator(request, reply))
    }
    if (access.by === 'key') request.refusal = checkKey(request, access.permission, deps)
    if (access.by === 'key-or-operator') {
      // When a key is sent, only the key counts: a second header must not widen its access.
      if ('x-api-key' in request.headers) request.refusal = checkKey(request, access.permission, deps)
      else {
        const refusal = checkAsOperator(request, reply)
        request.refusal = refusal?.kind === 'unauthenticated' ? new Failure('unauthenticated', KEY_OR_TOKEN) : refusal
      }
      request.refusal ??= checkSite(pathOf(request), access.needs, deps)
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // A body can arrive long after its headers: the key may have been revoked or have expired in between.
    const { keyId } = request
    if (keyId !== undefined && !deps.keys.isActive(keyId)) request.refusal ??= new Failure('unauthenticated', BAD_KEY)
    done(request.refusal)
  })
  return routes
}

function decorateRequests(app: FastifyInstance, deps: AuthorizeDeps): void {
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('keyId', undefined)
  app.decorateRequest('keyName', undefined)
  app.decorateRequest('callerId', {
    getter(this: FastifyRequest) {
      return this.keyId ?? (this.userId === undefined ? undefined : `user:${this.userId}`)
    },
  })
  app.decorateRequest('actor', {
    getter(this: FastifyRequest) {
      return actorOf(this)
    },
  })
  app.decorateRequest('sessionId', undefined)
  app.decorateRequest('userId', undefined)
  app.decorateRequest('email', undefined)
  app.decorateRequest('role', undefined)
  app.decorateRequest('isFresh', false)
  app.decorateRequest('hasSecondFactor', false)
  app.decorateRequest('siteIds', undefined)
  app.decorateRequest('managedSiteIds', 'none')
  app.decorateRequest('sessionIsOpen', async function (this: FastifyRequest) {
    if (this.keyId !== undefined) return deps.keys.verify(String(this.headers['x-api-key']), this.ip) !== undefined
    return this.userId === undefined || (await checkSession(this, neededRole(this), deps)) === undefined
  })
}

/** A caller without a key or a session is the operator, or unknown where anyone may call. */
function actorOf(request: FastifyRequest): ActingParty {
  const { keyId, keyName, userId, email } = request
  const address = callerAddress(request.ip, request.socket.remoteAddress)
  if (keyId !== undefined) return { kind: 'key', id: keyId, name: keyName ?? null, address }
  if (userId !== undefined) return { kind: 'person', id: userId, name: email ?? null, address }
  const kind = request.managedSiteIds === 'all' ? 'operator' : 'unknown'
  return { kind, id: null, name: null, address }
}

/** Counts a refused caller who sent something that should have given access. */
function count(
  request: FastifyRequest,
  deps: AuthorizeDeps,
  refusal: Omit<Refusal, 'action' | 'network' | 'route'>,
): void {
  deps.refusals?.add({
    ...refusal,
    action: 'refused',
    network: callerNetwork(request.ip, request.socket.remoteAddress),
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
  })
}

const SIGN_IN = 'you are not signed in, or your session has ended: sign in'
const KEY_OR_TOKEN = 'send an API key as "X-Api-Key: <key>", or the admin token as "Authorization: Bearer <token>"'
const BAD_KEY = 'the API key in X-Api-Key is malformed, unknown or revoked'
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

const pathOf = (request: FastifyRequest) => request.params as PathIds

/**
 * Refuses a change that does not come from one of our own pages: a browser also sends our cookie with requests that
 * another site's page makes. Without a `publicOrigin`, our pages come from the scheme and host of the request.
 */
function checkOrigin(request: FastifyRequest, publicOrigin: string | undefined): Failure | undefined {
  if (READS.has(request.method)) return undefined
  const { origin } = request.headers
  if (origin !== undefined && URL.canParse(origin)) {
    const from = new URL(origin).origin
    if (from !== 'null' && (from === publicOrigin || from === originOf(request))) return undefined
  }
  return new Failure(
    'forbidden',
    'the Origin header is missing or belongs to another site: behind a proxy, set PLANTROOM_PUBLIC_URL to the address that people open',
  )
}

/** The origin that a request was sent to. Only a trusted proxy can say that it was https. */
function originOf({ protocol, headers }: FastifyRequest): string | undefined {
  const url = `${protocol}://${headers.host}`
  return URL.canParse(url) ? new URL(url).origin : undefined
}

/** The session cookie counts only where people have access and no header names another caller. */
function usesSession({ headers }: FastifyRequest, access: Access): boolean {
  if ('x-api-key' in headers || 'authorization' in headers) return false
  const isForPeople = access.by === 'session' || (access.by !== 'anyone' && access.role !== undefined)
  return isForPeople && headers.cookie?.includes(SESSION_COOKIE) === true
}

function neededRole(request: FastifyRequest): Role | undefined {
  const access = request.routeOptions.config.access
  return access && 'role' in access ? access.role : undefined
}

/** Checks the person behind the session cookie. Without a role, being signed in is enough. */
async function checkSession(
  request: FastifyRequest,
  needed: Role | undefined,
  deps: AuthorizeDeps,
): Promise<Failure | undefined> {
  const token = sessionTokenIn(request.headers.cookie)
  const person = token === undefined ? undefined : await deps.sessions.find(token)
  if (!person) return new Failure('unauthenticated', SIGN_IN)
  const foreign = checkOrigin(request, deps.publicOrigin)
  if (foreign) return foreign
  if (needed !== undefined) {
    const path = pathOf(request)
    const granted = authorizePerson(person, needed, path, deps)
    if (granted instanceof Failure) {
      const isMember = person.memberships.some(({ organizationId }) => organizationId === path.orgId)
      count(request, deps, {
        reason: 'role',
        by: { kind: 'person', id: person.userId, name: person.email },
        // The log of an organization says nothing about people who are not its own.
        organizationId: isMember ? path.orgId : undefined,
      })
      return granted
    }
    request.role = granted.role
    request.siteIds = granted.siteIds
    request.managedSiteIds = granted.managedSiteIds ?? 'all'
  }
  const access = request.routeOptions.config.access
  if (access && 'fresh' in access && access.fresh === true && !person.isFresh) return recentSignInRequired()
  request.isFresh = person.isFresh
  request.hasSecondFactor = person.hasSecondFactor
  request.sessionId = person.sessionId
  request.userId = person.userId
  request.email = person.email
  return undefined
}

/** The answer to a person whose last proof of who they are is too old for what they want to do. */
export const recentSignInRequired = () =>
  new Failure(
    'recentSignIn',
    'this needs a recent proof of who you are: send your password or a second factor to POST /api/session/verify, then try again',
  )

/** Runs after the caller check, so the caller may know whether the site exists. */
function checkSite(
  { orgId, propertyId }: PathIds,
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

function checkKey(
  request: FastifyRequest,
  permission: Permission | readonly Permission[],
  deps: AuthorizeDeps,
): Failure | undefined {
  const text = request.headers['x-api-key']
  if (typeof text !== 'string' || text === '') {
    return new Failure('unauthenticated', 'the X-Api-Key header is missing')
  }
  const key = deps.keys.verify(text, request.ip)
  if (!key) {
    count(request, deps, { reason: 'unknown-key', keyId: apiKeyId(text) })
    return new Failure('unauthenticated', BAD_KEY)
  }
  const refused = (reason: string) => {
    const by = { kind: 'key', id: key.id, name: key.name } as const
    count(request, deps, { reason, by, organizationId: key.organizationId })
  }
  const anyOf = [permission].flat()
  if (!anyOf.some((one) => key.permissions.has(one))) {
    refused('permission')
    const lacks =
      anyOf.length === 0
        ? 'API keys cannot do this: a person who manages the site can, in the console, or the operator with the admin token'
        : `this API key lacks the permission ${anyOf.map(describePermission).join(' or ')}`
    return new Failure('forbidden', lacks)
  }
  if (!isInScope(key, pathOf(request), deps)) {
    refused('scope')
    // One answer for all cases, so that a stranger cannot learn which organizations, sites or devices exist.
    return new Failure(
      'forbidden',
      'this API key is not authorized for this organization, or for this site or the site of this device',
    )
  }
  request.keyId = key.id
  request.hasValidKey = true
  request.keyName = key.name
  request.siteIds = key.siteIds
  return undefined
}

function isInScope(key: ActiveKey, { orgId, propertyId, deviceId }: PathIds, deps: AuthorizeDeps): boolean {
  if (key.organizationId !== orgId) return false
  const coversSite = (siteId: string) => key.siteIds === undefined || key.siteIds.has(siteId)
  if (propertyId !== undefined) return deps.findSite(propertyId)?.organizationId === orgId && coversSite(propertyId)
  if (deviceId === undefined) return true
  const device = deps.findDevice(deviceId)
  return device?.organizationId === orgId && coversSite(device.siteId)
}
