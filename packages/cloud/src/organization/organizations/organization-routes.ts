import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { isTimeZone } from '@plantroom/contract/site-time'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../platform/db/database.ts'
import { requireRoom } from '../../platform/db/most-rows.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { createOrganizationStore, type OrganizationStore } from './organization-store.ts'

const TIME_ZONE_NOTE = 'commission the devices of this site again: until then they use the old time zone'

interface OrganizationRouteDeps {
  organizations: Pick<OrganizationStore, 'listOrganizations' | 'findOrganization' | 'listSites'>
  activity: ActivityLog
  /** Resolves when all lookups of this process see a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** Lists and adds organizations, for the operator, and manages their sites. */
export function organizationRoutes(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  const { organizations, activity } = deps

  addRoute(app, API.listOrganizations, async () => ({ organizations: await organizations.listOrganizations() }))

  addRoute(app, API.addOrganization, async (request) => {
    const added = { id: newId('org'), name: request.body.name }
    const change = activity.change(request, async (tx, note) => {
      await createOrganizationStore(tx).addOrganization(added.id, added.name)
      const subject = { kind: 'organization', ...added } as const
      note({ organizationId: added.id, action: 'organization-added', subject })
    })
    await explainConflicts(change, taken(added.name))
    return added
  })

  settingRoutes(app, deps)
  siteRoutes(app, deps)
}

const taken = (name: string) => ({
  organization_name_key: new Failure('conflict', `there is already an organization "${shown(name)}"`),
})

/** Shows and changes what the administrators of an organization decide. */
function settingRoutes(app: FastifyInstance, { organizations, activity }: OrganizationRouteDeps): void {
  const unknown = (orgId: string) => new Failure('notFound', `there is no organization ${shown(orgId)}`)

  addRoute(app, API.getOrganization, async ({ params }) => {
    const found = await organizations.findOrganization(params.orgId)
    if (!found) throw unknown(params.orgId)
    return found
  })

  addRoute(app, API.updateOrganization, async (request) => {
    const { orgId } = request.params
    const { name, requireSecondFactor, measurementDays } = request.body
    if (name === undefined && requireSecondFactor === undefined && measurementDays === undefined) {
      throw new Failure('invalid', 'send name, requireSecondFactor or measurementDays', 'body')
    }
    // Otherwise the person would lock themself out.
    if (requireSecondFactor && request.userId !== undefined && !request.hasSecondFactor) {
      throw new Failure(
        'secondFactor',
        'you can require a second factor only in a session that has one: set one up on your account page first',
      )
    }
    const changes = { name, requireSecondFactor, measurementDays }
    const change = activity.change(request, async (tx, note) => {
      const updated = await createOrganizationStore(tx).updateOrganization(orgId, changes)
      if (!updated) throw unknown(orgId)
      const subject = { kind: 'organization', id: orgId, name: updated.name } as const
      note({ organizationId: orgId, action: 'organization-changed', subject, details: changes })
      return updated
    })
    return explainConflicts(change, taken(String(name)))
  })
}

/** Lists, adds and changes the sites of an organization. Members who are not administrators see only their sites. */
function siteRoutes(app: FastifyInstance, { organizations, activity, siteChanged }: OrganizationRouteDeps): void {
  const siteTaken = (name: string | undefined) => ({
    site_organization_id_name_key: new Failure('conflict', `there is already a site "${shown(String(name))}"`),
  })

  addRoute(app, API.listSites, async (request) => ({
    sites: await organizations.listSites(request.params.orgId, request.siteIds),
  }))

  addRoute(app, API.addSite, async (request) => {
    const { orgId } = request.params
    const { name, timeZone, maintenanceRequests } = request.body
    requireTimeZone(timeZone)
    const site = { name, timeZone, maintenanceRequests }
    const change = activity.change(request, async (tx, note) => {
      await requireRoom(tx, 'site', orgId)
      const added = await createOrganizationStore(tx).addSite(newId('site'), orgId, site)
      const subject = { kind: 'site', id: added.id, name } as const
      note({ organizationId: orgId, siteId: added.id, action: 'site-added', subject })
      return added
    })
    const added = await explainConflicts(change, {
      ...siteTaken(name),
      site_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
    })
    await siteChanged(added.id)
    return added
  })

  addRoute(app, API.updateSite, async (request) => {
    const { orgId, siteId } = request.params
    const { name, timeZone, maintenanceRequests } = request.body
    if (name === undefined && timeZone === undefined && maintenanceRequests === undefined) {
      throw new Failure('invalid', 'send name, timeZone or maintenanceRequests', 'body')
    }
    requireTimeZone(timeZone)
    const changes = { name, timeZone, maintenanceRequests }
    const change = activity.change(request, async (tx, note) => {
      const site = await createOrganizationStore(tx).updateSite(orgId, siteId, changes)
      if (!site) throw new Failure('notFound', `this organization has no site ${shown(siteId)}`)
      const subject = { kind: 'site', id: siteId, name: site.name } as const
      note({ organizationId: orgId, siteId, action: 'site-changed', subject, details: changes })
      return site
    })
    const updated = await explainConflicts(change, siteTaken(name))
    await siteChanged(siteId)
    return { ...updated, ...(timeZone !== undefined && { note: TIME_ZONE_NOTE }) }
  })
}

/** Throws when the text is not an IANA time zone. */
export function requireTimeZone(timeZone: string | undefined): void {
  if (timeZone === undefined || isTimeZone(timeZone)) return
  throw new Failure(
    'invalid',
    `timeZone: "${shown(timeZone)}" is not a time zone: use an IANA name, for example Europe/Tallinn`,
    'timeZone',
  )
}
