import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { createRemovalStore, type OrganizationContents, type SiteContents } from './removal-store.ts'

/** A message names so many sites or devices. */
const MOST_NAMED = 5

interface RemovalRouteDeps {
  db: Db
  activity: ActivityLog
  clock: Clock
  /** Resolves when all lookups of this process see a change to a site. */
  siteChanged(siteId: string): Promise<void>
  /** Resolves when this process no longer accepts a deleted key. */
  keyRemoved(keyId: string): Promise<void>
}

/** Removes sites and organizations. Nothing is lost that the caller has not confirmed. */
export function removalRoutes(
  app: FastifyInstance,
  { db, activity, clock, siteChanged, keyRemoved }: RemovalRouteDeps,
): void {
  addRoute(app, API.removeSite, async (request) => {
    const { orgId, siteId } = request.params
    const read = async (tx: Db) => {
      const found = await createRemovalStore(tx).siteContents(orgId, siteId)
      if (!found) throw new Failure('notFound', `this organization has no site ${shown(siteId)}`)
      refuseUsedSite(found)
      return found
    }
    const before = await read(db)
    if (request.query.confirm !== 'true') requireNothingLost(`the site "${shown(before.name)}"`, lossesOfSite(before))
    // Before the transaction, which must be short. Repeated after a crash, the removal continues here.
    await createRemovalStore(db).clearSite(siteId)
    await activity.change(request, async (tx, note) => {
      const store = createRemovalStore(tx)
      await store.lockSite(siteId)
      const { name, requests } = await read(tx)
      if (requests > 0) throw new Failure('conflict', `the site "${shown(name)}" got a new request: try again`)
      await store.removeSite(orgId, siteId, new Date(clock.now()))
      const subject = { kind: 'site', id: siteId, name } as const
      note({ organizationId: orgId, siteId, action: 'site-removed', subject, details: countsOf(before) })
    })
    await siteChanged(siteId)
  })

  addRoute(app, API.removeOrganization, async (request) => {
    const { orgId } = request.params
    const read = async (tx: Db) => {
      const found = await createRemovalStore(tx).organizationContents(orgId)
      if (!found) throw new Failure('notFound', `there is no organization ${shown(orgId)}`)
      refuseUsedOrganization(found)
      return found
    }
    const before = await read(db)
    if (request.query.confirm !== 'true') {
      requireNothingLost(`the organization "${shown(before.name)}"`, lossesOfOrganization(before))
    }
    await createRemovalStore(db).clearOrganization(orgId)
    const keys = await activity.change(request, async (tx, note) => {
      const store = createRemovalStore(tx)
      await store.lockOrganization(orgId)
      const { name } = await read(tx)
      const removed = await store.removeOrganization(orgId)
      const subject = { kind: 'organization', id: orgId, name } as const
      const entry = { action: 'organization-removed', subject, details: countsOf(before) } as const
      note({ ...entry, organizationId: orgId })
      // The chain of the organization has no readers any more.
      note({ ...entry, organizationId: null })
      return removed
    })
    await Promise.all(keys.map(keyRemoved))
  })
}

function refuseUsedSite({ name, devices, unfinishedJobs }: SiteContents): void {
  if (devices.length > 0) {
    throw new Failure(
      'conflict',
      `the site "${shown(name)}" still has the devices ${listed(devices)}: release what they hold, then remove them first`,
    )
  }
  if (unfinishedJobs > 0) {
    throw new Failure(
      'conflict',
      `the site "${shown(name)}" has ${counted(unfinishedJobs, 'unfinished import or export', 'unfinished imports or exports')}: wait until they have ended`,
    )
  }
}

function refuseUsedOrganization({ name, sites, programs }: OrganizationContents): void {
  const has = (what: string) => new Failure('conflict', `the organization "${shown(name)}" still has ${what}`)
  if (sites.length > 0) throw has(`the sites ${listed(sites)}: remove them first`)
  if (programs.length > 0) {
    throw has(
      `the OpenADR programs ${listed(programs)}: remove them first, so that what they made at their VTNs is deleted there`,
    )
  }
}

function requireNothingLost(what: string, losses: readonly (string | undefined)[]): void {
  const lost = losses.filter((each) => each !== undefined)
  if (lost.length === 0) return
  throw new Failure('unconfirmed', `removing ${what} loses ${lost.join(', ').replace(/, ([^,]+)$/, ' and $1')}`)
}

const lossesOfSite = ({ requests, contacts, units, tags, members, accounts, keys }: SiteContents) => [
  counted(requests, 'maintenance request', 'maintenance requests'),
  counted(contacts, 'contact', 'contacts'),
  counted(units, 'unit', 'units'),
  counted(tags, 'tag', 'tags'),
  counted(members, 'role of a member', 'roles of members'),
  counted(accounts, 'account that has no other role', 'accounts that have no other role'),
  counted(keys, 'API key that reaches nothing else', 'API keys that reach nothing else'),
]

const lossesOfOrganization = ({ members, accounts, keys, webhooks, auditEntries, cleanups }: OrganizationContents) => [
  counted(members, 'member', 'members'),
  counted(accounts, 'account without another organization', 'accounts without another organization'),
  counted(keys, 'API key', 'API keys'),
  counted(webhooks, 'webhook', 'webhooks'),
  counted(auditEntries, 'audit entry', 'audit entries'),
  counted(cleanups, 'deletion at a VTN that is not done yet', 'deletions at VTNs that are not done yet'),
]

const counted = (count: number, one: string, many: string) =>
  count === 0 ? undefined : `${count} ${count === 1 ? one : many}`

/** The names of some, and whether there are more. */
function listed(names: readonly string[]): string {
  const few = names.slice(0, MOST_NAMED).map((name) => `"${shown(name)}"`)
  return `${few.join(', ')}${names.length > MOST_NAMED ? ' and others' : ''}`
}

/** For the activity log. */
const countsOf = (contents: SiteContents | OrganizationContents) =>
  Object.fromEntries(Object.entries(contents).filter(([, value]) => typeof value === 'number'))
