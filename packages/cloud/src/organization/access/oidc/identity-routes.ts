import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addRoute } from '../../../platform/routes/index.ts'
import { ofThemselves } from '../own-activity.ts'
import { hashSecret, isToken } from '../secrets.ts'
import { createIdentityStore } from './identity-store.ts'
import { explain, type OidcRouteDeps, requireProvider } from './oidc-routes.ts'
import type { Purpose } from './pending-sign-in.ts'

/** Links and unlinks the provider for signed-in people, and lets invited people accept through it. */
export function identityRoutes(app: FastifyInstance, deps: OidcRouteDeps): void {
  const { oidc, identities, links, activity, clock, log } = deps

  /** Starts at the provider. A page asks with our own Origin, so no other site can start this. */
  async function goToProvider(reply: FastifyReply, purpose: Purpose, returnTo: string): Promise<{ url: string }> {
    const { provider, pendings, settings } = requireProvider(oidc)
    const { pending, cookie } = pendings.start(purpose, returnTo)
    try {
      const url = await provider.signInUrl(pending)
      void reply.header('set-cookie', cookie)
      return { url }
    } catch (error) {
      explain(error, log)
      throw new Failure('unavailable', `${settings.name} cannot be reached or is not set up correctly: try again later`)
    }
  }

  addRoute(app, API.listSignInMethods, async (request) => {
    const issuer = oidc?.settings.issuer
    const { hasPassword, ...linked } = await identities.methods(request.userId ?? '', issuer)
    return { hasPassword, providers: oidc ? [{ name: oidc.settings.name, ...linked }] : [] }
  })

  addRoute(app, API.linkProvider, async (request, reply) => {
    requireProvider(oidc)
    return goToProvider(reply, { do: 'link', sessionId: request.sessionId ?? '' }, '/account')
  })

  addRoute(app, API.unlinkProvider, async (request) => {
    const { settings } = requireProvider(oidc)
    await activity.change(request, async (tx, note) => {
      await createIdentityStore(tx).unlink(request.userId ?? '', settings.issuer, request.sessionId ?? '')
      note({
        ...(await ofThemselves(tx, request)),
        action: 'provider-unlinked',
        details: { provider: settings.issuer },
      })
    })
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
