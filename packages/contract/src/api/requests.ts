import { givenTime, nextCursor, paging, storable } from '../fields.ts'
import { NOT_BLANK } from '../patterns.ts'
import {
  ATTACHED_FILES,
  columnField,
  EDITABLE_COLUMN_FIELDS,
  type EditableColumnField,
  type REQUEST_FIELDS,
  TICKET_STATES,
  WRITTEN_CHARACTERS,
} from '../request-fields.ts'
import { route } from '../route.ts'
import {
  array,
  boolean,
  defaulted,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  record,
  type Static,
  text,
} from '../schema.ts'
import { Ticket, TicketComment, TicketSummary } from '../tickets.ts'
import { mayRead, mayWrite, SITE } from './site.ts'
import { byDate, email, pageOf, personName, phone } from './site-lists.ts'

const tag = 'Maintenance requests'
const REQUEST = `${SITE}/tickets/:number` as const
/** Most tags or watchers in one body. */
const MAX_NAMED = 100

const label = text({ maxLength: 255, pattern: NOT_BLANK })
/** What the list of requests can be sorted by. */
export const REQUEST_SORTS = ['created', 'changed', 'number', 'priority', 'state', 'title', 'assignee'] as const
export type RequestSort = (typeof REQUEST_SORTS)[number]
export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]
/** A position in the list of requests, which contains the value that the list is sorted by. */
const LIST_CURSOR = '^[A-Za-z0-9_-]{1,4000}$'

/** A person in a body: at least one of the fields. */
export const GivenPerson = nullable(partial({ email: nullable(email), name: personName, phone }), {
  description: 'Needs an email, a name or a phone. Linked to a person of the site with this email, or kept as text',
})
export type GivenPerson = Static<typeof GivenPerson>

const columnEdits = Object.fromEntries(EDITABLE_COLUMN_FIELDS.map((name) => [name, columnField(name).edit])) as {
  [Name in EditableColumnField]: (typeof REQUEST_FIELDS)[Name]['edit']
}
/** The fields that a caller can set when adding or changing a request. */
export const RequestDetails = partial({
  ...columnEdits,
  assignee: nullable(email, { description: 'Email of a person of the site' }),
  supervisor: nullable(email, { description: 'Email of a person of the site' }),
  watchers: array(email, { maxItems: MAX_NAMED, description: 'Emails of people of the site' }),
  unit: nullable(label, { description: 'Name of a unit of the site' }),
  tags: array(label, { maxItems: MAX_NAMED, description: 'Tags that the site lacks are created' }),
})
export interface RequestDetails extends Static<typeof RequestDetails> {}

/** Uploaded files in a body. */
const GivenAttachments = array(
  object({
    uploadId: text({ maxLength: 100, pattern: '^[A-Za-z0-9_-]+$', description: 'From upload-url' }),
    name: text({ minLength: 1, maxLength: 255, description: 'Folders are left out; equal names get a number' }),
    contentType: optional(nullable(text({ maxLength: 255 }))),
  }),
  { maxItems: ATTACHED_FILES, description: 'Files that were uploaded before. All are attached, or nothing is added' },
)
export type GivenAttachments = Static<typeof GivenAttachments>

/** A request with the beginning of its conversation. */
export const ShownTicket = object({
  ...Ticket.properties,
  commentsCursor: nullable(text(), {
    description: 'The cursor of the comments after these; null when all are included',
  }),
})
export interface ShownTicket extends Static<typeof ShownTicket> {}

/** Most requests in one change. */
export const MAX_CHANGED = 500
/** What can be changed for many requests in one call. */
export const RequestChanges = partial({
  state: columnEdits.state,
  priority: columnEdits.priority,
  assignee: nullable(email, { description: 'Email of a person of the site; null for nobody' }),
  addTags: array(label, { maxItems: MAX_NAMED, description: 'Tags that the site lacks are created' }),
  removeTags: array(label, { maxItems: MAX_NAMED }),
})
export interface RequestChanges extends Static<typeof RequestChanges> {}

