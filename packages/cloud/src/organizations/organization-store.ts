import type { Db } from '../db/database.ts'

export interface Organization {
  id: string
  name: string
  createdAt: Date
}

export interface Site extends Organization {
  /** IANA name. */
  timeZone: string
  /** Whether it has Maintenance Requests turned on. */
  maintenanceRequests: boolean
}

/** What of a site is asked for with every request, and so kept in memory. */
export interface SiteReach {
  id: string
  organizationId: string
  maintenanceRequests: boolean
}

/** What of a site can be changed, or said when it is added. */
export interface SiteChanges {
  name?: string
  timeZone?: string
  maintenanceRequests?: boolean
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>

const SITE = [
  'id',
  'name',
  'time_zone as timeZone',
  'maintenance_requests as maintenanceRequests',
  'created_at as createdAt',
] as const

const columns = ({ name, timeZone, maintenanceRequests }: SiteChanges) => ({
  ...(name !== undefined && { name }),
  ...(timeZone !== undefined && { time_zone: timeZone }),
  ...(maintenanceRequests !== undefined && { maintenance_requests: maintenanceRequests }),
})

export function createOrganizationStore(db: Db) {
  const reach = db
    .selectFrom('site')
    .select(['id', 'organization_id as organizationId', 'maintenance_requests as maintenanceRequests'])

  return {
    loadSites: (): Promise<SiteReach[]> => reach.execute(),
    loadSite: (id: string): Promise<SiteReach | undefined> => reach.where('id', '=', id).executeTakeFirst(),

    async addOrganization(id: string, name: string): Promise<void> {
      await db.insertInto('organization').values({ id, name }).execute()
    },

    listOrganizations: (): Promise<Organization[]> =>
      db
        .selectFrom('organization')
        .select(['id', 'name', 'created_at as createdAt'])
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    addSite: (id: string, organizationId: string, { name, ...rest }: SiteChanges & { name: string }): Promise<Site> =>
      db
        .insertInto('site')
        .values({ id, organization_id: organizationId, name, ...columns(rest) })
        .returning(SITE)
        .executeTakeFirstOrThrow(),

    /** Changes what is said. `undefined` when the organization has no such site. */
    updateSite: (organizationId: string, id: string, changes: SiteChanges): Promise<Site | undefined> =>
      db
        .updateTable('site')
        .set(columns(changes))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(SITE)
        .executeTakeFirst(),

    /** Those of `siteIds`, or all when that is not said. */
    listSites: (organizationId: string, siteIds?: ReadonlySet<string>): Promise<Site[]> =>
      db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .$if(siteIds !== undefined, (query) => query.where('id', 'in', [...(siteIds ?? [])]))
        .select(SITE)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
  }
}
