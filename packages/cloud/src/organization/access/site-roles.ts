import { type RawBuilder, sql } from 'kysely'

/**
 * Selects the roles that members have now, as rows of `user_id`, `organization_id`, `site_id` and `role`. This is the only
 * place where a role by tag becomes a role on sites. Without a `site_id`, the role is for all sites. A person can have
 * several roles on a site: the highest counts. People who have not accepted an invitation have none.
 *
 * `which` is a condition on `membership`, so that the database reads no other rows.
 */
export const siteRoles = (which: RawBuilder<unknown>) => sql<{
  user_id: string
  organization_id: string
  site_id: string | null
  role: 'admin' | 'manager' | 'viewer'
}>`(
    SELECT user_id, organization_id, site_id, COALESCE(group_role, role) AS role
    FROM membership WHERE site_tag IS NULL AND ${which}
    UNION ALL
    SELECT membership.user_id, membership.organization_id, site_tag.site_id, membership.group_role
    FROM membership
    JOIN site_tag ON site_tag.organization_id = membership.organization_id AND site_tag.tag = membership.site_tag
    WHERE ${which}
  )`
