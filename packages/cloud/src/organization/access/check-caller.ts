import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { describePermission, type Permission } from '@plantroom/contract/permissions'
import type { Role } from '@plantroom/contract/roles'
import type { Access } from '@plantroom/contract/route'
import { shown } from '@plantroom/contract/shown'
import type { FastifyRequest } from 'fastify'
import { callerNetwork } from '../../platform/routes/index.ts'
import type { Refusal, Refusals } from '../activity/index.ts'
import { authorizePerson, type PathIds } from './authorize-person.ts'
import type { KeyRegistry } from './keys/key-registry.ts'
import type { ActiveKey } from './keys/key-store.ts'
import { apiKeyId } from './secrets.ts'
import { sessionTokenIn } from './sessions/cookies.ts'
import type { Sessions } from './sessions/sessions.ts'

export interface AuthorizeDeps {
  keys: Pick<KeyRegistry, 'verify' | 'isActive'>
  sessions: Pick<Sessions, 'find'>
  adminToken: string
  /** Still accepted while callers change to the new one. */
  previousAdminToken?: string | undefined
  /** Of callers who may read the data folder of this process, until it ends. */
  localToken?: string | undefined
  clock?: Clock
  /** Counts refused callers for the activity log. */
  refusals?: Pick<Refusals, 'add'>
  /** The origin people open in their browser, when a proxy makes it differ from the Host header. */
  publicOrigin: string | undefined
  /** Returns the organization and site of a device; `undefined` for an unknown id. */
  findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
  findSite(siteId: string): { organizationId: string; maintenanceRequests: boolean } | undefined
}

/** Counts a refused caller who sent something that should have given access. */
export function countRefusal(
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

export const SIGN_IN = 'you are not signed in, or your session has ended: sign in'
export const KEY_OR_TOKEN =
  'send an API key as "X-Api-Key: <key>", or the admin token as "Authorization: Bearer <token>"'
export const BAD_KEY = 'the API key in X-Api-Key is malformed, unknown or revoked'
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const pathOf = (request: FastifyRequest) => request.params as PathIds

/**
 * Refuses a change that does not come from one of our own pages: a browser also sends our cookie with requests that
 * another site's page makes. Without a `publicOrigin`, our pages come from the scheme and host of the request.
 */
export function checkOrigin(request: FastifyRequest, publicOrigin: string | undefined): Failure | undefined {
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
export function usesSession({ headers }: FastifyRequest, access: Access): boolean {
  if ('x-api-key' in headers || 'authorization' in headers) return false
  const isForPeople = access.by === 'session' || (access.by !== 'anyone' && access.role !== undefined)
  return isForPeople && headers.cookie?.includes(SESSION_COOKIE) === true
}

export function neededRole(request: FastifyRequest): Role | undefined {
  const access = request.routeOptions.config.access
  return access && 'role' in access ? access.role : undefined
}

/** Checks the person behind the session cookie. Without a role, being signed in is enough. */
export async function checkSession(
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
      countRefusal(request, deps, {
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
export function checkSite(
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

export function checkKey(
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
    countRefusal(request, deps, { reason: 'unknown-key', keyId: apiKeyId(text) })
    return new Failure('unauthenticated', BAD_KEY)
  }
  const refused = (reason: string) => {
    const by = { kind: 'key', id: key.id, name: key.name } as const
    countRefusal(request, deps, { reason, by, organizationId: key.organizationId })
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

function isInScope(key: ActiveKey, { orgId, siteId, propertyId, deviceId }: PathIds, deps: AuthorizeDeps): boolean {
  if (key.organizationId !== orgId) return false
  const coversSite = (id: string) => key.siteIds === undefined || key.siteIds.has(id)
  const named = siteId ?? propertyId
  if (named !== undefined) return deps.findSite(named)?.organizationId === orgId && coversSite(named)
  if (deviceId === undefined) return true
  const device = deps.findDevice(deviceId)
  return device?.organizationId === orgId && coversSite(device.siteId)
}
