import { NOT_BLANK } from '@plantroom/contract/patterns'
import {
  COLUMN_FIELD_NAMES,
  columnField,
  EDITABLE_COLUMN_FIELDS,
  LISTED_FIELD_NAMES,
  type LinkedFieldName,
  REQUEST_FIELD_NAMES,
  type RequestFieldName,
  WRITTEN_CHARACTERS,
} from '@plantroom/contract/request-fields'
import type { RequestDetails } from './change-store.ts'
import { PERSON_EMAIL } from './person.ts'

/** Body limit of routes that accept written text: room for the longest text, however it is escaped. */
export const WRITTEN_BODY_LIMIT = 1024 * 1024
/** Maximum number of tags or watchers in one body. */
const MAX_NAMED = 100

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const

export const label = { type: 'string', maxLength: 255, pattern: NOT_BLANK } as const
export const email = { type: 'string', maxLength: 255, pattern: PERSON_EMAIL } as const
const emailOrNull = { ...email, type: ['string', 'null'] } as const
export const personName = { type: ['string', 'null'], maxLength: 255 } as const
export const phone = { type: ['string', 'null'], maxLength: 64 } as const

export const givenPerson = {
  type: ['object', 'null'],
  properties: { email: emailOrNull, name: personName, phone },
  description: 'Needs an email, a name or a phone. Linked to a person of the site with this email, or kept as text',
} as const

export const writtenText = { type: 'string', maxLength: WRITTEN_CHARACTERS, pattern: NOT_BLANK } as const

const person = {
  type: ['object', 'null'],
  properties: { email: textOrNull, name: textOrNull, phone: textOrNull },
} as const

const attachment = {
  type: 'object',
  properties: { id: text, name: text, contentType: textOrNull, size: { type: 'integer', description: 'In bytes' } },
} as const

export const comment = {
  type: 'object',
  properties: {
    content: text,
    author: person,
    createdAt: timeOrNull,
    attachments: { type: 'array', items: attachment },
  },
} as const

const linkedReplies: Readonly<Record<LinkedFieldName, object>> = {
  reporter: person,
  assignee: person,
  supervisor: person,
  watchers: { type: 'array', items: person },
  unit: textOrNull,
  tags: { type: 'array', items: text },
  attachments: { type: 'array', items: attachment },
  comments: { type: 'array', items: comment, description: 'The first comments, in order' },
}

const linkedEdits = {
  assignee: { ...emailOrNull, description: 'Email of a person of the site' },
  supervisor: { ...emailOrNull, description: 'Email of a person of the site' },
  watchers: { type: 'array', maxItems: MAX_NAMED, items: email, description: 'Emails of people of the site' },
  unit: { ...label, type: ['string', 'null'], description: 'Name of a unit of the site' },
  tags: { type: 'array', maxItems: MAX_NAMED, items: label, description: 'Tags the site lacks are created' },
} as const

const columnReplies = Object.fromEntries(COLUMN_FIELD_NAMES.map((name) => [name, columnField(name).schema]))
const replies: Readonly<Record<string, object>> = { ...columnReplies, ...linkedReplies }
const replyOf = (names: readonly RequestFieldName[]) => Object.fromEntries(names.map((name) => [name, replies[name]]))

/** The fields a caller can set when adding or changing a request. */
export const DETAIL_NAMES: readonly (keyof RequestDetails)[] = [
  ...EDITABLE_COLUMN_FIELDS,
  'assignee',
  'supervisor',
  'watchers',
  'unit',
  'tags',
]

export const details: Readonly<Record<string, object | undefined>> = {
  ...Object.fromEntries(EDITABLE_COLUMN_FIELDS.map((name) => [name, columnField(name).edit])),
  ...linkedEdits,
}

// The number comes first in replies, and the fields that lists show come before the others.
const listed = { number: columnField('number').schema, ...replyOf(LISTED_FIELD_NAMES) }

export const requestSummary = {
  type: 'object',
  properties: { ...listed, commentCount: { type: 'integer' } },
} as const

export const request = {
  type: 'object',
  properties: {
    ...listed,
    ...replyOf(REQUEST_FIELD_NAMES),
    commentsCursor: {
      ...textOrNull,
      description: 'The cursor of the comments after these; null when all are included',
    },
  },
} as const
