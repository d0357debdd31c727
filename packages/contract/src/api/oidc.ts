import { timeOrNull } from '../fields.ts'
import { route } from '../route.ts'
import { array, boolean, nullable, object, optional, type Static, text } from '../schema.ts'

const tag = 'Sign in'

/**
 * Why a sign-in through a provider failed. The browser lands on the sign-in page, or on the account page, with this in
 * the query as `problem`.
 */
export type ProviderProblem =
  | 'unreachable'
  | 'failed'
  | 'clock'
  | 'denied'
  | 'expired'
  | 'not-linked'
  | 'taken'
  | 'already-linked'
  | 'invitation-over'
  | 'other-invitation'
  | 'changed'
  | 'too-many'

/** How the signed-in person can sign in. */
export const SignInMethods = object({
  hasPassword: boolean(),
  providers: array(
    object({
      name: text(),
      account: nullable(text(), { description: 'The e-mail address at the provider, as it was last seen' }),
      linkedAt: timeOrNull('Null when the provider is not linked'),
      lastUsedAt: timeOrNull(),
    }),
    { description: 'Every provider of the service, linked or not' },
  ),
})
export interface SignInMethods extends Static<typeof SignInMethods> {}

/** The address at the provider where the browser continues. */
const goTo = object({ url: text({ description: 'Open this address in the same browser within 10 minutes' }) })

/** Signing in through an OpenID Connect provider. */
export const oidcRoutes = {
  listProviders: route({
    method: 'GET',
    path: '/api/session/providers',
    access: { by: 'anyone' },
    tag,
    summary: 'The providers that people can sign in with',
    reply: object({ providers: array(object({ name: text() })) }),
  }),
  signInWithProvider: route({
    method: 'GET',
    path: '/api/session/oidc',
    access: { by: 'anyone' },
    tag,
    summary: 'Sign in through the provider; for browsers, answers with a redirect',
    query: object({ returnTo: optional(text({ description: 'The page to show afterwards, for example /account' })) }),
    content: 'text/html',
  }),
  finishWithProvider: route({
    method: 'GET',
    path: '/api/session/oidc/callback',
    access: { by: 'anyone' },
    tag,
    summary: 'Where the provider sends the browser back to; register this address with the provider',
    ignoresUnknown: true,
    content: 'text/html',
  }),
  listSignInMethods: route({
    method: 'GET',
    path: '/api/session/methods',
    access: { by: 'session' },
    tag,
    summary: 'How you can sign in',
    reply: SignInMethods,
  }),
  linkProvider: route({
    method: 'POST',
    path: '/api/session/oidc',
    access: { by: 'session', fresh: true },
    tag,
    summary: 'Link your account with the provider',
    reply: goTo,
  }),
  unlinkProvider: route({
    method: 'DELETE',
    path: '/api/session/oidc',
    access: { by: 'session', fresh: true },
    tag,
    summary: 'Unlink the provider, which ends your other sessions that it opened; needs a password',
    status: 204,
  }),
  acceptWithProvider: route({
    method: 'POST',
    path: '/api/invitation/oidc',
    access: { by: 'anyone', fromOwnPages: true },
    tag,
    summary: 'Accept an invitation through the provider instead of with a password',
    body: object({ token: text({ maxLength: 1024 }) }),
    reply: goTo,
  }),
} as const
