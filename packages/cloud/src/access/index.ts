import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../db/change-feed.ts'
import type { Db } from '../db/database.ts'
import type { OidcSettings } from '../oidc-config.ts'
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
import { userRoutes } from './people/user-routes.ts'
import { createUserStore, type UserStore } from './people/user-store.ts'
import { createQuotaStore } from './quota-store.ts'
import { createSetupToken, loadAdminToken, type SetupToken } from './secrets.ts'
import { createKnownDevices, type KnownDevices } from './sessions/known-devices.ts'
import { createPasswords, type Passwords } from './sessions/passwords.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { createSessions, createSignIn, type Sessions, type SignIn, startSessionSweep } from './sessions/sessions.ts'
import { createSignInThrottle } from './sessions/sign-in-throttle.ts'

export { authorizeRoutes } from './authorize.ts'
export type { OverrideReleases } from './keys/key-routes.ts'
export { type OverrideView, overrideViewOf, seesOverride } from './override-view.ts'
export { hashSecret, randomText, secretMatches } from './secrets.ts'

/** The keys, people and sessions of this service, for routes that check or create them. */
export interface AccessControl {
  keys: KeyRegistry
  users: UserStore
  sessions: Sessions
  devices: KnownDevices
  passwords: Passwords
  signIn: SignIn
  setupToken: SetupToken
  adminToken: string
}

/** Loads the active keys and opens the people and their sessions. `parts` closes what was opened. */
export async function openAccess(deps: {
  db: Db
  feed: ChangeFeed
  folder: string
  configuredAdminToken: string | undefined
  parts: AsyncDisposableStack
  clock: Clock
  log: Log
}): Promise<AccessControl> {
  const { db, feed, folder, configuredAdminToken, parts, clock, log } = deps
  const keys = await openKeyRegistry({ store: createKeyStore(db), feed, clock, log })
  parts.defer(() => keys.close())
  const sessionStore = createSessionStore(db)
  parts.defer(startSessionSweep({ store: sessionStore, clock, log }))
  const users = createUserStore(db)
  const sessions = createSessions({ store: sessionStore, clock })
  const devices = createKnownDevices({ store: sessionStore, clock })
  return {
    keys,
    users,
    sessions,
    devices,
    passwords: await createPasswords(),
    signIn: createSignIn({ sessions, users, devices }),
    setupToken: createSetupToken(folder),
    adminToken: await loadAdminToken(folder, configuredAdminToken),
  }
}

/** Adds the routes for API keys, members, invitations and signing in. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    access: AccessControl
    /** `undefined` where the service sends no mail. */
    mailer: AccountMailer | undefined
    releases: OverrideReleases
    /** `undefined` lets people sign in with passwords only. */
    oidc: OidcSettings | undefined
    clock: Clock
    log: Log
    baseUrl(): string
  },
): void {
  const { db, access, mailer, releases, clock, log, baseUrl } = deps
  const { keys, users } = access
  const quotas = createQuotaStore(db)
  const throttle = createSignInThrottle({ store: quotas, clock })
  const links = createLinkStore(db)
  keyRoutes(app, { store: createKeyStore(db), keys, releases, clock })
  sessionRoutes(app, { ...access, store: createSessionStore(db), throttle, clock })
  memberRoutes(app, { store: createMemberStore(db), quotas, mailer, clock, baseUrl })
  resetRoutes(app, { links, quotas, mailer, clock, log, baseUrl })
  const oidc = deps.oidc && openSignInProvider(deps.oidc, clock, () => baseUrl() + API.finishWithProvider.path)
  const identities = createIdentityStore(db)
  const oidcDeps = { ...access, oidc, identities, links, quotas, mailer, clock, log }
  oidcRoutes(app, oidcDeps)
  identityRoutes(app, oidcDeps)
  userRoutes(app, { ...access, users, links, pending: createPendingStore(db), clock })
}
