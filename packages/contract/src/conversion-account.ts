import { integer, object, oneOf, optional, type Static, text } from './schema.ts'

/**
 * What becomes of a value that has no field of its own. Two codes have a detail: `other-state` the state, and
 * `notes-unfit`, `person-name-in-notes` the field.
 */
export const UNPLACED_CODES = [
  ...['left-out', 'left-out-no-date', 'left-out-separators', 'left-out-empty-comment'],
  ...['description', 'short-title', 'comment', 'comment-part', 'comment-too-long', 'comment-missing-file'],
  ...['notes', 'notes-unfit', 'notes-no-priority', 'notes-no-email', 'notes-long-tag', 'notes-missing-file'],
  ...['other-state', 'reporter-email-and-notes', 'reporter-name', 'person-name-in-notes', 'address-name-in-notes'],
  ...['unstorable-character', 'changed-file-name', 'earlier-moment', 'later-moment'],
] as const
export type UnplacedCode = (typeof UNPLACED_CODES)[number]

const became = {
  became: text({ description: 'Completes "the values became …", for example part of the description' }),
  code: oneOf(UNPLACED_CODES, { description: 'The same for programs' }),
  detail: optional(text({ description: 'The state or the field of which `became` speaks' })),
}

/** What became of the values of a column that have no field of their own. */
export const Unplaced = object({
  column: text(),
  values: integer({ description: 'How many values' }),
  ...became,
})
export interface Unplaced extends Static<typeof Unplaced> {}

/** One value that has no field of its own. */
export const UnplacedValue = object({
  place: text({ description: 'For example row 12' }),
  column: text(),
  value: text(),
  ...became,
})
export interface UnplacedValue extends Static<typeof UnplacedValue> {}
