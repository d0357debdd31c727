import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import { invitationRoutes } from './access/invitation-routes.ts'
import { memberRoutes } from './access/member-routes.ts'
import { createMemberStore } from './access/member-store.ts'
import { createPasswords } from './access/passwords.ts'
import { sessionRoutes } from './access/session-routes.ts'
import type { Sessions } from './access/sessions.ts'
import type { SetupToken } from './access/setup-token.ts'
import { createSignIn } from './access/sign-in.ts'
import { createSignInFailureStore } from './access/sign-in-failure-store.ts'
import { createSignInThrottle } from './access/sign-in-throttle.ts'
import { userRoutes } from './access/user-routes.ts'
import type { UserStore } from './access/user-store.ts'
import type { Db } from './db/database.ts'
import { setupRoutes } from './organizations/setup-routes.ts'
import { createSetupStore } from './organizations/setup-store.ts'

/** People who sign in, over HTTP. */
export async function addSignInRoutes(
  app: FastifyInstance,
  deps: {
    db: Db
    users: UserStore
    sessions: Sessions
    setupToken: SetupToken
    clock: Clock
    baseUrl(): string
    siteChanged(siteId: string): Promise<void>
  },
): Promise<void> {
  const { db, users, sessions, setupToken, clock, baseUrl, siteChanged } = deps
  const passwords = await createPasswords()
  const throttle = createSignInThrottle({ store: createSignInFailureStore(db), clock })
  const signIn = createSignIn({ sessions, users })
  sessionRoutes(app, { users, sessions, passwords, throttle, signIn })
  invitationRoutes(app, { users, passwords, signIn, clock })
  setupRoutes(app, { store: createSetupStore(db), users, token: setupToken, passwords, signIn, siteChanged })
  memberRoutes(app, { store: createMemberStore(db), clock, baseUrl })
  userRoutes(app, { users, passwords })
}
