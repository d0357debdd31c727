import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import type { OidcSettings } from '../../oidc-config.ts'
import type { ChangeFeed } from '../../platform/db/change-feed.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey, type Seal } from '../../platform/seal/index.ts'
import type { ActivityLog, Refusals } from '../activity/index.ts'
import { type ChallengeStore, createChallengeStore } from './factors/challenge-store.ts'
import { factorRoutes } from './factors/factor-routes.ts'
import { createFactorStore } from './factors/factor-store.ts'
import { createPasskeyStore } from './factors/passkey-store.ts'
import { createPasskeys, type Passkeys } from './factors/passkeys.ts'
import { createSecondFactors, type SecondFactors } from './factors/second-factors.ts'
import {
  type AwaitSecondFactor,
  createAwaitSecondFactor,
  createBeginSignIn,
  signInStepRoutes,
} from './factors/sign-in-steps.ts'
import { verifyRoutes } from './factors/verify-routes.ts'
import { type KeyRegistry, openKeyRegistry } from './keys/key-registry.ts'
import { keyRoutes, type OverrideReleases } from './keys/key-routes.ts'
import { createKeyStore } from './keys/key-store.ts'
import { identityRoutes } from './oidc/identity-routes.ts'
import { createIdentityStore } from './oidc/identity-store.ts'
import { oidcRoutes, openSignInProvider } from './oidc/oidc-routes.ts'
import type { AccountMailer } from './people/account-mailer.ts'
import { createLinkStore } from './people/link-store.ts'
import { memberRoutes } from './people/member-routes.ts'
import { createMemberStore } from './people/member-store.ts'
import { createPendingStore } from './people/pending-store.ts'
import { resetRoutes } from './people/reset-routes.ts'
import { testMailRoutes } from './people/test-mail-routes.ts'
import { userRoutes } from './people/user-routes.ts'
import { createUserStore, type UserStore } from './people/user-store.ts'
import { createQuotaStore } from './quota-store.ts'
import { createSetupToken, loadAdminToken, makeToken, type SetupToken } from './secrets.ts'
import { createAttempts } from './sessions/attempts.ts'
import type { Hashing } from './sessions/hashing.ts'
import { createKnownDevices, type KnownDevices } from './sessions/known-devices.ts'
import { createPasswords, type Passwords } from './sessions/passwords.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { createSessionStore } from './sessions/session-store.ts'
import {
  type BeginSignIn,
  createSessions,
  createSignIn,
  type Sessions,
  type SignIn,
  startSessionSweep,
} from './sessions/sessions.ts'
import { createSignInThrottle } from './sessions/sign-in-throttle.ts'

export { authorizeRoutes } from './authorize.ts'
export { recentSignInRequired } from './check-caller.ts'
export type { OverrideReleases } from './keys/key-routes.ts'
export { type OverrideView, overrideViewOf, seesOverride } from './override-view.ts'
export { deleteUnusedAccounts } from './people/pending-store.ts'
export { hashSecret, randomText, secretMatches } from './secrets.ts'
export type { Hashing } from './sessions/hashing.ts'
export { membersOf, type SiteMember } from './site-members.ts'
export { siteRoles } from './site-roles.ts'

/** The keys, people and sessions of this service, for routes that check or create them. */
export interface AccessControl {
  keys: KeyRegistry
  users: UserStore
  sessions: Sessions
  devices: KnownDevices
  passwords: Passwords
  /** Opens a session at once: for people who proved enough. */
  signIn: SignIn
  /** Opens a session, or asks for the second factor of people who have one. */
  beginSignIn: BeginSignIn
  /** Prepares the second step of a sign-in through a provider. */
  awaitSecondFactor: AwaitSecondFactor
  factors: FactorParts
  setupToken: SetupToken
  adminToken: string
  /** The token of operators on this machine, which the data folder has until the next start. */
  localToken: string
}

/** What checks second factors. */
interface FactorParts {
  challenges: ChallengeStore
  passkeys: Passkeys
  secondFactors: SecondFactors
  seal: Seal
}

function openFactors(db: Db, seal: Seal, clock: Clock): FactorParts {
  const passkeys = createPasskeys({ store: createPasskeyStore(db), clock })
  const secondFactors = createSecondFactors({ store: createFactorStore(db), passkeys, seal, clock })
  return { challenges: createChallengeStore(db), passkeys, secondFactors, seal }
}

