import type { Db } from '../db/database.ts'

export interface Organization {
  id: string
  name: string
  createdAt: Date
}

export type Site = Organization

export type OrganizationStore = ReturnType<typeof createOrganizationStore>

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

    async addSite(id: string, organizationId: string, name: string): Promise<void> {
      await db.insertInto('site').values({ id, organization_id: organizationId, name }).execute()
    },

    listSites: (organizationId: string): Promise<Site[]> =>
      db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .select(['id', 'name', 'created_at as createdAt'])
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
  }
}
