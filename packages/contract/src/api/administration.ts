import { email, givenTime, name, named, nextCursor, paging, storable, time, timeOrNull, timeZone } from '../fields.ts'
import { PERMISSIONS } from '../permissions.ts'
import { Replacement } from '../replacement.ts'
import { givenRoles, InvitedMember, Member } from '../roles.ts'
import { route } from '../route.ts'
import {
  array,
  boolean,
  defaulted,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  type Static,
  text,
} from '../schema.ts'
import { FITS } from '../software.ts'
import { newPassword } from './sign-in.ts'

const tag = 'Administration'
const operator = { by: 'operator' } as const
const administrator = { by: 'operator', role: 'admin' } as const
/** Changes that give or take access: the person must have proved recently who they are. */
const freshAdministrator = { ...administrator, fresh: true } as const
const viewer = { by: 'operator', role: 'viewer' } as const

const ORG = '/api/orgs/:orgId'

/** When the last device was added, in microseconds, and its id. */
const DEVICE_CURSOR = '^\\d{1,18}\\.[A-Za-z0-9_-]{1,255}$'

const organizationSettings = {
  requireSecondFactor: boolean({ description: 'Members need a session that was opened with a second factor' }),
  measurementDays: nullable(integer({ minimum: 1, maximum: 36_500 }), {
    description: 'How many days measurements are kept; null keeps them without limit',
  }),
}

/** An organization, as its administrators see it. */
export const Organization = object({
  ...named.properties,
  ...organizationSettings,
})
export interface Organization extends Static<typeof Organization> {}

const site = {
  name,
  timeZone,
  maintenanceRequests: boolean({ description: 'Whether Maintenance Requests are turned on; off for a new site' }),
}
export const Site = object({ id: text(), ...site, createdAt: time() })
export interface Site extends Static<typeof Site> {}
export const SiteChanges = partial(site)
export interface SiteChanges extends Static<typeof SiteChanges> {}

export const Device = object({
  id: text(),
  name: text(),
  siteId: text(),
  online: boolean(),
  createdAt: time(),
  software: nullable(
    object({
      version: text({ description: 'The release; empty when it is from before controllers said it' }),
      protocol: integer({ description: 'The version of what it says to the service' }),
      fits: oneOf(FITS, {
        description: 'Whether it works with this service. Otherwise it gets no commands, except cancels',
      }),
    }),
    { description: 'What the controller last said about its software; null when this process has not heard of it' },
  ),
})
export interface Device extends Static<typeof Device> {}

const secret = text({ description: 'The broker password; shown once' })
const brokerUrl = text({ description: 'The address of the broker that the device connects to' })

const keyScope = {
  name,
  permissions: array(oneOf(PERMISSIONS), { minItems: 1, uniqueItems: true }),
}
const siteIds = nullable(array(text(), { uniqueItems: true, maxItems: 10_000 }), {
  description: 'Sites that the key is limited to; null for all sites of the organization',
})
const expiresAt = timeOrNull('When the key stops working; null for never')
const givenExpiry = nullable(givenTime('When the key stops working, in the future; null for never'))
export const ApiKey = object({
  id: text(),
  ...keyScope,
  siteIds,
  state: oneOf(['active', 'expired', 'revoked']),
  createdAt: time(),
  expiresAt,
  lastUsedAt: timeOrNull(),
  lastUsedFrom: nullable(text(), { description: 'The address of the program that used it last' }),
  rotatedAt: timeOrNull('When it got its present secret; null when that is the first'),
  previousSecretUntil: timeOrNull('Until when the secret before the rotation works; null when it does not'),
  revokedAt: timeOrNull(),
  overrides: integer({ description: 'Overrides it placed that have not ended, as far as the service knows' }),
  pendingDevices: integer({
    description: 'Controllers that still have to cancel what it placed, because it was revoked',
  }),
})
export interface ApiKey extends Static<typeof ApiKey> {}

/** 30 days: the longest time for which the secret before a rotation works. */
export const MAX_OVERLAP_SECONDS = 30 * 86_400

/** What revoking a key did to its overrides. */
export const ReleasedOverrides = object({
  cancelled: array(object({ deviceId: text(), id: text(), datapointId: text() }), {
    description: 'Overrides that controllers have cancelled; at most 1000 per controller',
  }),
  pending: array(object({ deviceId: text(), name: text() }), {
    description: 'Controllers that are offline or did not answer; they cancel as soon as they are back',
  }),
})
export interface ReleasedOverrides extends Static<typeof ReleasedOverrides> {}

