import { type RawBuilder, sql } from 'kysely'
import { siteRoles } from './site-roles.ts'

/** A member who has a role on a site. The email of an account is its own key. */
export interface SiteMember {
  userId: string
  email: string
}

/** Selects the members who have a role on a site, also by tag and as administrators of its organization. Each member once. */
export function membersOf(siteId: string): RawBuilder<SiteMember> {
  return sql<SiteMember>`
    SELECT DISTINCT user_account.id AS "userId", user_account.email
    FROM site
    JOIN LATERAL ${siteRoles(sql`membership.organization_id = site.organization_id`)} AS granted
      ON granted.site_id = site.id OR granted.site_id IS NULL
    JOIN user_account ON user_account.id = granted.user_id
    WHERE site.id = ${siteId}`
}
