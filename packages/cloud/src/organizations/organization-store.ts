import type { Db } from '../db/database.ts'

export interface Organization {
  id: string
  name: string
  createdAt: Date
}

export interface Site extends Organization {
  /** IANA name. */
  timeZone: string
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>

const SITE = ['id', 'name', 'time_zone as timeZone', 'created_at as createdAt'] as const

export function createOrganizationStore(db: Db) {
  return {
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

    addSite: (id: string, organizationId: string, name: string, timeZone?: string): Promise<Site> =>
      db
        .insertInto('site')
        .values({ id, organization_id: organizationId, name, ...(timeZone !== undefined && { time_zone: timeZone }) })
        .returning(SITE)
        .executeTakeFirstOrThrow(),

    /** Changes what is said. `undefined` when the organization has no such site. */
    updateSite: (
      organizationId: string,
      id: string,
      { name, timeZone }: { name?: string; timeZone?: string },
    ): Promise<Site | undefined> =>
      db
        .updateTable('site')
        .set({ ...(name !== undefined && { name }), ...(timeZone !== undefined && { time_zone: timeZone }) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(SITE)
        .executeTakeFirst(),

    listSites: (organizationId: string): Promise<Site[]> =>
      db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .select(SITE)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
  }
}
