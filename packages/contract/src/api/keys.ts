import { givenTime, name, time, timeOrNull } from '../fields.ts'
import { PERMISSIONS } from '../permissions.ts'
import { route } from '../route.ts'
import { array, defaulted, integer, nullable, object, oneOf, optional, type Static, text } from '../schema.ts'
import { administrator, freshAdministrator, ORG } from './organization.ts'

const tag = 'Administration'

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

/** API keys of an organization. */
export const keyRoutes = {
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
} as const
