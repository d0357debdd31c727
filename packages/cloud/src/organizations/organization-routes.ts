import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import type { OrganizationStore } from './organization-store.ts'

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const named = {
  type: 'object',
  properties: { id: { type: 'string' }, name, createdAt: { type: 'string', format: 'date-time' } },
} as const
const body = { type: 'object', required: ['name'], properties: { name } } as const
const config = { access: { by: 'operator' } } as const

/** Lists and adds organizations, for the operator. */
export function organizationRoutes(app: FastifyInstance, deps: { organizations: OrganizationStore }): void {
  const { organizations } = deps

  app.get(
    '/api/orgs',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'List organizations',
        response: { 200: { type: 'object', properties: { organizations: { type: 'array', items: named } } } },
      },
    },
    async () => ({ organizations: await organizations.listOrganizations() }),
  )

  app.post<{ Body: { name: string } }>(
    '/api/orgs',
    {
      config,
      schema: { tags: ['Administration'], summary: 'Add an organization', body, response: { 201: named } },
    },
    async (request, reply) => {
      const added = { id: newId('org'), name: request.body.name }
      await explainConflicts(organizations.addOrganization(added.id, added.name), {
        organization_name_key: new Failure('conflict', `there is already an organization "${shown(added.name)}"`),
      })
      return reply.code(201).send(added)
    },
  )
}
