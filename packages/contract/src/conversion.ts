import { Unplaced } from './conversion-account.ts'
import { ConversionNote, ZONE_ORIGINS } from './conversion-notes.ts'
import { MANIFEST_FIELD_NAMES, type ManifestFieldName, TICKET_STATES } from './request-fields.ts'
import {
  array,
  boolean,
  closedObject,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  record,
  type Static,
  text,
} from './schema.ts'

/** The systems whose exports can be converted into a package, by the names of the command line. */
export const SOURCE_NAMES = ['csv', 'xlsx', 'zendesk', 'glpi', 'jira', 'redmine', 'rt', 'zammad', 'osticket'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** The systems for which a package can be converted into files, by the names of the command line. */
export const EXPORT_TARGETS = ['csv', 'jira', 'redmine', 'rt', 'zammad'] as const
export type ExportTargetName = (typeof EXPORT_TARGETS)[number]

const REPORTER_TARGETS = ['reporter.name', 'reporter.email', 'reporter.phone'] as const
const OTHER_TARGETS = ['description+', 'notes+', 'comment', 'omit'] as const

/** A field of the manifest that is one cell of a table. */
export type FieldTarget = Exclude<ManifestFieldName, 'reporter' | 'comments'> | (typeof REPORTER_TARGETS)[number]
export const FIELD_TARGETS = MANIFEST_FIELD_NAMES.flatMap((name): readonly FieldTarget[] => {
  if (name === 'comments') return []
  return name === 'reporter' ? REPORTER_TARGETS : [name]
})

/**
 * What a column of a source becomes: a field of the manifest, of which `attachments` lists names of files; `description+` and
 * `notes+` append a line "Column: value" to that text, `comment` adds a comment, `omit` leaves it out.
 */
export type Target = FieldTarget | (typeof OTHER_TARGETS)[number]
export const TARGETS: readonly Target[] = [...FIELD_TARGETS, ...OTHER_TARGETS]

/** The order of a date that has only numbers and does not start with the year. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/**
 * How records of a source become requests. People edit it as YAML or on a page and keep it for the next time. Values are
 * compared trimmed and without regard to case. A column that is not listed is appended to the description.
 */
export const Mapping = closedObject({
  preset: optional(text({ description: 'The preset from which the mapping was made', maxLength: 100 })),
  timeZone: text({ description: 'Of dates that name none, for example Europe/Tallinn', maxLength: 100 }),
  dateOrder: optional(
    oneOf(DATE_ORDERS, { description: 'How to read 03/04/2026. Without it, such a date is a problem' }),
  ),
  columns: record(oneOf(TARGETS), { description: 'By name of the column' }),
  states: record(oneOf(TICKET_STATES), { description: 'By value of the source' }),
  otherState: oneOf(TICKET_STATES, { description: 'For a value that is not listed, or none' }),
  stateFromEvidence: optional(
    boolean({
      description:
        'Whether such a request gets another state if the source says that it is done, for example by a resolved date. Default true',
    }),
  ),
  priorities: record(nullable(oneOf([0, 1, 2, 3])), { description: 'By value of the source' }),
  separator: optional(text({ description: 'Between tags and between addresses in one cell', maxLength: 5 })),
})
export interface Mapping extends Static<typeof Mapping> {}

export const ConversionResult = object({
  tickets: integer(),
  comments: integer(),
  attachments: integer(),
  unplaced: array(Unplaced),
  notes: optional(array(ConversionNote, { description: 'What was assumed' })),
  contradictions: optional(
    array(ConversionNote, {
      description: 'What does not fit together, for example open requests with a resolved date',
    }),
  ),
})
export interface ConversionResult extends Static<typeof ConversionResult> {}

/** What a source contains, and a mapping to begin with. */
export const SourceAnalysis = object({
  source: oneOf(SOURCE_NAMES),
  records: integer(),
  columns: array(
    object({
      name: text(),
      filled: integer({ description: 'Records in which it has a value' }),
      samples: array(text(), { description: 'Different values, at most 5, shortened' }),
      values: optional(
        array(object({ value: text(), count: integer() }), {
          description: 'All values of a column that is a list of choices, the most frequent first',
        }),
      ),
    }),
  ),
  mapping: Mapping,
  timeZoneFrom: optional(oneOf(ZONE_ORIGINS, { description: 'Where the time zone of the mapping comes from' })),
  notes: optional(array(ConversionNote, { description: 'What was assumed' })),
})
export interface SourceAnalysis extends Static<typeof SourceAnalysis> {}
