import { email, name, named, nextCursor, paging, storable, time, timeZone } from '../fields.ts'
import { STORABLE } from '../patterns.ts'
import { Replacement } from '../replacement.ts'
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
import { givenTags } from '../site-tags.ts'
import { FITS } from '../software.ts'
import { administrator, freshAdministrator, ORG, operator, viewer } from './organization.ts'

const tag = 'Administration'

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
const tags = array(text(), { description: 'The groups that the site is in, by name' })
export const Site = object({ id: text(), ...site, tags, createdAt: time() })
export interface Site extends Static<typeof Site> {}
const SiteChanges = partial(site)

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

/** Removing is refused while something would be lost, until the caller confirms it. */
const confirmation = object({
  confirm: defaulted(oneOf(['true', 'false']), 'false'),
})

const secret = text({ description: 'The broker password; shown once' })
const brokerUrl = text({ description: 'The address of the broker that the device connects to' })

/** Organizations, sites and devices. */
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
    summary: 'Change the name, whether every member needs a second factor, and how long measurements are kept',
    description:
      '`requireSecondFactor` takes effect immediately, also for open sessions. API keys and the operator are not affected. A person can turn it on only in a session that was opened with a second factor. A worker deletes measurements older than `measurementDays` within an hour; nobody can restore them.',
    body: partial({ name, ...organizationSettings }),
    reply: Organization,
  }),
  removeOrganization: route({
    method: 'DELETE',
    path: ORG,
    access: operator,
    tag,
    summary: 'Remove an organization that has no sites and no OpenADR programs',
    description:
      'Its API keys stop working, and its members lose their roles; an account without another organization is deleted. Answers 409 while the organization has sites or OpenADR programs: remove those first. Answers 409 with the code `CONFIRMATION_REQUIRED` and what would be lost, unless `confirm` is `true`. The activity log is kept.',
    query: confirmation,
    status: 204,
  }),

  sendTestMail: route({
    method: 'POST',
    path: `${ORG}/test-mail`,
    access: administrator,
    tag,
    summary: 'Send a test mail: a person to their own address, the operator to the one in `to`',
    description:
      'The mail takes the queue that all mail takes. The outbox of `siteId` lists it with its delivery state. Answers 409 where the service sends no mail, and 429 after 5 test mails in an hour.',
    body: object({
      siteId: optional(storable('The site whose outbox lists the mail; without it, no outbox does')),
      to: optional(email),
    }),
    status: 202,
    reply: object({ recipient: text(), mailId: text(), siteId: nullable(text()) }),
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

  changeSiteTags: route({
    method: 'PATCH',
    path: `${ORG}/site-tags`,
    access: freshAdministrator,
    tag,
    summary: 'Give tags to sites, or take them away',
    description:
      'All sites are changed, or none. A role by tag follows immediately: members who have one for a tag get access to the sites that get the tag, and lose it for those that lose the tag. A site has at most 20 tags, an organization at most 200 different ones.',
    body: object({
      siteIds: array(text({ maxLength: 255, pattern: STORABLE }), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
      add: optional(givenTags),
      remove: optional(givenTags),
    }),
    reply: object({ sites: array(object({ id: text(), name: text(), tags })) }),
  }),

  removeSite: route({
    method: 'DELETE',
    path: `${ORG}/sites/:siteId`,
    access: freshAdministrator,
    tag,
    summary: 'Remove a site that has no devices, with its maintenance requests',
    description:
      'Answers 409 while the site has devices or an unfinished job. Answers 409 with the code `CONFIRMATION_REQUIRED` and what would be lost, unless `confirm` is `true`. A worker deletes the files a day later. The audit and the activity log are kept. A removal that was interrupted continues when it is repeated.',
    query: confirmation,
    status: 204,
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
  updateDevice: route({
    method: 'PATCH',
    path: `${ORG}/devices/:deviceId`,
    access: administrator,
    tag,
    summary: 'Rename a device',
    body: object({ name }),
    reply: object({ id: text(), name: text(), siteId: text() }),
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
    description:
      'Answers 409 with the code `CONFIRMATION_REQUIRED` while the controller holds something, unless `confirm` is `true`: after the removal, nobody can release it before it ends. Of a controller that does not answer, its last known state counts.',
    query: confirmation,
    status: 204,
  }),
} as const
