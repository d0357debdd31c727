import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import type { OrganizationStore, SiteChanges } from './organization-store.ts'
import { requireTimeZone } from './time-zone.ts'

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const timeZone = { type: 'string', maxLength: 255, description: 'An IANA name, for example Europe/Tallinn' } as const
const maintenanceRequests = {
  type: 'boolean',
  description: 'Turns Maintenance Requests on or off; off by default',
} as const
const site = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name,
    timeZone,
    maintenanceRequests,
    createdAt: { type: 'string', format: 'date-time' },
  },
} as const
const config = { access: { by: 'operator', role: 'admin' } } as const

const TIME_ZONE_NOTE = 'commission the devices of this site again: until then they use the old time zone'

export interface SiteRouteDeps {
  organizations: OrganizationStore
  /** Resolves when all lookups of this process see a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** Lists, adds and changes the sites of an organization. Members who are not administrators see only their sites. */
export function siteRoutes(app: FastifyInstance, deps: SiteRouteDeps): void {
  const { organizations, siteChanged } = deps
  const taken = (name: string | undefined) => ({
    site_organization_id_name_key: new Failure('conflict', `there is already a site "${shown(String(name))}"`),
  })

  app.get<{ Params: { orgId: string } }>(
    '/api/orgs/:orgId/sites',
    {
      config: { access: { by: 'operator', role: 'viewer' } },
      schema: {
        tags: ['Administration'],
        summary: 'List the sites of an organization; members see the sites where they have a role',
        response: { 200: { type: 'object', properties: { sites: { type: 'array', items: site } } } },
      },
    },
    async (request) => ({ sites: await organizations.listSites(request.params.orgId, request.siteIds) }),
  )

  app.post<{ Params: { orgId: string }; Body: SiteChanges & { name: string } }>(
    '/api/orgs/:orgId/sites',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Add a site; its time zone is UTC by default',
        body: { type: 'object', required: ['name'], properties: { name, timeZone, maintenanceRequests } },
        response: { 201: site },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const { name, timeZone, maintenanceRequests } = request.body
      requireTimeZone(timeZone)
      const site = { name, ...defined({ timeZone, maintenanceRequests }) }
      const added = await explainConflicts(organizations.addSite(newId('site'), orgId, site), {
        ...taken(name),
        site_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
      })
      await siteChanged(added.id)
      return reply.code(201).send(added)
    },
  )

  app.patch<{ Params: { orgId: string; siteId: string }; Body: SiteChanges }>(
    '/api/orgs/:orgId/sites/:siteId',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary:
          'Change the name, time zone or Maintenance Requests of a site; devices use a new time zone once they are commissioned again',
        body: { type: 'object', properties: { name, timeZone, maintenanceRequests } },
        response: {
          200: {
            ...site,
            properties: {
              ...site.properties,
              note: { type: 'string', description: 'What you still have to do for the change to take effect' },
            },
          },
        },
      },
    },
    async (request) => {
      const { orgId, siteId } = request.params
      const { name, timeZone, maintenanceRequests } = request.body
      const changes = defined({ name, timeZone, maintenanceRequests })
      if (Object.keys(changes).length === 0) {
        throw new Failure('invalid', 'send name, timeZone or maintenanceRequests', 'body')
      }
      requireTimeZone(timeZone)
      const updated = await explainConflicts(organizations.updateSite(orgId, siteId, changes), taken(name))
      if (!updated) throw new Failure('notFound', `this organization has no site ${shown(siteId)}`)
      await siteChanged(siteId)
      return { ...updated, ...(timeZone !== undefined && { note: TIME_ZONE_NOTE }) }
    },
  )
}

/** Removes undefined fields. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
