import { Failure } from '@plantroom/contract/failure'
import { isAtLeast, type Role } from '@plantroom/contract/roles'
import { roleIn, sitesWith } from './person-reach.ts'
import type { SignedInPerson } from './sessions.ts'

/** What the path of a route names. */
export interface Reach {
  orgId?: string
  siteId?: string
  /** What the contract of packages calls a site. */
  propertyId?: string
  deviceId?: string
}

/** Where things stand that a path may name; `undefined` when there are none of that id. */
export interface Places {
  findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
  findSite(siteId: string): { organizationId: string } | undefined
}

/** What a person is there, and which sites that is about; or why they may not. */
export function judgePerson(
  { memberships }: Pick<SignedInPerson, 'memberships'>,
  needed: Role,
  reach: Reach,
  places: Places,
): Failure | { role: Role; siteIds: ReadonlySet<string> | undefined } {
  const { orgId } = reach
  const site = siteNamed(reach, places)
  const role = orgId === undefined || site === null ? undefined : roleIn(memberships, orgId, site)
  if (orgId === undefined || role === undefined) {
    // One answer for all: whether an organization, a site or a device exists is not for a stranger to learn.
    return new Failure(
      'forbidden',
      'you have no access to this organization, or to this site or the site of this device',
    )
  }
  if (!isAtLeast(role, needed)) {
    return new Failure(
      'forbidden',
      `this needs the role ${needed}, and yours is ${role}: ask an administrator of your organization`,
    )
  }
  return { role, siteIds: sitesWith(memberships, orgId, needed) }
}

/** The site that a path is about; `undefined`: it is about a whole organization, `null`: there is no such thing in it. */
function siteNamed({ orgId, siteId, propertyId, deviceId }: Reach, places: Places): string | null | undefined {
  const named = siteId ?? propertyId
  if (named !== undefined) return places.findSite(named)?.organizationId === orgId ? named : null
  if (deviceId === undefined) return undefined
  const device = places.findDevice(deviceId)
  return device?.organizationId === orgId ? device?.siteId : null
}
