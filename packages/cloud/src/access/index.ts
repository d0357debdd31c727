import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../db/change-feed.ts'
import type { Db } from '../db/database.ts'
import { type KeyRegistry, openKeyRegistry } from './keys/key-registry.ts'
import { keyRoutes, type OverrideReleases } from './keys/key-routes.ts'
import { createKeyStore } from './keys/key-store.ts'
import { memberRoutes } from './people/member-routes.ts'
import { createMemberStore } from './people/member-store.ts'
import { userRoutes } from './people/user-routes.ts'
import { createUserStore, type UserStore } from './people/user-store.ts'
import { createSetupToken, loadAdminToken, type SetupToken } from './secrets.ts'
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
  return {
    keys,
    users,
    sessions,
    passwords: await createPasswords(),
    signIn: createSignIn({ sessions, users }),
    setupToken: createSetupToken(folder),
    adminToken: await loadAdminToken(folder, configuredAdminToken),
  }
}

/** Adds the routes for API keys, members, invitations and signing in. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; access: AccessControl; releases: OverrideReleases; clock: Clock; baseUrl(): string },
): void {
  const { db, releases, clock, baseUrl } = deps
  const { keys, users, sessions, passwords, signIn } = deps.access
  const throttle = createSignInThrottle({ store: createSessionStore(db), clock })
  keyRoutes(app, { store: createKeyStore(db), keys, releases, clock })
  sessionRoutes(app, { users, sessions, passwords, throttle, signIn })
  memberRoutes(app, { store: createMemberStore(db), clock, baseUrl })
  userRoutes(app, { users, passwords, signIn, clock })
}
