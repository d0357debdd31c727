import { isAtLeast, type Role } from '@plantroom/contract/roles'

/** What a person is: in a whole organization (`siteId` is null), or on one site of it. */
export interface Membership {
  organizationId: string
  siteId: string | null
  role: Role
}

/** The most that a person is on a site, or anywhere in an organization when no site is named; `undefined`: a stranger. */
export function roleIn(
  memberships: readonly Membership[],
  organizationId: string,
  siteId: string | undefined,
): Role | undefined {
  let most: Role | undefined
  for (const membership of memberships) {
    if (membership.organizationId !== organizationId) continue
    if (siteId !== undefined && membership.siteId !== null && membership.siteId !== siteId) continue
    if (!isAtLeast(most, membership.role)) most = membership.role
  }
  return most
}

/** The sites of an organization on which a person is at least this; `undefined`: all of them, also those to come. */
export function sitesWith(
  memberships: readonly Membership[],
  organizationId: string,
  needed: Role,
): ReadonlySet<string> | undefined {
  const siteIds = new Set<string>()
  for (const membership of memberships) {
    if (membership.organizationId !== organizationId || !isAtLeast(membership.role, needed)) continue
    if (membership.siteId === null) return undefined
    siteIds.add(membership.siteId)
  }
  return siteIds
}