/** Loads the active keys and opens the people and their sessions. `parts` closes what was opened. */
export async function openAccess(deps: {
  db: Db
  feed: ChangeFeed
  folder: string
  configuredAdminToken: string | undefined
  activity: ActivityLog
  /** Encrypts the secrets of authenticator apps; stored in the data folder when missing. */
  configuredFactorKey: string | undefined
  /** For tests, which set many passwords. */
  hashing?: Hashing | undefined
  parts: AsyncDisposableStack
  clock: Clock
  log: Log
}): Promise<AccessControl> {
  const { db, feed, folder, configuredAdminToken, configuredFactorKey, activity, hashing, parts, clock, log } = deps
  const keys = await openKeyRegistry({ store: createKeyStore(db), feed, clock, log })
  parts.defer(() => keys.close())
  const sessionStore = createSessionStore(db)
  parts.defer(startSessionSweep({ store: sessionStore, clock, log }))
  const users = createUserStore(db)
  const sessions = createSessions({ store: sessionStore, clock })
  const devices = createKnownDevices({ store: sessionStore, clock })
  const factors = openFactors(db, createSeal(await loadSealKey(folder, configuredFactorKey), 'factors'), clock)
  const { challenges, secondFactors } = factors
  const signIn = createSignIn({ sessions, devices, activity, clock })
  return {
    keys,
    users,
    sessions,
    devices,
    passwords: createPasswords(hashing),
    signIn,
    beginSignIn: createBeginSignIn({ challenges, factors: secondFactors, signIn, clock }),
    awaitSecondFactor: createAwaitSecondFactor({ challenges, factors: secondFactors, clock }),
    factors,
    setupToken: createSetupToken(folder),
    adminToken: await loadAdminToken(folder, configuredAdminToken),
    localToken: makeToken(),
  }
}

/** Adds the routes for API keys, members, invitations and signing in. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    access: AccessControl
    activity: ActivityLog
    refusals: Refusals
    /** `undefined` where the service sends no mail. */
    mailer: AccountMailer | undefined
    releases: OverrideReleases
    /** `undefined` lets people sign in with passwords only. */
    oidc: OidcSettings | undefined
    outbound: Outbound
    clock: Clock
    log: Log
    baseUrl(): string
  },
): void {
  const { db, access, activity, refusals, mailer, releases, clock, log, baseUrl } = deps
  const { keys, users, devices } = access
  const quotas = createQuotaStore(db)
  const throttle = createSignInThrottle({ store: quotas, clock })
  const attempts = createAttempts({ devices, passwords: access.passwords, throttle, refusals })
  const sessionStore = createSessionStore(db)
  keyRoutes(app, { store: createKeyStore(db), activity, keys, releases, clock })
  sessionRoutes(app, { ...access, store: sessionStore, activity, refusals, attempts, clock })
  const { secondFactors, ...factorParts } = access.factors
  signInStepRoutes(app, { ...access, ...factorParts, factors: secondFactors, quotas, attempts, refusals, clock })
  verifyRoutes(app, { ...access, ...factorParts, factors: secondFactors, store: sessionStore, attempts, clock })
  const factorStores = { store: createFactorStore(db), passkeyStore: createPasskeyStore(db) }
  factorRoutes(app, { ...factorParts, ...factorStores, activity, quotas, mailer, clock })
  memberRoutes(app, { store: createMemberStore(db), activity, quotas, mailer, clock, baseUrl })
  testMailRoutes(app, { activity, quotas, mailer, clock })
  resetRoutes(app, { activity, quotas, mailer, clock, log, baseUrl })
  const [links, pending] = [createLinkStore(db), createPendingStore(db)]
  const redirectUri = () => baseUrl() + API.finishWithProvider.path
  const transport = deps.outbound.operator
  const oidc = deps.oidc && openSignInProvider(deps.oidc, { transport, clock, redirectUri })
  const oidcDeps = {
    ...access,
    oidc,
    identities: createIdentityStore(db),
    links,
    activity,
    refusals,
    quotas,
    mailer,
    clock,
    log,
  }
  oidcRoutes(app, oidcDeps)
  identityRoutes(app, oidcDeps)
  userRoutes(app, { ...access, users, links, pending, activity, clock })
}
