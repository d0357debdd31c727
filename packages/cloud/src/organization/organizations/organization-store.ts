import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import { tagsOf } from './site-tag-store.ts'

interface Organization {
  id: string
  name: string
  createdAt: Date
}

interface Site extends Organization {
  /** An IANA name. */
  timeZone: string
  /** True when Maintenance Requests are turned on. */
  maintenanceRequests: boolean
  tags: string[]
}

/** The part of a site that authorization needs for every request. Cached in memory. */
export interface CachedSite {
  id: string
  organizationId: string
  maintenanceRequests: boolean
}

/** The settings of a site. An undefined one stays as it is, or gets its default. */
interface SiteChanges {
  name?: string | undefined
  timeZone?: string | undefined
  maintenanceRequests?: boolean | undefined
}

/** The first organization with its site and its administrator. */
interface FirstTenant {
  organization: { id: string; name: string }
  site: { id: string; name: string; timeZone: string }
  user: { id: string; email: string; passwordHash: string }
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>

/** What the administrators of an organization decide. */
interface OrganizationSettings {
  id: string
  name: string
  requireSecondFactor: boolean
  measurementDays: number | null
}

/** An undefined setting stays as it is. */
interface OrganizationChanges {
  name?: string | undefined
  requireSecondFactor?: boolean | undefined
  measurementDays?: number | null | undefined
}

const SETTINGS = [
  'id',
  'name',
  'requires_second_factor as requireSecondFactor',
  'measurement_days as measurementDays',
] as const

const SITE = [
  'id',
  'name',
  'time_zone as timeZone',
  'maintenance_requests as maintenanceRequests',
  tagsOf(sql.ref('site.id')).as('tags'),
  'created_at as createdAt',
] as const

const columns = ({ name, timeZone, maintenanceRequests }: SiteChanges) => ({
  ...(name !== undefined && { name }),
  ...(timeZone !== undefined && { time_zone: timeZone }),
  ...(maintenanceRequests !== undefined && { maintenance_requests: maintenanceRequests }),
})

export function createOrganizationStore(db: Db) {
  const cachedSites = db
    .selectFrom('site')
    .select(['id', 'organization_id as organizationId', 'maintenance_requests as maintenanceRequests'])

  return {
    loadSites: (): Promise<CachedSite[]> => cachedSites.execute(),
    loadSite: (id: string): Promise<CachedSite | undefined> => cachedSites.where('id', '=', id).executeTakeFirst(),

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

    findOrganization: (id: string): Promise<OrganizationSettings | undefined> =>
      db.selectFrom('organization').where('id', '=', id).select(SETTINGS).executeTakeFirst(),

    /** Changes the given settings. Resolves with `undefined` when there is no such organization. */
    updateOrganization: (id: string, changes: OrganizationChanges): Promise<OrganizationSettings | undefined> =>
      db
        .updateTable('organization')
        .set({
          ...(changes.name !== undefined && { name: changes.name }),
          ...(changes.requireSecondFactor !== undefined && { requires_second_factor: changes.requireSecondFactor }),
          ...(changes.measurementDays !== undefined && { measurement_days: changes.measurementDays }),
        })
        .where('id', '=', id)
        .returning(SETTINGS)
        .executeTakeFirst(),

    addSite: (id: string, organizationId: string, { name, ...rest }: SiteChanges & { name: string }): Promise<Site> =>
      db
        .insertInto('site')
        .values({ id, organization_id: organizationId, name, ...columns(rest) })
        .returning(SITE)
        .executeTakeFirstOrThrow(),

    /** Changes the given settings. Resolves with `undefined` when the organization has no such site. */
    updateSite: (organizationId: string, id: string, changes: SiteChanges): Promise<Site | undefined> =>
      db
        .updateTable('site')
        .set(columns(changes))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(SITE)
        .executeTakeFirst(),

    /** Lists the sites in `siteIds`, or all sites without it. */
    listSites: (organizationId: string, siteIds?: ReadonlySet<string>): Promise<Site[]> =>
      db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .$if(siteIds !== undefined, (query) => query.where('id', 'in', [...(siteIds ?? [])]))
        .select(SITE)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    /** Adds the first organization with its site and administrator. False when a user already exists. */
    addFirstTenant: ({ organization, site, user }: FirstTenant): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        // The second of two concurrent setups waits here and then finds the user of the first.
        await sql`LOCK TABLE user_account IN EXCLUSIVE MODE`.execute(tx)
        if (await tx.selectFrom('user_account').select('id').limit(1).executeTakeFirst()) return false
        await tx.insertInto('organization').values(organization).execute()
        await tx
          .insertInto('site')
          .values({ id: site.id, organization_id: organization.id, name: site.name, time_zone: site.timeZone })
          .execute()
        await tx
          .insertInto('user_account')
          .values({ id: user.id, email: user.email, password_hash: user.passwordHash })
          .execute()
        await tx
          .insertInto('membership')
          .values({ user_id: user.id, organization_id: organization.id, site_id: null, role: 'admin' })
          .execute()
        return true
      }),
  }
}
