import { type RawBuilder, sql } from 'kysely'

/** A member who has a role on a site. The email of an account is its own key. */
export interface SiteMember {
  userId: string
  email: string
}

/**
 * Selects the members who have a role on a site: on the site itself, or as administrators of its organization. People who
 * have not accepted an invitation have none. Each member once.
 */
export function membersOf(siteId: string): RawBuilder<SiteMember> {
  return sql<SiteMember>`
    SELECT DISTINCT user_account.id AS "userId", user_account.email
    FROM site
    JOIN membership ON membership.organization_id = site.organization_id
      AND (membership.site_id = site.id OR membership.role = 'admin')
    JOIN user_account ON user_account.id = membership.user_id
    WHERE site.id = ${siteId}`
}