/** What became of one of the requests. */
export const ChangeOutcome = object({
  number: integer(),
  outcome: oneOf(['changed', 'unchanged', 'failed'], { description: 'unchanged: it had these values already' }),
  message: nullable(text(), { description: 'Why it failed' }),
})
export interface ChangeOutcome extends Static<typeof ChangeOutcome> {}

/** A name for filters and an order of the list. */
export const RequestView = object({
  id: text(),
  name: text(),
  query: text({ description: 'The query of the address of the list, without ?' }),
  shared: boolean({ description: 'Everybody on the site has it; otherwise only the signed-in person' }),
})
export interface RequestView extends Static<typeof RequestView> {}

/** Which requests of a site. */
const requestFilters = {
  state: optional(array(oneOf(TICKET_STATES), { description: 'Only requests in one of these states' })),
  priority: optional(oneOf([0, 1, 2, 3], { description: 'Only requests with this priority' })),
  tag: optional(storable('Only requests with this tag')),
  unit: optional(storable('Only requests of the unit with this name')),
  assignee: optional(storable('Only requests assigned to the person with this email')),
  assigned: optional(
    oneOf(['me', 'nobody'], {
      description: 'Only requests assigned to the signed-in person, or to nobody. Keys have no "me"',
    }),
  ),
  reporter: optional(storable('Only requests reported by the person with this email')),
  q: optional(
    storable(
      'Only requests with this text in the title, externalId, reporter, or the beginning of the description or of a comment. A number, with or without #, also finds the request with that number and lists it first',
    ),
  ),
  createdSince: optional(givenTime('Only requests created at or after this time')),
  createdUntil: optional(givenTime('Only requests created before this time')),
  updatedSince: optional(givenTime('Only requests changed at or after this time')),
} as const
const requestTotal = integer({ description: 'The number of matching requests' })
const requestsByState = record(integer(), {
  description: 'The number of requests in each state that match the other filters',
})

