import { hash } from '@node-rs/argon2'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { EMAIL } from '@plantroom/contract/patterns'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/conflicts.ts'
import type { UserStore } from './user-store.ts'

/** People who sign in, for the operator. */
export function userRoutes(app: FastifyInstance, deps: { users: UserStore }): void {
  app.post<{ Params: { orgId: string }; Body: { email: string; password: string } }>(
    '/api/orgs/:orgId/users',
    {
      config: { access: { by: 'operator' } },
      schema: {
        tags: ['Administration'],
        summary: 'Add a person who administers an organization',
        body: {
          type: 'object',
          required: ['email', 'password'],
          properties: {
            email: { type: 'string', maxLength: 255, pattern: EMAIL },
            password: { type: 'string', minLength: 12, maxLength: 1024 },
          },
        },
        response: { 201: { type: 'object', properties: { id: { type: 'string' }, email: { type: 'string' } } } },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const email = request.body.email.toLowerCase()
      const user = { id: newId('usr'), email, passwordHash: await hash(request.body.password), organizationId: orgId }
      await explainConflicts(deps.users.addAdministrator(user), {
        user_account_email_key: new Failure('conflict', `there is a user ${email} already`),
        membership_organization_id_fkey: new Failure('notFound', `there is no organization ${orgId}`),
      })
      return reply.code(201).send({ id: user.id, email })
    },
  )
}