/** Organizations, sites, devices, keys and people. */
export const administrationRoutes = {
  listOrganizations: route({
    method: 'GET',
    path: '/api/orgs',
    access: operator,
    tag,
    summary: 'List organizations',
    reply: object({ organizations: array(object({ ...named.properties, createdAt: time() })) }),
  }),
  addOrganization: route({
    method: 'POST',
    path: '/api/orgs',
    access: operator,
    tag,
    summary: 'Add an organization',
    body: object({ name }),
    status: 201,
    reply: named,
  }),
  getOrganization: route({
    method: 'GET',
    path: ORG,
    access: administrator,
    tag,
    summary: 'The settings of an organization',
    reply: Organization,
  }),
  updateOrganization: route({
    method: 'PATCH',
    path: ORG,
    access: freshAdministrator,
    tag,
    summary: 'Change whether every member needs a second factor, and how long measurements are kept',
    description:
      '`requireSecondFactor` takes effect immediately, also for open sessions. API keys and the operator are not affected. A person can turn it on only in a session that was opened with a second factor. A worker deletes measurements older than `measurementDays` within an hour; nobody can restore them.',
    body: partial(organizationSettings),
    reply: Organization,
  }),

  listSites: route({
    method: 'GET',
    path: `${ORG}/sites`,
    access: viewer,
    tag,
    summary: 'List the sites of an organization; a person sees those where they have a role',
    reply: object({ sites: array(Site) }),
  }),
  addSite: route({
    method: 'POST',
    path: `${ORG}/sites`,
    access: administrator,
    tag,
    summary: 'Add a site; its time zone is UTC unless given',
    body: object({ ...SiteChanges.properties, name }),
    status: 201,
    reply: Site,
  }),
  updateSite: route({
    method: 'PATCH',
    path: `${ORG}/sites/:siteId`,
    access: administrator,
    tag,
    summary: 'Change the name or time zone of a site, or turn Maintenance Requests on or off',
    description: 'Devices use a new time zone after you commission them again.',
    body: SiteChanges,
    reply: object({
      ...Site.properties,
      note: optional(text({ description: 'What is left to do for the change to take effect' })),
    }),
  }),

  listDevices: route({
    method: 'GET',
    path: `${ORG}/devices`,
    access: viewer,
    tag,
    summary: 'List the devices of an organization, the oldest first, by pages; a person sees those of their sites',
    query: object({
      siteId: optional(storable('Only the devices of this site')),
      ...paging({ most: 1000, default: 1000 }, text({ pattern: DEVICE_CURSOR })),
    }),
    reply: object({ devices: array(Device), nextCursor }),
  }),
  addDevice: route({
    method: 'POST',
    path: `${ORG}/devices`,
    access: administrator,
    tag,
    summary: 'Add a device; its broker secret is in this reply and never shown again',
    body: object({ name, siteId: text() }),
    status: 201,
    reply: object({ id: text(), name: text(), siteId: text(), secret, brokerUrl }),
  }),
  renewDeviceCredential: route({
    method: 'POST',
    path: `${ORG}/devices/:deviceId/credential`,
    access: administrator,
    tag,
    summary: 'Give a device a new broker secret; the old one stops working immediately',
    status: 201,
    reply: object({ id: text(), secret, brokerUrl }),
  }),
  getReplacement: route({
    method: 'GET',
    path: `${ORG}/devices/:deviceId/replacement`,
    access: administrator,
    tag,
    summary: 'What a new controller would get in place of this one, and how far the last replacement is',
    reply: Replacement,
  }),
  replaceDevice: route({
    method: 'POST',
    path: `${ORG}/devices/:deviceId/replacement`,
    access: freshAdministrator,
    tag,
    summary: 'Replace the hardware of a controller; it keeps its id and gets a new broker secret',
    description:
      'The old secret stops working immediately. When the new controller connects for the first time, with an empty data folder, it gets what was commissioned and what was held. Answers 409 while the controller is online, unless `evenIfOnline` is true: two controllers must not control the same equipment.',
    body: object({
      evenIfOnline: defaulted(boolean({ description: 'The old controller is about to be switched off' }), false),
    }),
    status: 201,
    reply: object({ id: text(), secret, brokerUrl, replacement: Replacement }),
  }),
  removeDevice: route({
    method: 'DELETE',
    path: `${ORG}/devices/:deviceId`,
    access: administrator,
    tag,
    summary: 'Remove a device and disconnect it',
    status: 204,
  }),

  listKeys: route({
    method: 'GET',
    path: `${ORG}/api-keys`,
    access: administrator,
    tag,
    summary: 'List the API keys of an organization, with when they were last used',
    reply: object({ keys: array(ApiKey) }),
  }),
  createKey: route({
    method: 'POST',
    path: `${ORG}/api-keys`,
    access: freshAdministrator,
    tag,
    summary: 'Create an API key; its secret is in this reply and never shown again',
    body: object({ ...keyScope, siteIds: optional(siteIds), expiresAt: optional(givenExpiry) }),
    status: 201,
    reply: object({ id: text(), ...keyScope, siteIds, expiresAt, apiKey: text() }),
  }),
  rotateKey: route({
    method: 'POST',
    path: `${ORG}/api-keys/:keyId/rotate`,
    access: freshAdministrator,
    tag,
    summary: 'Give an API key a new secret, shown once; the old one works for the overlap',
    description:
      'The id stays, so the key keeps its overrides. Only one earlier secret works at a time: a second rotation ends it.',
    body: object({
      overlapSeconds: integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS, description: 'At most 30 days' }),
      expiresAt: optional(givenExpiry),
    }),
    reply: object({
      id: text(),
      ...keyScope,
      siteIds,
      expiresAt,
      apiKey: text(),
      previousSecretUntil: timeOrNull('Until when the old secret works; null when it stopped immediately'),
    }),
  }),
  revokeKey: route({
    method: 'DELETE',
    path: `${ORG}/api-keys/:keyId`,
    access: freshAdministrator,
    tag,
    summary: 'Revoke an API key, immediately and permanently; optionally cancel every override that it placed',
    description:
      'With `cancelOverrides=true` the reply says what was cancelled and which controllers are pending; otherwise it is 204.',
    query: object({ cancelOverrides: defaulted(oneOf(['true', 'false']), 'false') }),
    reply: ReleasedOverrides,
    mayBeEmpty: true,
  }),

  listMembers: route({
    method: 'GET',
    path: `${ORG}/members`,
    access: administrator,
    tag,
    summary: 'List the members and the invited people of an organization by address, with their roles',
    reply: object({ members: array(Member) }),
  }),
  addMember: route({
    method: 'POST',
    path: `${ORG}/members`,
    access: freshAdministrator,
    tag,
    summary: 'Invite a member; they have no access until they accept with the link',
    description:
      'The reply has the link, unless the service mails it. A person who already has an account signs in to accept; their account and their other organizations do not change.',
    body: object({ email, ...givenRoles }),
    status: 201,
    reply: InvitedMember,
  }),
  changeMember: route({
    method: 'PATCH',
    path: `${ORG}/members/:userId`,
    access: freshAdministrator,
    tag,
    summary: 'Change the roles of a member, effective immediately',
    body: object(givenRoles),
    reply: Member,
  }),
  removeMember: route({
    method: 'DELETE',
    path: `${ORG}/members/:userId`,
    access: freshAdministrator,
    tag,
    summary: 'Remove a member, effective immediately',
    status: 204,
  }),
  renewMemberLink: route({
    method: 'POST',
    path: `${ORG}/members/:userId/link`,
    access: freshAdministrator,
    tag,
    summary: 'Make a new link for an invited person or for a member who lost their password; the previous one ends',
    description:
      'Only the operator can make a password link for a person who also belongs to another organization. Such people reset their password by mail.',
    reply: InvitedMember,
  }),
  resetMemberFactors: route({
    method: 'DELETE',
    path: `${ORG}/members/:userId/factors`,
    access: freshAdministrator,
    tag,
    summary: 'Remove every second factor of a member who lost them, and end their sessions',
    description:
      'Only the operator can do this for a person who also belongs to another organization. The person gets a mail where the service sends mail.',
    status: 204,
  }),
  addUser: route({
    method: 'POST',
    path: `${ORG}/users`,
    access: operator,
    tag,
    summary: 'Add an administrator of an organization, with a password',
    body: object({ email, password: newPassword }),
    status: 201,
    reply: object({ id: text(), email: text() }),
  }),
} as const
