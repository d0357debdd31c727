import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { addRoute } from '../../routes/index.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { UserStore } from './user-store.ts'

/** Adds administrators with a password, for the operator. */
export function userRoutes(
  app: FastifyInstance,
  deps: { users: Pick<UserStore, 'addAdministrator'>; passwords: Passwords },
): void {
  addRoute(app, API.addUser, async (request) => {
    const { orgId } = request.params
    const email = request.body.email.toLowerCase()
    const passwordHash = await deps.passwords.hash(request.body.password)
    const user = { id: newId('usr'), email, passwordHash, organizationId: orgId }
    await explainConflicts(deps.users.addAdministrator(user), {
      user_account_email_key: new Failure('conflict', `there is already a user ${shown(email)}`),
      membership_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
    })
    return { id: user.id, email }
  })
}
