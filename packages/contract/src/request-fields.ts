import { time, timeOrNull } from './fields.ts'
import { NOT_BLANK } from './patterns.ts'
import {
  array,
  boolean,
  described,
  integer,
  nullable,
  number,
  oneOf,
  type Schema,
  type Static,
  text,
} from './schema.ts'

/**
 * Every field of a maintenance request, once. Table columns, queries, API schemas, import, export, conversions, options of
 * the command line and the details in the console derive from this list. CONTRIBUTING.md says what a new field needs.
 */

export const TICKET_STATES = ['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'] as const
export type TicketState = (typeof TICKET_STATES)[number]
/** The states of a request that are not finished. */
export const OPEN_STATES = ['new', 'open', 'in_progress', 'on_hold'] as const satisfies readonly TicketState[]

interface FieldUse {
  /** The name in English: of columns in tables and in other systems, and on the command line. */
  label: string
  /** Lists of requests show it. */
  inList: boolean
  inManifest: boolean
}

type ColumnType = 'text' | 'text[]' | 'smallint' | 'integer' | 'double precision' | 'boolean' | 'timestamptz'

interface ColumnField extends FieldUse {
  /** Column of the table `ticket`. */
  column: string
  type: ColumnType
  isNullable: boolean
  /** What it holds, for the help of the command line. Without this, there is no option for it. */
  about?: string
  /** A text without a length limit: shortened where it is shown, whole in an export. */
  isLong?: true
  /** The value in a reply. Times are text in the API and in the manifest. */
  schema: Schema
  /** The value when a caller adds or changes a request. Without this, callers cannot set the field. */
  edit?: Schema
}

/** A field whose value is in rows of other tables. */
interface LinkedField extends FieldUse {
  column: null
}

/** Maximum length of a text that a caller writes. A package may contain longer ones. */
export const WRITTEN_CHARACTERS = 50_000
/** Body limit of routes that accept written text: room for the longest text, however it is escaped. */
export const WRITTEN_BODY_BYTES = 1024 * 1024

/** Of a photo in the form of a code. Browsers make photos smaller before they send them. */
export const FORM_PHOTO_BYTES = 2_000_000
/** Most files that a new request or comment takes, and the size of each: the limit of packages. */
export const ATTACHED_FILES = 20
export const ATTACHED_FILE_BYTES = 100e6

const textOrNull = nullable(text())
const booleanOrNull = nullable(boolean())
const writtenText = nullable(text({ maxLength: WRITTEN_CHARACTERS }))
const state = oneOf(TICKET_STATES)
const title = text({ maxLength: 255, pattern: NOT_BLANK })

const everywhere = { inList: true, inManifest: true } as const
const notListed = { inList: false, inManifest: true } as const
const longText = { ...notListed, type: 'text', isNullable: true, isLong: true, schema: textOrNull } as const
const writtenField = { ...longText, edit: writtenText } as const
const requiredText = { type: 'text', isNullable: false, schema: text() } as const
const nullableText = { ...notListed, type: 'text', isNullable: true, schema: textOrNull } as const
const linked = { ...everywhere, column: null } as const
const linkedNotListed = { ...notListed, column: null } as const
const nullableTime = { type: 'timestamptz', isNullable: true, schema: timeOrNull() } as const
const requiredTime = { type: 'timestamptz', isNullable: false, schema: time() } as const

/** In the order of the manifest. */
export const REQUEST_FIELDS = {
  externalId: {
    ...everywhere,
    ...requiredText,
    label: 'External id',
    about: 'the id in the other system; a random one by default',
    column: 'external_id',
  },
  number: {
    ...everywhere,
    label: 'Number',
    about: 'its number there',
    column: 'number',
    type: 'integer',
    isNullable: false,
    schema: integer({ description: 'Assigned by the site' }),
  },
  title: { ...everywhere, ...requiredText, label: 'Title', about: 'the title', column: 'title', edit: title },
  state: {
    ...everywhere,
    ...requiredText,
    label: 'State',
    about: 'the state',
    column: 'state',
    schema: state,
    edit: state,
  },
  description: { ...writtenField, label: 'Description', about: 'the description', column: 'description' },
  notes: {
    ...writtenField,
    label: 'Notes',
    about: 'notes for staff only',
    column: 'notes',
    edit: described(writtenText, 'For staff only'),
  },
  resolutionSummary: {
    ...writtenField,
    label: 'Resolution summary',
    about: 'how it was resolved',
    column: 'resolution_summary',
  },
  priority: {
    ...everywhere,
    label: 'Priority',
    about: '0 to 3',
    column: 'priority',
    type: 'smallint',
    isNullable: true,
    schema: nullable(integer()),
    edit: nullable(oneOf([0, 1, 2, 3])),
  },
  language: {
    ...nullableText,
    label: 'Language',
    about: 'the language of the reporter, such as et',
    column: 'language',
    edit: nullable(text({ maxLength: 8 })),
  },
  tone: { ...nullableText, label: 'Tone', about: 'the tone', column: 'tone' },
  scope: {
    ...nullableText,
    label: 'Scope',
    about: 'what it is about',
    column: 'scope',
    edit: nullable(oneOf(['unit', 'common_area', 'building'])),
  },
  safetyHazard: {
    ...everywhere,
    label: 'Safety hazard',
    about: 'it is a safety hazard',
    column: 'safety_hazard',
    type: 'boolean',
    isNullable: true,
    schema: booleanOrNull,
    edit: booleanOrNull,
  },
  reporter: { ...linked, label: 'Reporter' },
  assignee: { ...linked, label: 'Assignee' },
  supervisor: { ...linkedNotListed, label: 'Supervisor' },
  watchers: { ...linkedNotListed, label: 'Watchers' },
  unit: { ...linked, label: 'Unit' },
  tags: { ...linked, label: 'Tags' },
  ccEmails: {
    ...notListed,
    label: 'CC emails',
    column: 'cc_emails',
    type: 'text[]',
    isNullable: false,
    schema: array(text()),
  },
  feedback: {
    ...notListed,
    label: 'Feedback',
    about: 'how satisfied the reporter was',
    column: 'feedback',
    type: 'double precision',
    isNullable: true,
    schema: nullable(number()),
  },
  feedbackText: {
    ...longText,
    label: 'Feedback text',
    about: 'what the reporter said about it',
    column: 'feedback_text',
  },
  createdAt: {
    ...everywhere,
    ...requiredTime,
    label: 'Created at',
    about: 'when it was created',
    column: 'created_at',
  },
  updatedAt: {
    ...everywhere,
    ...nullableTime,
    label: 'Updated at',
    about: 'when it was changed',
    column: 'updated_at',
  },
  resolvedAt: {
    ...notListed,
    ...nullableTime,
    label: 'Resolved at',
    about: 'when it was resolved',
    column: 'resolved_at',
  },
  stateChangedAt: {
    ...notListed,
    ...requiredTime,
    label: 'State changed at',
    about: 'when its state changed',
    column: 'state_changed_at',
  },
  attachments: { ...linkedNotListed, label: 'Attachments' },
  comments: { ...linkedNotListed, label: 'Comments' },
} as const satisfies Record<string, ColumnField | LinkedField>

