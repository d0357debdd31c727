import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoute } from '../../routes/index.ts'
import { hashSecret, isToken } from '../secrets.ts'
import { explain, type OidcRouteDeps, requireProvider } from './oidc-routes.ts'
import type { Purpose } from './pending-sign-in.ts'

const RECENT_MS = 15 * 60_000

/** Links and unlinks the provider for signed-in people, and lets invited people accept through it. */
export function identityRoutes(app: FastifyInstance, deps: OidcRouteDeps): void {
  const { oidc, identities, links, clock, log } = deps

  /** A session that someone found open must not get a second way in. */
  async function requireRecentSignIn({ sessionId = '' }: FastifyRequest): Promise<void> {
    const openedAt = await identities.openedAt(sessionId)
    if (openedAt && clock.now() - openedAt.getTime() < RECENT_MS) return
    throw new Failure(
      'forbidden',
      'this needs a recent sign-in: sign out, sign in again, and repeat it within 15 minutes',
    )
  }

  /** Starts at the provider. A page asks with our own Origin, so no other site can start this. */
  async function goToProvider(reply: FastifyReply, purpose: Purpose, returnTo: string): Promise<{ url: string }> {
    const { provider, pendings, settings } = requireProvider(oidc)
    const { pending, cookie } = pendings.start(purpose, returnTo)
    try {
      const url = await provider.signInUrl(pending)
      void reply.header('set-cookie', cookie).header('cache-control', 'no-store')
      return { url }
    } catch (error) {
      explain(error, log)
      throw new Failure('unavailable', `${settings.name} cannot be reached or is not set up correctly: try again later`)
    }
  }

  addRoute(app, API.listSignInMethods, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const issuer = oidc?.settings.issuer
    const { hasPassword, ...linked } = await identities.methods(request.userId ?? '', issuer)
    return { hasPassword, providers: oidc ? [{ name: oidc.settings.name, ...linked }] : [] }
  })

  addRoute(app, API.linkProvider, async (request, reply) => {
    requireProvider(oidc)
    await requireRecentSignIn(request)
    return goToProvider(reply, { do: 'link', sessionId: request.sessionId ?? '' }, '/account')
  })

  addRoute(app, API.unlinkProvider, async (request) => {
    const { settings } = requireProvider(oidc)
    await requireRecentSignIn(request)
    await identities.unlink(request.userId ?? '', settings.issuer, request.sessionId ?? '')
  })

  addRoute(app, API.acceptWithProvider, async (request, reply) => {
    requireProvider(oidc)
    const { token } = request.body
    const link = isToken(token) ? await links.find(hashSecret(token), new Date(clock.now())) : undefined
    if (!link) {
      throw new Failure(
        'notFound',
        'this link was already used or has expired: ask an administrator of your organization for a new one',
      )
    }
    if (link.purpose === 'password') {
      throw new Failure('conflict', 'this link sets a password and is not an invitation: choose a password')
    }
    return goToProvider(reply, { do: link.purpose === 'join' ? 'join' : 'accept', token }, '/')
  })
}
