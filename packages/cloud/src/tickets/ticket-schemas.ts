import { NOT_BLANK } from '@plantroom/contract/patterns'
import { TICKET_STATES } from '@plantroom/contract/tickets'
import { PERSON_EMAIL } from './person.ts'

/** Letters that somebody may write into one text. A package may hold more. */
const WRITTEN_CHARACTERS = 50_000
/** Room for such a text and more, however it is escaped. */
export const WRITTEN_BODY_LIMIT = 1024 * 1024
/** How many tags or watchers may be given at once. */
const MAX_NAMED = 100

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const
const state = { type: 'string', enum: TICKET_STATES } as const

export const label = { type: 'string', maxLength: 255, pattern: NOT_BLANK } as const
export const email = { type: 'string', maxLength: 255, pattern: PERSON_EMAIL } as const
const emailOrNull = { ...email, type: ['string', 'null'] } as const
export const personName = { type: ['string', 'null'], maxLength: 255 } as const
export const phone = { type: ['string', 'null'], maxLength: 64 } as const

export const givenPerson = {
  type: ['object', 'null'],
  properties: { email: emailOrNull, name: personName, phone },
  description: 'With an email, a name or a phone; linked to someone of the site by email, else kept as text',
} as const

export const writtenText = { type: 'string', maxLength: WRITTEN_CHARACTERS, pattern: NOT_BLANK } as const
const writtenTextOrNull = { type: ['string', 'null'], maxLength: WRITTEN_CHARACTERS } as const

/** What can be said of a request when it is added, and changed later. */
export const details = {
  title: label,
  description: writtenTextOrNull,
  notes: { ...writtenTextOrNull, description: 'For the staff' },
  resolutionSummary: writtenTextOrNull,
  state,
  priority: { enum: [0, 1, 2, 3, null] },
  language: { type: ['string', 'null'], maxLength: 8 },
  scope: { enum: ['unit', 'common_area', 'building', null] },
  safetyHazard: { type: ['boolean', 'null'] },
  assignee: { ...emailOrNull, description: 'The address of someone of the site' },
  supervisor: { ...emailOrNull, description: 'The address of someone of the site' },
  watchers: { type: 'array', maxItems: MAX_NAMED, items: email, description: 'Addresses of people of the site' },
  unit: { ...label, type: ['string', 'null'], description: 'The name of a unit of the site' },
  tags: { type: 'array', maxItems: MAX_NAMED, items: label, description: 'Those that the site lacks are created' },
} as const

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

const common = {
  number: { type: 'integer', description: 'Given by the site' },
  externalId: text,
  title: text,
  state,
  priority: { type: ['integer', 'null'] },
  safetyHazard: { type: ['boolean', 'null'] },
  reporter: person,
  assignee: person,
  unit: textOrNull,
  tags: { type: 'array', items: text },
  createdAt: { type: 'string', format: 'date-time' },
  updatedAt: timeOrNull,
} as const

export const ticketSummary = {
  type: 'object',
  properties: { ...common, commentCount: { type: 'integer' } },
} as const

export const ticket = {
  type: 'object',
  properties: {
    ...common,
    description: textOrNull,
    notes: textOrNull,
    resolutionSummary: textOrNull,
    language: textOrNull,
    tone: textOrNull,
    scope: textOrNull,
    supervisor: person,
    watchers: { type: 'array', items: person },
    ccEmails: { type: 'array', items: text },
    feedback: { type: ['number', 'null'] },
    feedbackText: textOrNull,
    resolvedAt: timeOrNull,
    stateChangedAt: { type: 'string', format: 'date-time' },
    attachments: { type: 'array', items: attachment },
    comments: { type: 'array', items: comment, description: 'The first of them, in order' },
    commentsCursor: { ...textOrNull, description: 'The cursor of the comments after these; null when all are here' },
  },
} as const
