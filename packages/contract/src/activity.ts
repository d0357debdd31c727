import { givenTime, storable, time } from './fields.ts'
import { anyObject, integer, nullable, object, oneOf, optional, type Static, text } from './schema.ts'

/** What the activity log records. The console has a sentence for each. */
export const ACTIVITY_ACTIONS = [
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'session-ended',
  'password-changed',
  'preferences-changed',
  'password-reset-requested',
  'factor-added',
  'factor-removed',
  'recovery-codes-renewed',
  'factors-reset',
  'provider-linked',
  'provider-unlinked',
  'member-invited',
  'member-added',
  'member-joined',
  'invitation-declined',
  'member-link-made',
  'role-changed',
  'member-removed',
  'key-created',
  'key-rotated',
  'key-revoked',
  'organization-added',
  'organization-changed',
  'organization-removed',
  'checklist-changed',
  'site-added',
  'site-changed',
  'site-removed',
  'site-tags-changed',
  'device-added',
  'device-renamed',
  'device-secret-renewed',
  'device-removed',
  'device-replaced',
  'device-restored',
  'device-memory-restored',
  'audit-key-recorded',
  'audit-key-changed',
  'release-kept',
  'commissioned',
  'commissioning-rolled-back',
  'hold-closed',
  'equipment-read',
  'equipment-scanned',
  'output-tested',
  'output-test-answered',
  'dispatch-started',
  'dispatch-cancelled',
  'limit-placed',
  'limit-released',
  'openadr-program-added',
  'openadr-program-changed',
  'openadr-program-removed',
  'openadr-program-checked',
  'openadr-cleanup-failed',
  'openadr-opted-out',
  'openadr-opted-in',
  'import-started',
  'import-ended',
  'upload-started',
  'upload-completed',
  'upload-cancelled',
  'export-started',
  'export-ended',
  'fill-started',
  'fill-ended',
  'conversion-started',
  'conversion-ended',
  'mapping-saved',
  'mapping-removed',
  'request-created',
  'request-changed',
  'comment-added',
  'request-view-added',
  'request-view-removed',
  'request-code-added',
  'request-code-removed',
  'contact-added',
  'contact-changed',
  'contact-removed',
  'unit-added',
  'unit-removed',
  'webhook-added',
  'webhook-changed',
  'webhook-removed',
  'webhook-secret-rotated',
  'webhook-tested',
  'webhook-disabled',
  'delivery-resent',
  'alert-rules-changed',
  'mail-tested',
  'alert-changed',
  'automatic-export-changed',
  'automatic-export-removed',
  'automatic-export-tested',
  'automatic-export-started',
  'automatic-export-delivered',
  'automatic-export-failed',
  'refused',
] as const
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number]

/**
 * `unknown`: nobody proved who they are, for example when a sign-in failed. `schedule`: the automatic export of a site.
 * `system`: the service itself, in everything else.
 */
export const ACTOR_KINDS = ['person', 'key', 'operator', 'device', 'schedule', 'system', 'unknown'] as const

/** Who did something, with the name at that time: a person's address or the name of a key. */
export const Actor = object({
  kind: oneOf(ACTOR_KINDS),
  id: nullable(text()),
  name: nullable(text({ description: 'At that time' })),
})
export interface Actor extends Static<typeof Actor> {}

/** What something was done to. A `request` has its number as the id; a `contact` is a person of a site. */
export const SUBJECT_KINDS = [
  'organization',
  'site',
  'device',
  'datapoint',
  'key',
  'person',
  'session',
  'dispatch',
  'limit',
  'openadr-program',
  'alert',
  'job',
  'upload',
  'mapping',
  'request',
  'request-view',
  'request-code',
  'contact',
  'unit',
  'webhook',
  'route',
] as const

export const ActivitySubject = object({ kind: oneOf(SUBJECT_KINDS), id: nullable(text()), name: nullable(text()) })
export interface ActivitySubject extends Static<typeof ActivitySubject> {}

export const ACTIVITY_OUTCOMES = ['done', 'failed', 'refused'] as const
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number]

/** One entry of the activity log: who did what in the cloud. */
export const ActivityEntry = object({
  id: text(),
  seq: integer({ description: 'Grows by one with every entry of an organization' }),
  at: time('When it happened, by the clock of the service'),
  organizationId: nullable(text(), { description: 'Null for what belongs to no organization' }),
  siteId: nullable(text()),
  actor: Actor,
  address: nullable(text(), { description: 'Where the caller was; null for the service itself' }),
  action: oneOf(ACTIVITY_ACTIONS),
  subject: nullable(ActivitySubject),
  details: anyObject({ description: 'What else is known, by name. Never secrets and never texts of requests' }),
  outcome: oneOf(ACTIVITY_OUTCOMES),
})
export interface ActivityEntry extends Static<typeof ActivityEntry> {}

/** An entry as the service writes and signs it, in the form of a controller's `ChainedEntry`. */
export interface ChainedActivity extends ActivityEntry {
  /** The SHA-256 of the text of the entry before, in hexadecimal digits; null on the first entry. */
  previous: string | null
}

/** Which entries of the activity log to list. */
export const ActivityFilters = object({
  actor: optional(storable('Only entries of the person or key with this id')),
  // Not an enumeration: a refusal would list all of them.
  action: optional(storable('Only entries of this kind, for example key-created; the entry lists the kinds')),
  subject: optional(storable('Only entries about what has this id, for example a key, a person or a job')),
  siteId: optional(storable('Only entries about this site')),
  from: optional(givenTime('Only entries at this time or later')),
  to: optional(givenTime('Only entries before this time')),
})
