import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { addRoute } from '../routes/index.ts'
import type { OrganizationStore } from './organization-store.ts'
import { requireTimeZone } from './time-zone.ts'

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

  addRoute(app, API.listSites, async (request) => ({
    sites: await organizations.listSites(request.params.orgId, request.siteIds),
  }))

  addRoute(app, API.addSite, async (request) => {
    const { orgId } = request.params
    const { name, timeZone, maintenanceRequests } = request.body
    requireTimeZone(timeZone)
    const site = { name, ...defined({ timeZone, maintenanceRequests }) }
    const added = await explainConflicts(organizations.addSite(newId('site'), orgId, site), {
      ...taken(name),
      site_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
    })
    await siteChanged(added.id)
    return added
  })

  addRoute(app, API.updateSite, async (request) => {
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
  })
}

/** Removes undefined fields. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
