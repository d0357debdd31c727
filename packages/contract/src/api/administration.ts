import { email, name, named, time, timeOrNull, timeZone } from '../fields.ts'
import { PERMISSIONS } from '../permissions.ts'
import { givenRoles, InvitedMember, Member } from '../roles.ts'
import { route } from '../route.ts'
import { array, boolean, nullable, object, oneOf, optional, partial, type Static, text } from '../schema.ts'
import { newPassword } from './sign-in.ts'

const tag = 'Administration'
const operator = { by: 'operator' } as const
const administrator = { by: 'operator', role: 'admin' } as const
const viewer = { by: 'operator', role: 'viewer' } as const

const ORG = '/api/orgs/:orgId'

const site = {
  name,
  timeZone,
  maintenanceRequests: boolean({ description: 'Whether Maintenance Requests are turned on; off for a new site' }),
}
export const Site = object({ id: text(), ...site, createdAt: time() })
export interface Site extends Static<typeof Site> {}
export const SiteChanges = partial(site)
export interface SiteChanges extends Static<typeof SiteChanges> {}

export const Device = object({ id: text(), name: text(), siteId: text(), online: boolean(), createdAt: time() })
export interface Device extends Static<typeof Device> {}

const secret = text({ description: 'The broker password; shown once' })

const keyScope = {
  name,
  permissions: array(oneOf(PERMISSIONS), { minItems: 1, uniqueItems: true }),
}
const siteIds = nullable(array(text(), { uniqueItems: true, maxItems: 10_000 }), {
  description: 'Sites that the key is limited to; null for all sites of the organization',
})
export const ApiKey = object({
  id: text(),
  ...keyScope,
  siteIds,
  createdAt: time(),
  lastUsedAt: timeOrNull(),
  revokedAt: timeOrNull(),
})
export interface ApiKey extends Static<typeof ApiKey> {}

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
    summary: 'List the devices of an organization; a person sees those of their sites',
    reply: object({ devices: array(Device) }),
  }),
  addDevice: route({
    method: 'POST',
    path: `${ORG}/devices`,
    access: administrator,
    tag,
    summary: 'Add a device; its broker secret is in this reply and never shown again',
    body: object({ name, siteId: text() }),
    status: 201,
    reply: object({ id: text(), name: text(), siteId: text(), secret }),
  }),
  renewDeviceCredential: route({
    method: 'POST',
    path: `${ORG}/devices/:deviceId/credential`,
    access: administrator,
    tag,
    summary: 'Give a device a new broker secret; the old one stops working immediately',
    status: 201,
    reply: object({ id: text(), secret }),
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
    access: administrator,
    tag,
    summary: 'Create an API key; its secret is in this reply and never shown again',
    body: object({ ...keyScope, siteIds: optional(siteIds) }),
    status: 201,
    reply: object({ id: text(), ...keyScope, siteIds, apiKey: text() }),
  }),
  revokeKey: route({
    method: 'DELETE',
    path: `${ORG}/api-keys/:keyId`,
    access: administrator,
    tag,
    summary: 'Revoke an API key, immediately and permanently',
    status: 204,
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
    access: administrator,
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
    access: administrator,
    tag,
    summary: 'Change the roles of a member, effective immediately',
    body: object(givenRoles),
    reply: Member,
  }),
  removeMember: route({
    method: 'DELETE',
    path: `${ORG}/members/:userId`,
    access: administrator,
    tag,
    summary: 'Remove a member, effective immediately',
    status: 204,
  }),
  renewMemberLink: route({
    method: 'POST',
    path: `${ORG}/members/:userId/link`,
    access: administrator,
    tag,
    summary: 'Make a new link for an invited person or for a member who lost their password; the previous one ends',
    description:
      'Only the operator can make a password link for a person who also belongs to another organization. Such people reset their password by mail.',
    reply: InvitedMember,
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
