import { Failure } from '@plantroom/contract/failure'
import { isAtLeast, type Role } from '@plantroom/contract/roles'

/** A role of a person: on all sites of an organization (`siteId` is null) or on one of them. */
export interface Membership {
  organizationId: string
  siteId: string | null
  role: Role
  /** The organization lets people in only with a second factor. */
  requiresSecondFactor?: boolean
}

/** The ids in the path of a request. */
export interface PathIds {
  orgId?: string
  siteId?: string
  /** The package contract's name for a site. */
  propertyId?: string
  deviceId?: string
}

/** Lookups of the things a path can name; `undefined` for an unknown id. */
interface Places {
  findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
  findSite(siteId: string): { organizationId: string } | undefined
}

/** A role at a path. The sets are `undefined` for all sites of the organization, including future ones. */
interface Granted {
  role: Role
  siteIds: ReadonlySet<string> | undefined
  managedSiteIds: ReadonlySet<string> | undefined
}

/** A person with their roles. */
interface Person {
  memberships: readonly Membership[]
  /** Their session was opened with a second factor. */
  hasSecondFactor: boolean
}

/** Returns the person's role at the path and the sites it covers, or the reason they have no access. */
export function authorizePerson(
  { memberships, hasSecondFactor }: Person,
  needed: Role,
  path: PathIds,
  places: Places,
): Failure | Granted {
  const { orgId } = path
  const site = siteInPath(path, places)
  const role = orgId === undefined || site === null ? undefined : roleIn(memberships, orgId, site)
  if (orgId === undefined || role === undefined) {
    // One answer for all cases, so that a stranger cannot learn which organizations, sites or devices exist.
    return new Failure(
      'forbidden',
      'you have no access to this organization, or to this site or the site of this device',
    )
  }
  const isRequired = memberships.some((each) => each.organizationId === orgId && each.requiresSecondFactor)
  if (isRequired && !hasSecondFactor) {
    return new Failure(
      'secondFactor',
      'this organization requires a second factor: set one up on your account page, or sign in again with the one you have',
    )
  }
  if (!isAtLeast(role, needed)) {
    return new Failure(
      'forbidden',
      `this needs the role ${needed}, and yours is ${role}: ask an administrator of your organization`,
    )
  }
  return {
    role,
    siteIds: sitesWith(memberships, orgId, needed),
    managedSiteIds: sitesWith(memberships, orgId, 'manager'),
  }
}

/** The site a path names; `undefined` for a path about a whole organization, `null` for an id it does not have. */
function siteInPath({ orgId, siteId, propertyId, deviceId }: PathIds, places: Places): string | null | undefined {
  const named = siteId ?? propertyId
  if (named !== undefined) return places.findSite(named)?.organizationId === orgId ? named : null
  if (deviceId === undefined) return undefined
  const device = places.findDevice(deviceId)
  return device?.organizationId === orgId ? device?.siteId : null
}

/** The highest role of a person on a site, or anywhere in the organization without `siteId`. */
function roleIn(
  memberships: readonly Membership[],
  organizationId: string,
  siteId: string | undefined,
): Role | undefined {
  let highest: Role | undefined
  for (const membership of memberships) {
    if (membership.organizationId !== organizationId) continue
    if (siteId !== undefined && membership.siteId !== null && membership.siteId !== siteId) continue
    if (!isAtLeast(highest, membership.role)) highest = membership.role
  }
  return highest
}

/** The sites on which a person has at least this role; `undefined` for all sites, including future ones. */
function sitesWith(
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
