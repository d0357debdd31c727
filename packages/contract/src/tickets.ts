import { ACTOR_KINDS } from './activity.ts'
import { time, timeOrNull } from './fields.ts'
import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  columnField,
  EDITABLE_COLUMN_FIELDS,
  LISTED_COLUMN_FIELDS,
  type ListedColumnField,
  type REQUEST_FIELDS,
  type RequestFieldName,
} from './request-fields.ts'
import { array, described, integer, nullable, object, oneOf, type Schema, type Static, text } from './schema.ts'

export { OPEN_STATES, TICKET_STATES, type TicketState } from './request-fields.ts'

/** The reporter of a request or the author of a comment: a person of the site, or what a package says about them. */
export const Person = object({ email: nullable(text()), name: nullable(text()), phone: nullable(text()) })
export interface Person extends Static<typeof Person> {}

/** A file of a request or of a comment. Its bytes have an address of their own. */
export const Attachment = object({
  id: text(),
  name: text(),
  contentType: nullable(text()),
  size: integer({ description: 'In bytes' }),
})
export interface Attachment extends Static<typeof Attachment> {}

export const TicketComment = object({
  content: text(),
  author: nullable(Person),
  createdAt: timeOrNull(),
  attachments: array(Attachment),
  mentions: array(object({ userId: text(), name: text({ description: 'As the content writes it after an @' }) })),
})
export interface TicketComment extends Static<typeof TicketComment> {}

/** The fields whose changes are recorded. */
export const RECORDED_FIELDS = [
  ...EDITABLE_COLUMN_FIELDS,
  'assignee',
  'supervisor',
  'watchers',
  'unit',
  'tags',
] as const satisfies readonly RequestFieldName[]
export type RecordedField = (typeof RECORDED_FIELDS)[number]

/** The fields in the history: also those that only a fill can set. */
export const HISTORY_FIELDS = [
  ...RECORDED_FIELDS,
  'tone',
  'reporter',
  'ccEmails',
  'feedback',
  'feedbackText',
  'comments',
] as const satisfies readonly RequestFieldName[]
export type HistoryField = (typeof HISTORY_FIELDS)[number]

const recordedValue = (description: string) =>
  array(nullable(text()), { description: `${description}; empty for none. A person by email, null once removed` })

/** One entry in the history of a request. */
export const TicketChange = object({
  at: time('By the clock of the service'),
  kind: oneOf(['created', 'imported', 'changed', 'filled'], {
    description: 'filled: a fill set a field that the import had left empty; comments means their authors',
  }),
  field: nullable(oneOf(HISTORY_FIELDS), { description: 'Null unless changed or filled' }),
  from: recordedValue('The values before'),
  to: recordedValue('The values after'),
  by: object({ kind: oneOf(ACTOR_KINDS), name: nullable(text({ description: 'At that time' })) }),
})
export interface TicketChange extends Static<typeof TicketChange> {}

/** The schemas of column fields, in the order given. */
function replies<Name extends ColumnFieldName>(names: readonly Name[]) {
  const schemas: Record<string, Schema> = Object.fromEntries(names.map((name) => [name, columnField(name).schema]))
  return schemas as { [Own in Name]: (typeof REQUEST_FIELDS)[Own]['schema'] }
}

const listed = {
  // The number comes first in replies.
  ...replies(['number']),
  ...replies(LISTED_COLUMN_FIELDS),
  reporter: nullable(Person),
  assignee: nullable(Person),
  unit: nullable(text()),
  tags: array(text()),
}
type Unlisted = Exclude<ColumnFieldName, ListedColumnField>

/** A request as lists show it. */
export const TicketSummary = object({ ...listed, commentCount: integer() })
export interface TicketSummary extends Static<typeof TicketSummary> {}

/** A request with its conversation. */
export const Ticket = object({
  ...listed,
  ...replies(COLUMN_FIELD_NAMES.filter((name): name is Unlisted => !(name in listed))),
  supervisor: nullable(Person),
  watchers: array(Person),
  attachments: array(Attachment),
  comments: described(array(TicketComment), 'The first comments, in order'),
})
export interface Ticket extends Static<typeof Ticket> {}
