import { readFileSync } from 'node:fs'
import { MEDIA_TYPE, PERSON_EMAIL } from '@plantroom/contract/patterns'

// Every keyword used here must be known to `Schema` below, which the checker interprets to word its messages.
const DATE_TIME_EXAMPLES = '2026-03-01T09:30:00Z or 2026-03-01T11:30:00+02:00'
const VISIBLE = { type: 'string', pattern: '\\S' } as const
// Larger ones cannot be told from their neighbours once they are read, here or in most other programs.
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const

const ticket = {
  title: 'Request',
  type: 'object',
  required: ['externalId', 'title', 'state'],
  additionalProperties: false,
  properties: {
    externalId: {
      description:
        'The stable key from the source system, unique within the package. A request whose key is already on the site is skipped.',
      type: 'string',
      minLength: 1,
      maxLength: 255,
    },
    number: {
      description: 'For information only: the site assigns its own numbers.',
      type: ['integer', 'null'],
      ...EXACT,
    },
    title: { description: 'A one-line summary.', $ref: '#/definitions/label' },
    description: { description: 'What the reporter wrote.', type: ['string', 'null'] },
    notes: { description: 'Internal notes.', type: ['string', 'null'] },
    resolutionSummary: { description: 'How the request was resolved.', type: ['string', 'null'] },
    state: {
      description: 'The state, set as given.',
      enum: ['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'],
    },
    priority: { description: 'The urgency.', enum: [0, 1, 2, 3, null] },
    language: {
      description: 'The language of the conversation, such as en or et.',
      type: ['string', 'null'],
      maxLength: 8,
    },
    tone: { description: 'The tone of the reporter.', enum: ['neutral', 'polite', 'frustrated', 'angry', null] },
    scope: {
      description: 'The part of the building that is affected.',
      enum: ['unit', 'common_area', 'building', null],
    },
    safetyHazard: { description: 'Whether people are in danger.', type: ['boolean', 'null'] },
    reporter: {
      description: 'The reporter. Linked to a person of the site by email, otherwise kept as text.',
      $ref: '#/definitions/person',
    },
    assignee: {
      description: 'The person who works on the request. Skipped if nobody on the site has this email.',
      $ref: '#/definitions/optionalEmail',
    },
    supervisor: {
      description: 'The person who oversees the request. Skipped if nobody on the site has this email.',
      $ref: '#/definitions/optionalEmail',
    },
    watchers: {
      description: 'People who follow the request. Emails that nobody on the site has are skipped.',
      type: 'array',
      items: { $ref: '#/definitions/email' },
    },
    unit: {
      description: 'The name of a unit of the site. Left empty if no unit has that name.',
      type: ['string', 'null'],
      maxLength: 255,
    },
    tags: {
      description: 'Tag names. Tags that the site does not have are created.',
      type: 'array',
      items: { $ref: '#/definitions/label' },
    },
    ccEmails: { description: 'Addresses that receive copies.', type: 'array', items: { $ref: '#/definitions/email' } },
    feedback: { description: 'The rating given by the reporter.', type: ['integer', 'null'], ...EXACT },
    feedbackText: { description: "The reporter's comment on the outcome.", type: ['string', 'null'] },
    createdAt: { description: 'Defaults to the time of the import.', $ref: '#/definitions/optionalDateTime' },
    updatedAt: { description: 'The time of the last change.', $ref: '#/definitions/optionalDateTime' },
    resolvedAt: {
      description: 'Defaults to stateChangedAt for a resolved or closed request.',
      $ref: '#/definitions/optionalDateTime',
    },
    stateChangedAt: {
      description: 'Defaults to updatedAt, then to createdAt.',
      $ref: '#/definitions/optionalDateTime',
    },
    attachments: {
      description: 'Files of the request, each with a different name.',
      type: 'array',
      items: { $ref: '#/definitions/attachment' },
    },
    comments: {
      description: 'Comments in the order they should appear.',
      type: 'array',
      items: { $ref: '#/definitions/comment' },
    },
  },
} as const

const comment = {
  title: 'Comment',
  type: 'object',
  required: ['content'],
  additionalProperties: false,
  properties: {
    content: {
      description: 'Plain text, no HTML. Must not be blank unless the comment has an attachment.',
      type: 'string',
    },
    author: {
      description: 'The author. Linked to a person of the site by email, otherwise kept as text.',
      $ref: '#/definitions/person',
    },
    createdAt: { description: 'The time of writing.', $ref: '#/definitions/optionalDateTime' },
    attachments: {
      description: 'Files of the comment, each with a different name.',
      type: 'array',
      items: { $ref: '#/definitions/attachment' },
    },
  },
  anyOf: [
    { properties: { content: VISIBLE } },
    { required: ['attachments'], properties: { attachments: { type: 'array', minItems: 1 } } },
  ],
} as const

