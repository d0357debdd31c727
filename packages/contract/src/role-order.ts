/** What a person may do, the lowest role first: each includes those before it. */
export const ROLES = ['viewer', 'manager', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** `admin` applies to a whole organization, the others to sites. */
export const SITE_ROLES = ['viewer', 'manager'] as const satisfies readonly Role[]
export type SiteRole = (typeof SITE_ROLES)[number]

export function isAtLeast(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
