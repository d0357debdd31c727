import { array, integer, object, oneOf, optional, type Static, text } from './schema.ts'

/** Where a proposed time zone comes from. */
export const ZONE_ORIGINS = ['system', 'site', 'computer', 'option', 'mapping', 'default'] as const
export type ZoneOrigin = (typeof ZONE_ORIGINS)[number]

/** What a conversion assumes to read an export. */
export const NOTE_CODES = [
  ...['encoding-assumed', 'other-sheets', 'text-above-table', 'hidden-columns', 'items-without-ticket'],
  ...['unknown-states', 'unknown-priorities', 'two-date-orders', 'date-order-needed', 'zone-assumed'],
  ...['no-id-column', 'no-title-column', 'columns-missing', 'columns-unlisted', 'derived-ids', 'derived-titles'],
  ...['values-unlisted', 'columns-by-values', 'states-by-evidence', 'requests-by-evidence', 'system-unrecognized'],
  // What does not fit together after a conversion.
  ...['open-but-resolved', 'done-without-date', 'one-state', 'future-dates', 'resolved-before-created', 'undated'],
  'titles-of-fields',
] as const
export type NoteCode = (typeof NOTE_CODES)[number]

/** The most values that a note names. */
export const MAX_NOTED = 100

/** What a note speaks of. */
const details = {
  values: optional(array(text(), { description: `Names or values, at most ${MAX_NOTED}` })),
  more: optional(integer({ description: 'How many more there are' })),
  counts: optional(array(integer(), { description: 'How often each of the values occurs' })),
  count: optional(integer()),
  subject: optional(
    text({ description: 'An encoding, a sheet, a column, a text, a state, a time zone or an order of dates' }),
  ),
  dayFirst: optional(integer({ description: 'Dates with the day first' })),
  monthFirst: optional(integer({ description: 'Dates with the month first' })),
  from: optional(oneOf(ZONE_ORIGINS, { description: 'Where a time zone comes from' })),
}

/** What was assumed: a code with what it speaks of, and the whole sentence in English. */
export const ConversionNote = object({ code: oneOf(NOTE_CODES), text: text(), ...details })
export interface ConversionNote extends Static<typeof ConversionNote> {}

export type NoteDetails = Omit<ConversionNote, 'code' | 'text'>