/** Maintenance requests of a site, with their comments and the views of their list. */
export const requestRoutes = {
  listRequests: route({
    method: 'GET',
    path: `${SITE}/tickets`,
    access: mayRead,
    tag,
    summary: 'List the requests of a site, the newest first unless sorted otherwise, by pages',
    query: object({
      ...requestFilters,
      sort: defaulted(
        oneOf(REQUEST_SORTS, {
          description:
            'state in the order of the states; assignee by name. Requests without a priority or an assignee come last',
        }),
        'created',
      ),
      order: defaulted(
        oneOf(SORT_ORDERS, { description: 'Equal ones are sorted by number in the same order' }),
        'desc',
      ),
      total: optional(oneOf(['true', 'false'], { description: 'Whether to count all matching requests; slower' })),
      format: defaulted(oneOf(['json', 'csv'], { description: 'csv contains all matching requests' }), 'json'),
      ...paging({ most: 1000, default: 100 }, text({ pattern: LIST_CURSOR })),
    }),
    reply: object({
      tickets: array(TicketSummary),
      nextCursor,
      total: optional(integer({ description: 'Present when asked for' })),
    }),
    alsoAs: 'text/csv',
  }),
  addRequest: route({
    method: 'POST',
    path: `${SITE}/tickets`,
    access: mayWrite,
    tag,
    summary: 'Add a request; the site assigns its number, and the reporter defaults to the signed-in person',
    body: object({
      ...RequestDetails.properties,
      title: label,
      reporter: optional(GivenPerson),
      attachments: optional(GivenAttachments),
      alertId: optional(storable('The alert of this site that the request is about; it shows the request')),
    }),
    status: 201,
    reply: ShownTicket,
  }),
  getRequest: route({
    method: 'GET',
    path: REQUEST,
    access: mayRead,
    tag,
    summary: 'Get a request with its first comments',
    description: 'Text of more than a million characters is shortened and ends in …; an export contains all of it.',
    reply: ShownTicket,
  }),
  changeRequest: route({
    method: 'PATCH',
    path: REQUEST,
    access: mayWrite,
    tag,
    summary: 'Change fields of a request; the others stay as they are',
    description:
      'With `before`, the values that you have seen: 409, and nothing changes, if one of them is different now.',
    body: object({ ...RequestDetails.properties, before: optional(RequestDetails) }),
    reply: ShownTicket,
  }),
  getAttachmentUrl: route({
    method: 'GET',
    path: `${REQUEST}/attachments/:attachmentId`,
    access: mayRead,
    tag,
    summary: 'Get an address of an attachment that needs no key, valid for 15 minutes',
    reply: object({ url: text() }),
  }),
  listComments: route({
    method: 'GET',
    path: `${REQUEST}/comments`,
    access: mayRead,
    tag,
    summary: 'List the comments of a request in order, by pages',
    description: 'A page of long comments contains fewer of them than requested.',
    query: object(byDate),
    reply: pageOf('comments', TicketComment),
  }),
  addComment: route({
    method: 'POST',
    path: `${REQUEST}/comments`,
    access: mayWrite,
    tag,
    summary: 'Add a staff comment and mail it to the reporter; a person comments under their own name',
    body: object({
      content: text({
        maxLength: WRITTEN_CHARACTERS,
        description: 'Plain text. May be blank only with an attachment',
      }),
      author: optional(GivenPerson),
      attachments: optional(GivenAttachments),
      mentions: optional(
        array(text({ maxLength: 255 }), {
          maxItems: MAX_NAMED,
          description:
            'User ids of people with a role on the site, who get a mail. The content writes each as @ and the name',
        }),
      ),
    }),
    status: 201,
    reply: object({
      ...TicketComment.properties,
      mailedTo: nullable(text(), { description: 'Null when the reporter has no email or is the author' }),
    }),
  }),

  getRequestCounts: route({
    method: 'GET',
    path: `${SITE}/tickets/counts`,
    access: mayRead,
    tag,
    summary: 'Count the requests of a site that match filters, all together and by state',
    query: object(requestFilters),
    reply: object({ total: requestTotal, byState: requestsByState }),
  }),
  changeRequests: route({
    method: 'POST',
    path: `${SITE}/tickets/changes`,
    access: mayWrite,
    tag,
    summary: `Change up to ${MAX_CHANGED} requests in one call, each by the rules of a single change`,
    description:
      'Requests that fail stay as they are; the others are changed. The call itself fails, and changes nothing, when the site lacks the assignee.',
    body: object({
      ...RequestChanges.properties,
      numbers: array(integer({ minimum: 1, maximum: 2_147_483_647 }), {
        minItems: 1,
        maxItems: MAX_CHANGED,
        uniqueItems: true,
      }),
    }),
    reply: object({
      outcomes: array(ChangeOutcome),
      undoId: nullable(text(), { description: 'Undoes this change, for one minute; null when nothing changed' }),
    }),
  }),
  undoRequestChanges: route({
    method: 'POST',
    path: `${SITE}/tickets/changes/:undoId/undo`,
    access: mayWrite,
    tag,
    summary: 'Restore the values before a change of many requests; only for who made it, within one minute',
    description: 'A request whose values were changed again since then fails and stays as it is.',
    reply: object({ outcomes: array(ChangeOutcome) }),
  }),
  listRequestViews: route({
    method: 'GET',
    path: `${SITE}/request-views`,
    access: mayRead,
    tag,
    summary: 'List the saved views of the list of requests: those of the site and your own',
    reply: object({ views: array(RequestView) }),
  }),
  addRequestView: route({
    method: 'POST',
    path: `${SITE}/request-views`,
    // A viewer may save views of their own.
    access: mayRead,
    tag,
    summary: 'Save a view of the list of requests; a shared one needs the rights to change requests. Not for API keys',
    body: object({
      name: text({ maxLength: 100, pattern: NOT_BLANK }),
      query: text({ maxLength: 2000, pattern: '^[^\\u0000-\\u0020]*$' }),
      shared: boolean(),
    }),
    status: 201,
    reply: RequestView,
  }),
  removeRequestView: route({
    method: 'DELETE',
    path: `${SITE}/request-views/:viewId`,
    access: mayRead,
    tag,
    summary: 'Remove a saved view; a shared one needs the rights to change requests. Not for API keys',
    status: 204,
  }),
} as const
