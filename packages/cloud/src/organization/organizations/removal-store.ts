import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteUnusedAccounts } from '../access/index.ts'

/** Few enough that other work need not wait for their locks. */
const BATCH = 1000

/** What a site has. A removal is refused for some of it, and loses the rest. */
export interface SiteContents {
  name: string
  /** The names of some devices. */
  devices: string[]
  unfinishedJobs: number
  requests: number
  contacts: number
  /** People who have a role there, or are invited to one. */
  members: number
  /** Those of them whose account has no other role, and is deleted. */
  accounts: number
  /** API keys that reach this site and no other. */
  keys: number
  units: number
  tags: number
}

/** What an organization has. A removal is refused for some of it, and loses the rest. */
export interface OrganizationContents {
  name: string
  /** The names of some sites. */
  sites: string[]
  /** The names of some OpenADR programs. */
  programs: string[]
  /** What programs have left to delete at their VTNs. */
  cleanups: number
  members: number
  /** Those of them whose account has no other organization, and is deleted. */
  accounts: number
  keys: number
  webhooks: number
  auditEntries: number
}

/** The roles that people have or are invited to. */
const roles = sql`(
  SELECT user_id, organization_id, site_id FROM membership
  UNION ALL SELECT user_id, organization_id, site_id FROM pending_membership) AS role`

/** As many names as a message can have, and one more. */
const FEW = 6

