import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API, type ProviderProblem } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OidcSettings } from '../../../oidc-config.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Transport } from '../../../platform/outbound/index.ts'
import { addRoute, callerAddress, callerNetwork } from '../../../platform/routes/index.ts'
import { type ActingParty, type ActivityLog, organizationsOf, type Refusals } from '../../activity/index.ts'
import type { AwaitSecondFactor } from '../factors/sign-in-steps.ts'
import type { AccountMailer } from '../people/account-mailer.ts'
import { createLinkStore, type LinkStore } from '../people/link-store.ts'
import { countUse, type QuotaStore, quotaSubject } from '../quota-store.ts'
import { hashSecret } from '../secrets.ts'
import { sessionTokenIn } from '../sessions/cookies.ts'
import type { Sessions, SignIn } from '../sessions/sessions.ts'
import { createIdentityStore, type FoundAccount, type IdentityStore, type MailLinked } from './identity-store.ts'
import { createPendingSignIns, DELETE_PENDING, type PendingSignIn, type PendingSignIns } from './pending-sign-in.ts'
import { createProvider, type Identity, type Provider, ProviderFailure } from './provider.ts'
import { ownPage } from './return-path.ts'
import { provesTwoFactors } from './two-factors.ts'

const PERIOD_MS = 15 * 60_000
/** Failures of one network. Each asks the provider, which would otherwise limit the whole service. */
const PER_NETWORK = 300
const HOUR_MS = 3_600_000
/** Someone who links again and again must not fill their mailbox. */
const MAILS_PER_HOUR = 10

/** The provider of the service, with the sign-ins that continue there. */
export interface SignInProvider {
  settings: OidcSettings
  provider: Provider
  pendings: PendingSignIns
}

/** `redirectUri` returns where the provider sends browsers back to. */
export function openSignInProvider(
  settings: OidcSettings,
  { transport, clock, redirectUri }: { transport: Transport; clock: Clock; redirectUri: () => string },
): SignInProvider {
  return {
    settings,
    provider: createProvider({ settings, redirectUri, transport, clock }),
    pendings: createPendingSignIns({ secret: settings.clientSecret, clock }),
  }
}

export interface OidcRouteDeps {
  /** `undefined` where people sign in with passwords only. */
  oidc: SignInProvider | undefined
  identities: IdentityStore
  links: Pick<LinkStore, 'find'>
  sessions: Pick<Sessions, 'find'>
  signIn: SignIn
  awaitSecondFactor: AwaitSecondFactor
  activity: ActivityLog
  refusals: Pick<Refusals, 'add'>
  quotas: Pick<QuotaStore, 'count' | 'uncount'>
  /** `undefined` where the service sends no mail. */
  mailer: AccountMailer | undefined
  clock: Clock
  log: Log
}

export function requireProvider(oidc: SignInProvider | undefined): SignInProvider {
  if (oidc) return oidc
  throw new Failure(
    'notFound',
    'this service has no provider to sign in with: sign in with your password, or ask the operator to set PLANTROOM_OIDC_ISSUER',
  )
}

