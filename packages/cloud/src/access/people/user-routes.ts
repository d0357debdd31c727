import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { email, newPassword } from './sign-in-schemas.ts'
import type { UserStore } from './user-store.ts'

/** Adds administrators with a password, for the operator. */
export function userRoutes(
  app: FastifyInstance,
  deps: { users: Pick<UserStore, 'addAdministrator'>; passwords: Passwords },
): void {
  app.post<{ Params: { orgId: string }; Body: { email: string; password: string } }>(
    '/api/orgs/:orgId/users',
    {
      config: { access: { by: 'operator' } },
      schema: {
        tags: ['Administration'],
        summary: 'Add an administrator to an organization',
        body: {
          type: 'object',
          required: ['email', 'password'],
          properties: { email, password: newPassword },
        },
        response: { 201: { type: 'object', properties: { id: { type: 'string' }, email: { type: 'string' } } } },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const email = request.body.email.toLowerCase()
      const passwordHash = await deps.passwords.hash(request.body.password)
      const user = { id: newId('usr'), email, passwordHash, organizationId: orgId }
      await explainConflicts(deps.users.addAdministrator(user), {
        user_account_email_key: new Failure('conflict', `there is already a user ${shown(email)}`),
        membership_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
      })
      return reply.code(201).send({ id: user.id, email })
    },
  )
}