/** Removes sites and organizations with all that depends on them. */
export function createRemovalStore(db: Db) {
  return {
    /** Resolves with `undefined` when the organization has no such site. */
    async siteContents(organizationId: string, siteId: string): Promise<SiteContents | undefined> {
      const { rows } = await sql<SiteContents>`
        SELECT name,
          ARRAY(SELECT name FROM device WHERE site_id = site.id ORDER BY name LIMIT ${FEW}) AS devices,
          (SELECT count(*)::int FROM job WHERE site_id = site.id AND NOT resolved) AS "unfinishedJobs",
          (SELECT count(*)::int FROM ticket WHERE site_id = site.id) AS requests,
          (SELECT count(*)::int FROM person WHERE site_id = site.id) AS contacts,
          (SELECT count(DISTINCT user_id)::int FROM ${roles} WHERE site_id = site.id) AS members,
          (SELECT count(*)::int FROM (
            SELECT FROM ${roles} GROUP BY user_id HAVING bool_and(site_id IS NOT DISTINCT FROM site.id)
          ) AS lost) AS accounts,
          (SELECT count(*)::int FROM unit WHERE site_id = site.id) AS units,
          (SELECT count(*)::int FROM tag WHERE site_id = site.id) AS tags,
          (SELECT count(*)::int FROM api_key_site AS own WHERE own.site_id = site.id AND NOT EXISTS (
            SELECT FROM api_key_site AS other WHERE other.api_key_id = own.api_key_id AND other.site_id <> site.id
          )) AS keys
        FROM site WHERE organization_id = ${organizationId} AND id = ${siteId}`.execute(db)
      return rows[0]
    },

    /** Deletes the requests of a site, with their mail and jobs, in many small transactions. */
    async clearSite(siteId: string): Promise<void> {
      await inBatches(sql`
        DELETE FROM ticket WHERE id = ANY (ARRAY(SELECT id FROM ticket WHERE site_id = ${siteId} LIMIT ${BATCH}))`)
      await inBatches(sql`
        DELETE FROM mail WHERE id = ANY (ARRAY(SELECT id FROM mail WHERE site_id = ${siteId} LIMIT ${BATCH}))`)
      await inBatches(sql`
        DELETE FROM person WHERE id = ANY (ARRAY(SELECT id FROM person WHERE site_id = ${siteId} LIMIT ${BATCH}))`)
    },

    /** Locks a site, so that nothing can be added to it. */
    async lockSite(siteId: string): Promise<void> {
      await db.selectFrom('site').where('id', '=', siteId).select('id').forUpdate().execute()
    },

    /** Deletes a site without devices and requests. A worker removes its files later. */
    async removeSite(organizationId: string, siteId: string, at: Date): Promise<void> {
      for (const table of ['mail', 'job', 'tag', 'unit', 'person', 'ticket_number'] as const) {
        await sql`DELETE FROM ${sql.table(table)} WHERE site_id = ${siteId}`.execute(db)
      }
      const { rows } = await sql<{ user_id: string }>`
        SELECT user_id FROM membership WHERE site_id = ${siteId}
        UNION SELECT user_id FROM pending_membership WHERE site_id = ${siteId}`.execute(db)
      await db.deleteFrom('site').where('id', '=', siteId).execute()
      await deleteUnusedAccounts(
        db,
        rows.map((row) => row.user_id),
      )
      await db
        .insertInto('removed_site')
        .values({ site_id: siteId, organization_id: organizationId, removed_at: at })
        .execute()
    },

    /** Resolves with `undefined` when there is no such organization. */
    async organizationContents(organizationId: string): Promise<OrganizationContents | undefined> {
      const { rows } = await sql<OrganizationContents>`
        SELECT name,
          ARRAY(SELECT name FROM site WHERE organization_id = org.id ORDER BY name LIMIT ${FEW}) AS sites,
          ARRAY(SELECT name FROM openadr_program WHERE organization_id = org.id ORDER BY name LIMIT ${FEW}) AS programs,
          (SELECT count(*)::int FROM openadr_cleanup WHERE organization_id = org.id) AS cleanups,
          (SELECT count(DISTINCT user_id)::int FROM ${roles} WHERE organization_id = org.id) AS members,
          (SELECT count(*)::int FROM (
            SELECT FROM ${roles} GROUP BY user_id HAVING bool_and(organization_id = org.id)
          ) AS lost) AS accounts,
          (SELECT count(*)::int FROM api_key WHERE organization_id = org.id AND revoked_at IS NULL) AS keys,
          (SELECT count(*)::int FROM webhook WHERE organization_id = org.id) AS webhooks,
          (SELECT count(*)::int FROM report WHERE organization_id = org.id) AS "auditEntries"
        FROM organization AS org WHERE id = ${organizationId}`.execute(db)
      return rows[0]
    },

    /** Deletes the audit of an organization, in many small transactions. */
    async clearOrganization(organizationId: string): Promise<void> {
      for (const table of ['report', 'report_chain']) {
        await inBatches(sql`
          DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM ${sql.table(table)} WHERE organization_id = ${organizationId} LIMIT ${BATCH}))`)
      }
    },

    /** Locks an organization, so that nothing can be added to it. */
    async lockOrganization(organizationId: string): Promise<void> {
      await db.selectFrom('organization').where('id', '=', organizationId).select('id').forUpdate().execute()
    },

    /**
     * Deletes an organization without sites, and the accounts that no other organization has or has invited. Resolves
     * with the ids of its API keys.
     */
    async removeOrganization(organizationId: string): Promise<string[]> {
      const { rows } = await sql<{ user_id: string }>`
        SELECT user_id FROM membership WHERE organization_id = ${organizationId}
        UNION SELECT user_id FROM pending_membership WHERE organization_id = ${organizationId}`.execute(db)
      for (const table of ['account_link', 'pending_membership', 'membership', 'report', 'report_chain']) {
        await sql`DELETE FROM ${sql.table(table)} WHERE organization_id = ${organizationId}`.execute(db)
      }
      const keys = await db
        .deleteFrom('api_key')
        .where('organization_id', '=', organizationId)
        .returning('id')
        .execute()
      await db.deleteFrom('organization').where('id', '=', organizationId).execute()
      await deleteUnusedAccounts(
        db,
        rows.map((row) => row.user_id),
      )
      return keys.map(({ id }) => id)
    },
  }

  async function inBatches(statement: ReturnType<typeof sql>): Promise<void> {
    for (;;) {
      const { numAffectedRows = 0n } = await statement.execute(db)
      if (numAffectedRows < BATCH) return
    }
  }
}
