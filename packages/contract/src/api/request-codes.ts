import { time } from '../fields.ts'
import { NOT_BLANK } from '../patterns.ts'
import { FORM_PHOTO_BYTES } from '../request-fields.ts'
import { route } from '../route.ts'
import { array, integer, nullable, object, optional, type Static, text } from '../schema.ts'
import { mayWrite, SITE } from './site.ts'
import { email, personName } from './site-lists.ts'

const tag = 'Maintenance requests'
const CODES = `${SITE}/request-codes` as const
const FORM = '/api/request-forms/:token' as const
const anyone = { by: 'anyone' } as const

const base64Length = (bytes: number) => 4 * Math.ceil(bytes / 3)

/** A code on a wall or a machine, which leads to a form for requests that needs no account. */
export const RequestCode = object({
  id: text(),
  label: text({ description: 'What the code is on, as the form and the title of its requests show it' }),
  unit: nullable(text(), { description: 'The name of the unit that its requests get' }),
  url: text({ description: 'The address of the form. Anyone who has it can send requests' }),
  createdAt: time(),
})
export interface RequestCode extends Static<typeof RequestCode> {}

/** Requests by people without an account. A site has no codes until a manager adds one. */
export const requestCodeRoutes = {
  listRequestCodes: route({
    method: 'GET',
    path: CODES,
    access: mayWrite,
    tag,
    summary: 'List the codes of a site that lead to a form for people without an account',
    reply: object({ codes: array(RequestCode) }),
  }),
  addRequestCode: route({
    method: 'POST',
    path: CODES,
    access: mayWrite,
    tag,
    summary: 'Add a code for a unit or a piece of equipment, to be printed',
    body: object({
      label: text({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
      unit: optional(nullable(text({ maxLength: 255 }), { description: 'Name of a unit of the site' })),
    }),
    status: 201,
    reply: RequestCode,
  }),
  removeRequestCode: route({
    method: 'DELETE',
    path: `${CODES}/:codeId`,
    access: mayWrite,
    tag,
    summary: 'Remove a code: its form no longer opens. Requests stay',
    status: 204,
  }),
  getRequestForm: route({
    method: 'GET',
    path: FORM,
    access: anyone,
    tag,
    summary: 'What the form of a code is about; needs no key',
    reply: object({ site: text(), label: text(), unit: nullable(text()) }),
  }),
  sendRequestForm: route({
    method: 'POST',
    path: FORM,
    access: anyone,
    tag,
    summary: 'Send a request through the form of a code; needs no key',
    description: 'The request is new. A code and a network may send a few in an hour: 429 says when to try again.',
    body: object({
      description: text({ minLength: 1, maxLength: 4000, pattern: NOT_BLANK }),
      name: optional(personName),
      email: optional(nullable(email, { description: 'Answers go there' })),
      photo: optional(
        text({
          maxLength: base64Length(FORM_PHOTO_BYTES),
          description: `A JPEG, PNG or WebP picture of at most ${FORM_PHOTO_BYTES} bytes, in base64`,
        }),
      ),
    }),
    status: 201,
    reply: object({ number: integer({ description: 'Of the request, to ask about it' }) }),
  }),
} as const