/** Sends browsers to the provider and signs people in when they come back. */
export function oidcRoutes(app: FastifyInstance, deps: OidcRouteDeps): void {
  const { oidc, refusals, log } = deps

  addRoute(app, API.listProviders, () => ({ providers: oidc ? [{ name: oidc.settings.name }] : [] }))

  addRoute(app, API.signInWithProvider, async (request, reply) => {
    const { provider, pendings } = requireProvider(oidc)
    // Another site must not exchange the session of someone who is signed in: they press the button themselves.
    if (request.headers['sec-fetch-site'] === 'cross-site') return redirect(reply, '/sign-in')
    const { pending, cookie } = pendings.start({ do: 'sign-in' }, ownPage(request.query.returnTo))
    try {
      const url = await provider.signInUrl(pending)
      return redirect(reply.header('set-cookie', cookie), url)
    } catch (error) {
      return redirect(reply, problemPage(explain(error, log), pending))
    }
  })

  addRoute(app, API.finishWithProvider, async (request, reply) => {
    const required = requireProvider(oidc)
    const query = request.originalUrl.split('?')[1] ?? ''
    const state = new URLSearchParams(query).get('state')
    const pending = required.pendings.find(request.headers.cookie, state)
    try {
      if (!pending) throw new ProviderFailure('expired', 'the browser has no pending sign-in with this state')
      const identity = await redeem(request, query, pending, required, deps)
      const page = await finish(request, reply, { pending, identity, settings: required.settings }, deps)
      return redirect(reply.header('set-cookie', DELETE_PENDING), page)
    } catch (error) {
      const problem = explain(error, log)
      const network = callerNetwork(request.ip, request.socket.remoteAddress)
      if (pending?.purpose.do !== 'link') refusals.add({ action: 'sign-in-failed', reason: 'provider', network })
      const page = problemPage(problem, pending)
      return redirect(reply.header('set-cookie', DELETE_PENDING), page)
    }
  })
}

/** Redeems the code, once, within the limit of the caller's network. */
async function redeem(
  request: FastifyRequest,
  query: string,
  pending: PendingSignIn,
  { provider }: SignInProvider,
  { identities, quotas, clock }: OidcRouteDeps,
): Promise<Identity> {
  const subject = ['provider-failure', callerNetwork(request.ip, request.socket.remoteAddress)]
  if ((await countUse(quotas, clock, { subject, limit: PER_NETWORK, periodMs: PERIOD_MS })) > 0) {
    throw new ProviderFailure('too-many', `more than ${PER_NETWORK} sign-ins of one network failed in 15 minutes`)
  }
  const identity = await provider.redeem(query, pending)
  await quotas.uncount(quotaSubject(subject))
  if (!(await identities.useState(hashSecret(pending.state), new Date(pending.expiresAt)))) {
    throw new ProviderFailure('expired', 'the sign-in was completed before')
  }
  return identity
}

interface Confirmed {
  pending: PendingSignIn
  identity: Identity
  settings: OidcSettings
}

/** Does what the browser went to the provider for, and returns the page to show. */
async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  confirmed: Confirmed,
  deps: OidcRouteDeps,
): Promise<string> {
  const { pending, identity } = confirmed
  const { identities, activity, sessions, signIn, awaitSecondFactor, clock } = deps
  const now = new Date(clock.now())
  if (pending.purpose.do === 'link') {
    const token = sessionTokenIn(request.headers.cookie)
    const person = token === undefined ? undefined : await sessions.find(token)
    if (person?.sessionId !== pending.purpose.sessionId) {
      throw new ProviderFailure('changed', 'the session that started to link has ended')
    }
    const { userId, email } = person
    const mail = await mailOf(confirmed, userId, deps)
    await activity.change(request, async (tx, note) => {
      await createIdentityStore(tx).link(userId, identity, now, mail)
      note(await linked(tx, request, { userId, email }, identity))
    })
    return pending.returnTo
  }
  const account = await findAccount(request, confirmed, now, deps)
  const { userId, passwordHash, identityVersion } = account
  const { issuer, amr, acr } = identity
  const person = { userId, passwordHash, provider: { issuer, amr, acr, identityVersion } }
  const secondFactor = provesTwoFactors(amr)
  await identities.used(identity, now)
  if (!secondFactor && (await awaitSecondFactor(reply, person))) return '/sign-in?step=second-factor'
  const { user } = await signIn(request, reply, { ...person, secondFactor })
  if (pending.purpose.do !== 'join') return pending.returnTo
  const tokenHash = hashSecret(pending.purpose.token)
  const joined = await activity.change(request, async (tx, note) => {
    const link = await createLinkStore(tx).join(tokenHash, userId, now)
    const subject = { kind: 'person', id: userId, name: user.email } as const
    const by = { ...subject, address: callerAddress(request.ip, request.socket.remoteAddress) }
    if (link) note({ organizationId: link.organizationId, action: 'member-joined', subject, by })
    return link
  })
  if (joined) return pending.returnTo
  throw new ProviderFailure('other-invitation', 'the invitation is for another account, or it was used or has expired')
}