type Fields = typeof REQUEST_FIELDS
export type RequestFieldName = keyof Fields
type NamesWith<Use> = { [Name in RequestFieldName]: Fields[Name] extends Use ? Name : never }[RequestFieldName]

export type ColumnFieldName = NamesWith<{ column: string }>
export type LinkedFieldName = Exclude<RequestFieldName, ColumnFieldName>
export type ListedColumnField = NamesWith<{ column: string; inList: true }>
export type LongField = NamesWith<{ isLong: true }>
export type EditableColumnField = NamesWith<{ edit: object }>
/** Fields with a short value or none: one of a few choices, yes or no, or a line of text. */
export type PlainField = Exclude<NamesWith<{ type: 'text' | 'boolean'; isNullable: true }>, LongField>
export type ManifestFieldName = NamesWith<{ inManifest: true }>

type ValueOf<Name extends ColumnFieldName> = Static<Fields[Name]['schema']>

/** The values of the column fields, as the API and the manifest write them. */
export type ColumnFieldValues = { [Name in ColumnFieldName]: ValueOf<Name> }

/** The columns of the table `ticket` that hold these fields, as the database returns them. */
export type RequestColumns = {
  [Name in ColumnFieldName as Fields[Name]['column']]: Fields[Name]['type'] extends 'timestamptz'
    ? Date | Exclude<ValueOf<Name>, string>
    : ValueOf<Name>
}

const fields: Readonly<Record<RequestFieldName, ColumnField | LinkedField>> = REQUEST_FIELDS

export const REQUEST_FIELD_NAMES = Object.keys(REQUEST_FIELDS) as RequestFieldName[]
export const MANIFEST_FIELD_NAMES = REQUEST_FIELD_NAMES.filter(
  (name): name is ManifestFieldName => fields[name].inManifest,
)

export const COLUMN_FIELD_NAMES = REQUEST_FIELD_NAMES.filter(
  (name): name is ColumnFieldName => fields[name].column !== null,
)
export const LISTED_COLUMN_FIELDS = COLUMN_FIELD_NAMES.filter(
  (name): name is ListedColumnField => REQUEST_FIELDS[name].inList,
)
export const LONG_FIELDS = COLUMN_FIELD_NAMES.filter((name): name is LongField => columnField(name).isLong === true)
export const PLAIN_FIELDS = COLUMN_FIELD_NAMES.filter((name): name is PlainField => {
  const { type, isNullable, isLong } = columnField(name)
  return isNullable && !isLong && (type === 'text' || type === 'boolean')
})
export const EDITABLE_COLUMN_FIELDS = COLUMN_FIELD_NAMES.filter(
  (name): name is EditableColumnField => columnField(name).edit !== undefined,
)

/** Returns what the table says about a column field. */
export function columnField(name: ColumnFieldName): ColumnField {
  return REQUEST_FIELDS[name]
}

/** Returns the column of a field. */
export function columnOf<Name extends ColumnFieldName>(name: Name): Fields[Name]['column'] {
  return REQUEST_FIELDS[name].column
}

/** Returns the only values that a caller can set a field to; undefined if any text or number will do. */
export function choicesOf(name: ColumnFieldName): readonly unknown[] | undefined {
  const { edit, type } = columnField(name)
  return type === 'boolean' ? [true, false] : edit?.enum?.filter((choice) => choice !== null)
}