const attachment = {
  title: 'Attachment',
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { description: 'The path of the file in the archive.', $ref: '#/definitions/attachmentPath' },
    name: {
      description: 'The name of the attachment. Defaults to the last part of path.',
      $ref: '#/definitions/attachmentName',
    },
    contentType: { description: 'The kind of file.', $ref: '#/definitions/contentType' },
  },
} as const

const person = {
  title: 'Person',
  description: 'Has an email, or a name or phone that is not blank. Otherwise null or omitted.',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    email: {
      description: 'Identifies the person on the site, ignoring case.',
      $ref: '#/definitions/optionalEmail',
    },
    name: { description: 'The display name.', type: ['string', 'null'], maxLength: 255 },
    phone: { description: 'A phone number in any format.', type: ['string', 'null'], maxLength: 64 },
  },
  anyOf: [
    { type: 'null' },
    { required: ['email'], properties: { email: { type: 'string' } } },
    { required: ['name'], properties: { name: VISIBLE } },
    { required: ['phone'], properties: { phone: VISIBLE } },
  ],
} as const

/**
 * The published schema of a manifest, and the only place with the rules for the fields of a request. `schemas/` has it as JSON;
 * run `schema.test.ts` with PLANTROOM_WRITE_SCHEMA=1 to write that file after a change.
 */
export const manifestSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'urn:plantroom:schema:ticket-export-v1',
  title: 'Maintenance request package, version 1.0',
  description: 'manifest.json of a package (.fpl). Field names are case-sensitive; lengths are in characters.',
  type: 'object',
  required: ['version', 'tickets'],
  additionalProperties: false,
  properties: {
    $schema: { description: 'The address of this schema, for editors.', type: 'string' },
    version: { description: 'The version of the format.', enum: ['1.0'] },
    exportedAt: { description: 'The time when the package was written.', $ref: '#/definitions/dateTime' },
    tickets: { description: 'The requests.', type: 'array', items: { $ref: '#/definitions/ticket' } },
  },
  definitions: {
    ticket,
    comment,
    attachment,
    person,
    label: { title: 'Text that is not blank', type: 'string', maxLength: 255, pattern: '\\S' },
    email: {
      title: 'Email address',
      description: 'name@domain.tld',
      type: 'string',
      maxLength: 255,
      pattern: PERSON_EMAIL,
    },
    optionalEmail: {
      title: 'Email address or null',
      description: 'name@domain.tld',
      type: ['string', 'null'],
      maxLength: 255,
      pattern: PERSON_EMAIL,
    },
    dateTime: {
      title: 'Date and time with a zone',
      description: DATE_TIME_EXAMPLES,
      type: 'string',
      format: 'date-time',
    },
    optionalDateTime: {
      title: 'Date and time with a zone, or null',
      description: DATE_TIME_EXAMPLES,
      type: ['string', 'null'],
      format: 'date-time',
    },
    attachmentPath: {
      title: 'Path in the archive',
      description:
        'Starts with attachments/. No backslashes, no control characters, no two dots in a row, and no part between slashes that is empty or a dot',
      type: 'string',
      maxLength: 4096,
      pattern:
        '^(?![\\s\\S]*\\.\\.)attachments/(?!\\.(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+(?:/(?!\\.(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+)*$',
    },
    attachmentName: {
      title: 'File name',
      description:
        'May contain / for sub-folders. Not absolute, no backslashes, no control characters, no two dots in a row, and no part between slashes that is empty or a dot',
      type: 'string',
      maxLength: 4096,
      pattern:
        '^(?![\\s\\S]*\\.\\.)(?=\\s*\\S)(?![A-Za-z]:)(?!\\.(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+(?:/(?!\\.(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+)*$',
    },
    contentType: {
      title: 'MIME type',
      description: 'image/jpeg or text/plain; charset=utf-8',
      type: 'string',
      maxLength: 255,
      pattern: MEDIA_TYPE,
    },
  },
} as const satisfies Schema

const PUBLISHED = new URL('../../schemas/ticket-export-v1.json', import.meta.url)

/** Returns the schema as it is published, byte for byte. */
export function manifestSchemaBytes(): Uint8Array {
  return readFileSync(PUBLISHED)
}

export type TypeName = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

/** The subset of JSON Schema that a manifest's schema uses. */
export interface Schema {
  readonly $schema?: string
  readonly $id?: string
  readonly title?: string
  readonly description?: string
  readonly $ref?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly additionalProperties?: false
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly definitions?: Readonly<Record<string, Schema>>
}
