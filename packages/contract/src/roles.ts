import { timeOrNull, timeZone } from './fields.ts'
import { array, boolean, nullable, object, oneOf, optional, type Static, text } from './schema.ts'

/** What a person may do, the lowest role first: each includes those before it. */
export const ROLES = ['viewer', 'manager', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** `admin` applies to a whole organization, the others to single sites. */
export const SITE_ROLES = ['viewer', 'manager'] as const satisfies readonly Role[]
export type SiteRole = (typeof SITE_ROLES)[number]

export function isAtLeast(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

export const SignedInSite = object({
  id: text(),
  name: text(),
  timeZone,
  maintenanceRequests: boolean(),
  role: oneOf(ROLES),
})
export interface SignedInSite extends Static<typeof SignedInSite> {}

export const SignedInOrganization = object({
  id: text(),
  name: text(),
  isAdmin: boolean({ description: 'An administrator has every site, and manages keys and members' }),
  sites: array(SignedInSite),
})
export interface SignedInOrganization extends Static<typeof SignedInOrganization> {}

/** The signed-in person, and what they may see. */
export const SignedIn = object({
  user: object({ id: text(), email: text() }),
  organizations: array(SignedInOrganization),
})
export interface SignedIn extends Static<typeof SignedIn> {}

const siteRoles = array(object({ siteId: text({ maxLength: 255 }), role: oneOf(SITE_ROLES) }), {
  minItems: 1,
  maxItems: 10_000,
})

/** A person of an organization, as its administrators see them. */
export const Member = object({
  userId: text(),
  email: text(),
  role: nullable(oneOf(['admin']), { description: 'In the whole organization; null: see sites' }),
  sites: array(object({ siteId: text(), role: oneOf(SITE_ROLES) })),
  lastSeenAt: timeOrNull('Null until they have set a password'),
  hasPassword: boolean({ description: 'False until an invited person has set one' }),
})
export interface Member extends Static<typeof Member> {}

/** A member who was added or given a new link. */
export const InvitedMember = object({
  ...Member.properties,
  link: nullable(text(), {
    description: 'With it they set their password, once, within 7 days; null when they have a password already',
  }),
})
export interface InvitedMember extends Static<typeof InvitedMember> {}

/** The roles a person is given: administrator of the organization, or roles on sites. */
export type MemberRoles = { role: 'admin' } | { sites: readonly { siteId: string; role: SiteRole }[] }

/** Roles as a caller sends them: one of the two. */
export const givenRoles = {
  role: optional(oneOf(['admin'], { description: 'In the whole organization; otherwise send sites' })),
  sites: optional(siteRoles),
}