async function findAccount(
  request: FastifyRequest,
  confirmed: Confirmed,
  now: Date,
  deps: OidcRouteDeps,
): Promise<FoundAccount> {
  const { pending, identity, settings } = confirmed
  const { identities, activity } = deps
  if (pending.purpose.do === 'accept') {
    const tokenHash = hashSecret(pending.purpose.token)
    return activity.change(request, async (tx, note) => {
      const account = await createIdentityStore(tx).accept(tokenHash, identity, now)
      const happened = await linked(tx, request, account, identity)
      note({ ...happened, action: 'member-joined' })
      return account
    })
  }
  const known = await identities.find(identity)
  if (known) return known
  const { email, emailVerified } = identity
  const found =
    settings.linkByVerifiedEmail && emailVerified && email !== null
      ? await linkByEmail(request, confirmed, foldEmail(email), now, deps)
      : undefined
  // One answer for all cases, so that nobody learns from a provider's address who has an account.
  if (!found) throw new ProviderFailure('not-linked', 'no account is linked with this identity')
  return found
}

async function linkByEmail(
  request: FastifyRequest,
  confirmed: Confirmed,
  email: string,
  now: Date,
  deps: OidcRouteDeps,
): Promise<FoundAccount | undefined> {
  const mail = await mailOf(confirmed, email, deps)
  return deps.activity.change(request, async (tx, note) => {
    const account = await createIdentityStore(tx).linkByEmail(email, confirmed.identity, now, mail)
    if (account) note(await linked(tx, request, account, confirmed.identity))
    return account
  })
}

/** What the logs of a person's organizations say when the person gets this way to sign in. */
async function linked(
  tx: Db,
  request: FastifyRequest,
  { userId, email }: { userId: string; email: string },
  { issuer }: Identity,
) {
  const subject = { kind: 'person', id: userId, name: email } as const
  const by: ActingParty = { ...subject, address: callerAddress(request.ip, request.socket.remoteAddress) }
  const organizationId = await organizationsOf(tx, userId)
  return { organizationId, action: 'provider-linked', subject, by, details: { provider: issuer } } as const
}

/** How to notify the owner of an account that the provider opens it now. */
async function mailOf(
  { identity, settings }: Confirmed,
  account: string,
  { mailer, quotas, clock }: OidcRouteDeps,
): Promise<MailLinked | undefined> {
  const limit = { subject: ['provider-mail', account], limit: MAILS_PER_HOUR, periodMs: HOUR_MS }
  if (!mailer || (await countUse(quotas, clock, limit)) > 0) return undefined
  return (tx, to) => mailer.providerLinked(tx, { to, provider: settings.name, account: identity.email })
}

/** The page that explains a problem: the account page for people who are signed in. */
function problemPage(problem: ProviderProblem, pending: PendingSignIn | undefined): string {
  const isSignedIn = pending?.purpose.do === 'link' || problem === 'other-invitation'
  return `${isSignedIn ? '/account' : '/sign-in'}?problem=${problem}`
}

/** Logs why a sign-in failed and returns the message for the person. */
export function explain(error: unknown, log: Log): ProviderProblem {
  if (error instanceof ProviderFailure) {
    log.warn({ problem: error.problem, reason: error.message }, 'a sign-in through the provider failed')
    return error.problem
  }
  if (error instanceof Failure) {
    log.warn({ problem: 'changed', reason: error.message }, 'a sign-in through the provider failed')
    return 'changed'
  }
  log.error({ err: error }, 'a sign-in through the provider failed')
  return 'failed'
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(to, 303)
}
