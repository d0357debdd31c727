import { Failure } from '@plantroom/contract/failure'
import type { Role } from '@plantroom/contract/roles'
import type { Access } from '@plantroom/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { callerAddress } from '../../platform/routes/index.ts'
import type { ActingParty } from '../activity/index.ts'
import {
  type AuthorizeDeps,
  BAD_KEY,
  checkKey,
  checkOrigin,
  checkSession,
  checkSite,
  countRefusal,
  KEY_OR_TOKEN,
  neededRole,
  pathOf,
  SIGN_IN,
  usesSession,
} from './check-caller.ts'
import { createOperatorCheck } from './operator-check.ts'

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

/**
 * Authorizes every request before anything else looks at it, so that strangers learn nothing from how a body is
 * handled. Returns a list to which every route is added as it is registered.
 */
export function authorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): readonly RouteOptions[] {
  const tokens = [deps.adminToken, deps.previousAdminToken, deps.localToken].filter((token) => token !== undefined)
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
    if (refusal && request.headers.authorization !== undefined) countRefusal(request, deps, { reason: 'admin-token' })
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
