import { TICKET_STATES } from './request-fields.ts'
import { array, boolean, integer, nullable, object, oneOf, optional, type Static, text } from './schema.ts'

/** How many requests of a package a preview shows. */
export const MAX_SAMPLES = 20
/** Longer texts are shortened. */
export const SAMPLE_CHARACTERS = 300

/** A request of a package, shortened, to look at before it is imported. */
export const RequestSample = object({
  row: integer({ description: 'Its place in the package, from 1' }),
  externalId: text(),
  title: text(),
  state: oneOf(TICKET_STATES),
  priority: nullable(integer()),
  description: nullable(text()),
  unit: nullable(text()),
  reporter: nullable(text({ description: 'Name, address or telephone number' })),
  assignee: nullable(text()),
  tags: array(text()),
  createdAt: nullable(text()),
  comments: integer(),
  attachments: integer({ description: 'Of the request and of its comments' }),
  exists: optional(boolean({ description: 'In a preview: the site has it already, so an import skips it' })),
})
export interface RequestSample extends Static<typeof RequestSample> {}
