import { time } from './fields.ts'
import { array, integer, nullable, object, oneOf, optional, type Static, text } from './schema.ts'

/** The form of an export. Earlier exports (1) have no head. */
export const AUDIT_FORM = 2

/**
 * Why the service recorded a key. `first`: it had recorded none. `replaced`, `memory-lost`: the controller was replaced, or
 * lost its memory, since the key before. `unexplained`: neither.
 */
export const KEY_REASONS = ['first', 'replaced', 'memory-lost', 'unexplained'] as const
export type KeyReason = (typeof KEY_REASONS)[number]

/** A key that signs entries, as the service recorded it. */
export const RecordedKey = object({
  fingerprint: text({ description: 'The SHA-256 of the public key (SPKI), in hexadecimal digits' }),
  at: time('When the service recorded it'),
  reason: oneOf(KEY_REASONS),
})
export interface RecordedKey extends Static<typeof RecordedKey> {}

/** What the service says about an export. It is the last line, and the service signs the SHA-256 of its text. */
export const AuditHead = object({
  plantroomAuditHead: oneOf([1]),
  deviceId: optional(text()),
  organizationId: optional(nullable(text())),
  /** The keys that may sign the entries, in the order of their use. */
  keys: array(RecordedKey),
  count: integer(),
  /** The numbers of the oldest and the newest entry; null when there is none. */
  first: nullable(integer()),
  last: nullable(integer()),
  /** The SHA-256 of the text of the newest entry. */
  hash: nullable(text()),
  /** The SHA-256 of all lines before, each with its line feed. */
  lines: text(),
  at: time('When it was exported'),
})
export interface AuditHead extends Static<typeof AuditHead> {}

/** The key of the service, which signs the activity and the heads of exports. */
export const AuditKey = object({
  key: text({ description: 'The Ed25519 public key (SPKI) in Base64' }),
  fingerprint: text({ description: 'The SHA-256 of the key, in hexadecimal digits' }),
})
