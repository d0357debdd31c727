import { named, nextCursor, paging, storable, time } from '../fields.ts'
import { NOT_BLANK, PERSON_EMAIL } from '../patterns.ts'
import { route } from '../route.ts'
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  type Schema,
  type Static,
  text,
} from '../schema.ts'
import { mayRead, mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const PERSON = `${SITE}/people/:personId` as const

export const email = text({ maxLength: 255, pattern: PERSON_EMAIL })
export const personName = nullable(text({ maxLength: 255 }))
export const phone = nullable(text({ maxLength: 64 }))

export const byDate = paging({ most: 1000, default: 100 })
const byName = paging({ most: 1000, default: 1000 }, storable())

export const pageOf = <const Name extends string, Item extends Schema>(name: Name, item: Item) => {
  const list: Record<string, Schema> = { [name]: array(item), nextCursor }
  return object(list as Record<Name, Schema<readonly Static<Item>[]>> & { nextCursor: typeof nextCursor })
}

/** A person of a site, to whom requests can be assigned. */
export const SitePerson = object({
  id: text({ description: 'Of a member whom no request refers to yet: the id of their account' }),
  email: text(),
  name: nullable(text()),
  phone: nullable(text()),
  member: optional(boolean({ description: 'Present and true for members who have a role on the site' })),
})
export interface SitePerson extends Static<typeof SitePerson> {}
export const PersonChanges = partial({ email, name: personName, phone })
export interface PersonChanges extends Static<typeof PersonChanges> {}

export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const
/** A mail to the reporter of a request, or a test mail. */
export const OutboxMail = object({
  id: text(),
  ticketNumber: nullable(integer(), {
    description: 'The request it is about; null when that is gone, and for a test mail',
  }),
  recipient: text(),
  subject: text(),
  body: text({ description: 'Plain text' }),
  state: oneOf(MAIL_STATES, { description: 'failed: delivery was given up; error says why' }),
  attempts: integer(),
  error: nullable(text(), { description: 'Why the last attempt failed' }),
  createdAt: time(),
  sentAt: nullable(text(), { description: 'When the mail server accepted it' }),
})
export interface OutboxMail extends Static<typeof OutboxMail> {}

/** What requests of a site refer to, and the mails about them. */
export const siteListRoutes = {
  listPeople: route({
    method: 'GET',
    path: `${SITE}/people`,
    access: mayRead,
    tag,
    summary: 'List the people of a site by email, by pages: those that were added, and members with a role on the site',
    query: object(byName),
    reply: pageOf('people', SitePerson),
  }),
  addPerson: route({
    method: 'POST',
    path: `${SITE}/people`,
    access: mayWrite,
    tag,
    summary: 'Add a person to a site',
    body: object({ ...PersonChanges.properties, email }),
    status: 201,
    reply: SitePerson,
  }),
  changePerson: route({
    method: 'PATCH',
    path: PERSON,
    access: mayWrite,
    tag,
    summary: 'Change a person of a site; their requests and comments stay linked, also under another email',
    body: PersonChanges,
    reply: SitePerson,
  }),
  removePerson: route({
    method: 'DELETE',
    path: PERSON,
    access: mayWrite,
    tag,
    summary: 'Remove a person from a site; their requests and comments stay, with the name given in them',
    status: 204,
  }),

  listUnits: route({
    method: 'GET',
    path: `${SITE}/units`,
    access: mayRead,
    tag,
    summary: 'List the units of a site by name, by pages',
    query: object(byName),
    reply: pageOf('units', named),
  }),
  addUnit: route({
    method: 'POST',
    path: `${SITE}/units`,
    access: mayWrite,
    tag,
    summary: 'Add a unit to a site',
    body: object({ name: text({ minLength: 1, maxLength: 255, pattern: NOT_BLANK }) }),
    status: 201,
    reply: named,
  }),
  removeUnit: route({
    method: 'DELETE',
    path: `${SITE}/units/:unitId`,
    access: mayWrite,
    tag,
    summary: 'Remove a unit from a site; its requests stay, without a unit',
    status: 204,
  }),
  listTags: route({
    method: 'GET',
    path: `${SITE}/tags`,
    access: mayRead,
    tag,
    summary: 'List the tags of a site by name, by pages; requests create their tags',
    query: object(byName),
    reply: pageOf('tags', named),
  }),
  listOutbox: route({
    method: 'GET',
    path: `${SITE}/outbox`,
    // It quotes conversations with people by name: not for a key that only reads requests.
    access: mayWrite,
    tag,
    summary: 'List mails to the reporters of requests and to mentioned people, the newest first, by pages',
    query: object(byDate),
    reply: pageOf('mails', OutboxMail),
  }),
} as const
