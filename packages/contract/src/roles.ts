import { timeOrNull, timeZone } from './fields.ts'
import { LANGUAGES, LOCALES } from './languages.ts'
import { ROLES, SITE_ROLES, type SiteRole } from './role-order.ts'
import { array, boolean, nullable, object, oneOf, optional, type Static, text } from './schema.ts'
import { MAX_ORGANIZATION_TAGS, siteTag } from './site-tags.ts'

// Apart from the schemas, which the first page of the console need not load.
export { isAtLeast, ROLES, type Role, SITE_ROLES, type SiteRole } from './role-order.ts'

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
  secondFactorMissing: optional(
    boolean({
      description:
        'True when the organization requires a second factor and this session was opened without one: it has no access until then',
    }),
  ),
})
export interface SignedInOrganization extends Static<typeof SignedInOrganization> {}

/** The signed-in person, and what they may see. */
export const SignedIn = object({
  user: object({
    id: text(),
    email: text(),
    language: optional(
      oneOf(LANGUAGES, { description: 'The language that the person chose; missing without a choice' }),
    ),
    locale: optional(
      oneOf(LOCALES, { description: 'How they chose to see times and numbers; missing without a choice' }),
    ),
  }),
  organizations: array(SignedInOrganization),
})
export interface SignedIn extends Static<typeof SignedIn> {}

const siteRoles = array(object({ siteId: text({ maxLength: 255 }), role: oneOf(SITE_ROLES) }), {
  minItems: 1,
  maxItems: 10_000,
})
const tagRoles = array(object({ tag: siteTag, role: oneOf(SITE_ROLES) }), {
  minItems: 1,
  maxItems: MAX_ORGANIZATION_TAGS,
  description: 'On all sites with a tag, also those that get it later, and no longer on those that lose it',
})
const onAllSites = oneOf(SITE_ROLES, { description: 'On all sites, also those that are added later' })

/** A person of an organization, as its administrators see them. */
export const Member = object({
  userId: text(),
  email: text(),
  role: nullable(oneOf(['admin']), { description: 'In the whole organization; null: see the others' }),
  allSites: nullable(onAllSites),
  tags: array(object({ tag: text(), role: oneOf(SITE_ROLES) })),
  sites: array(object({ siteId: text(), role: oneOf(SITE_ROLES) })),
  lastSeenAt: timeOrNull('Null until they have accepted'),
  invited: boolean({ description: 'True until the person accepts; until then they have no access' }),
})
export interface Member extends Static<typeof Member> {}

/** A member who was invited or given a new link. */
export const InvitedMember = object({
  ...Member.properties,
  link: nullable(text(), {
    description: 'Send it to the person yourself: it works once, within 7 days. Null when the service mailed it',
  }),
  mailed: boolean({ description: 'The service sent the link to the address of the person' }),
})
export interface InvitedMember extends Static<typeof InvitedMember> {}

/** What a link does for the person who opens it. */
const LINK_PURPOSES = ['join-new', 'join', 'password'] as const

/** A link that an organization or the service made for a person. */
export const AccountLink = object({
  email: text(),
  purpose: oneOf(LINK_PURPOSES, {
    description:
      'join-new: choose a password and join; join: sign in with this address, then accept; password: choose a new password',
  }),
  organization: nullable(text(), { description: 'The name of the organization to join; null for a new password' }),
})
export interface AccountLink extends Static<typeof AccountLink> {}

/** An organization that waits for the answer of the signed-in person. */
export const PendingInvitation = object({
  orgId: text(),
  organization: text(),
  isAdmin: boolean({ description: 'The person would administer the whole organization' }),
  needsLink: boolean({ description: 'The person can accept only with the link that this organization sent' }),
})
export interface PendingInvitation extends Static<typeof PendingInvitation> {}

/** Roles on sites. Where several apply to a site, the highest counts. */
export interface RolesOnSites {
  allSites?: SiteRole | undefined
  tags?: readonly { tag: string; role: SiteRole }[] | undefined
  sites?: readonly { siteId: string; role: SiteRole }[] | undefined
}

/** The roles a person is given: administrator of the organization, or roles on sites. */
export type MemberRoles = { role: 'admin' } | RolesOnSites

/** Roles as a caller sends them: `role`, or at least one of the others. Where several apply to a site, the highest counts. */
export const givenRoles = {
  role: optional(oneOf(['admin'], { description: 'In the whole organization; otherwise send the others' })),
  allSites: optional(onAllSites),
  tags: optional(tagRoles),
  sites: optional(siteRoles),
}
