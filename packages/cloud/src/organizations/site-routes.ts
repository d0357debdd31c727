import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/conflicts.ts'
import type { OrganizationStore } from './organization-store.ts'
import { requireTimeZone } from './time-zone.ts'

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const timeZone = { type: 'string', maxLength: 255, description: 'IANA name, such as Europe/Tallinn' } as const
const site = {
  type: 'object',
  properties: { id: { type: 'string' }, name, timeZone, createdAt: { type: 'string', format: 'date-time' } },
} as const
const config = { access: { by: 'operator' } } as const

const LEARNT_LATER = 'a device of this site goes by the new time zone once it is commissioned again'

/** The sites of an organization, for the operator. */
export function siteRoutes(app: FastifyInstance, deps: { organizations: OrganizationStore }): void {
  const { organizations } = deps
  const taken = (name: string | undefined) => ({
    site_organization_id_name_key: new Failure('conflict', `there is a site "${name}" already`),
  })

  app.get<{ Params: { orgId: string } }>(
    '/api/orgs/:orgId/sites',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'List the sites of an organization',
        response: { 200: { type: 'object', properties: { sites: { type: 'array', items: site } } } },
      },
    },
    async (request) => ({ sites: await organizations.listSites(request.params.orgId) }),
  )

  app.post<{ Params: { orgId: string }; Body: { name: string; timeZone?: string } }>(
    '/api/orgs/:orgId/sites',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Add a site; its time zone is UTC unless said',
        body: { type: 'object', required: ['name'], properties: { name, timeZone } },
        response: { 201: site },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const { name, timeZone } = request.body
      requireTimeZone(timeZone)
      const added = await explainConflicts(organizations.addSite(newId('site'), orgId, name, timeZone), {
        ...taken(name),
        site_organization_id_fkey: new Failure('notFound', `there is no organization ${orgId}`),
      })
      return reply.code(201).send(added)
    },
  )

  app.patch<{ Params: { orgId: string; siteId: string }; Body: { name?: string; timeZone?: string } }>(
    '/api/orgs/:orgId/sites/:siteId',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Change the name or the time zone of a site; devices learn the zone when they are commissioned next',
        body: { type: 'object', properties: { name, timeZone } },
        response: {
          200: {
            ...site,
            properties: {
              ...site.properties,
              note: { type: 'string', description: 'What is left to do for the change to take effect' },
            },
          },
        },
      },
    },
    async (request) => {
      const { orgId, siteId } = request.params
      const { name, timeZone } = request.body
      if (name === undefined && timeZone === undefined) throw new Failure('invalid', 'say name or timeZone', 'body')
      requireTimeZone(timeZone)
      const changes = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) }
      const updated = await explainConflicts(organizations.updateSite(orgId, siteId, changes), taken(name))
      if (!updated) throw new Failure('notFound', `this organization has no site ${siteId}`)
      return { ...updated, ...(timeZone !== undefined && { note: LEARNT_LATER }) }
    },
  )
}
