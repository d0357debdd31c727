import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/conflicts.ts'
import type { OrganizationStore, SiteChanges } from './organization-store.ts'
import { requireTimeZone } from './time-zone.ts'

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const timeZone = { type: 'string', maxLength: 255, description: 'IANA name, such as Europe/Tallinn' } as const
const maintenanceRequests = {
  type: 'boolean',
  description: 'Whether Maintenance Requests are turned on; off for a new site unless said',
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

const LEARNT_LATER = 'a device of this site goes by the new time zone once it is commissioned again'

export interface SiteRouteDeps {
  organizations: OrganizationStore
  /** Resolves when every look-up of this process knows of a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** The sites of an organization, for the operator and its administrators; others see their own. */
export function siteRoutes(app: FastifyInstance, deps: SiteRouteDeps): void {
  const { organizations, siteChanged } = deps
  const taken = (name: string | undefined) => ({
    site_organization_id_name_key: new Failure('conflict', `there is a site "${shown(String(name))}" already`),
  })

  app.get<{ Params: { orgId: string } }>(
    '/api/orgs/:orgId/sites',
    {
      config: { access: { by: 'operator', role: 'viewer' } },
      schema: {
        tags: ['Administration'],
        summary: 'List the sites of an organization; a person sees those where they have a role',
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
        summary: 'Add a site; its time zone is UTC unless said',
        body: { type: 'object', required: ['name'], properties: { name, timeZone, maintenanceRequests } },
        response: { 201: site },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const { name, timeZone, maintenanceRequests } = request.body
      requireTimeZone(timeZone)
      const site = { name, ...chosen({ timeZone, maintenanceRequests }) }
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
          'Change the name or the time zone of a site, or turn Maintenance Requests on or off; devices learn the zone when they are commissioned next',
        body: { type: 'object', properties: { name, timeZone, maintenanceRequests } },
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
      const { name, timeZone, maintenanceRequests } = request.body
      const changes = chosen({ name, timeZone, maintenanceRequests })
      if (Object.keys(changes).length === 0) {
        throw new Failure('invalid', 'say name, timeZone or maintenanceRequests', 'body')
      }
      requireTimeZone(timeZone)
      const updated = await explainConflicts(organizations.updateSite(orgId, siteId, changes), taken(name))
      if (!updated) throw new Failure('notFound', `this organization has no site ${shown(siteId)}`)
      await siteChanged(siteId)
      return { ...updated, ...(timeZone !== undefined && { note: LEARNT_LATER }) }
    },
  )
}

/** What was said, without what was not. */
function chosen<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
