/** What a person may do, the least first: each may also do what those before may. */
export const ROLES = ['viewer', 'manager', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** `admin` is of a whole organization, the others of single sites. */
export const SITE_ROLES = ['viewer', 'manager'] as const satisfies readonly Role[]
export type SiteRole = (typeof SITE_ROLES)[number]

export function isAtLeast(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** Whoever is signed in, and what is theirs to see. */
export interface SignedIn {
  user: { id: string; email: string }
  organizations: SignedInOrganization[]
}

export interface SignedInOrganization {
  id: string
  name: string
  /** Whether all sites are theirs, keys and members included. */
  isAdmin: boolean
  sites: SignedInSite[]
}

export interface SignedInSite {
  id: string
  name: string
  /** IANA name. */
  timeZone: string
  maintenanceRequests: boolean
  role: Role
}

/** A person of an organization, as its administrators see them. */
export interface Member {
  userId: string
  email: string
  /** Of the whole organization; `null`: see `sites`. */
  role: 'admin' | null
  sites: { siteId: string; role: SiteRole }[]
  /** Null as long as they have not set a password. */
  lastSeenAt: string | null
  hasPassword: boolean
}

/** What someone is to be in an organization. */
export type MemberRoles = { role: 'admin' } | { sites: { siteId: string; role: SiteRole }[] }
