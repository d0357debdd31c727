import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { type Person, TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { CURSOR, STORABLE } from '../db/patterns.ts'
import type { FileStore } from '../files/file-store.ts'
import { blobKey } from '../files/keys.ts'
import type { ChangeStore, TicketDetails } from './change-store.ts'
import type { CommentStore } from './comment-store.ts'
import type { TicketListStore } from './list-store.ts'
import { OF_SITE, type OfSite, pageOf, paging, pathParams, READS, TAGS, WRITES } from './of-site.ts'
import { readPerson, saidOrSignedIn } from './person.ts'
import { noTicket, numberIn } from './ticket-number.ts'
import { details, givenPerson, ticket, ticketSummary, WRITTEN_BODY_LIMIT } from './ticket-schemas.ts'
import type { TicketStore } from './ticket-store.ts'

const ATTACHMENT_EXPIRES_S = 15 * 60
const COMMENTS_AT_FIRST = 100
/** What a time before it is taken for: the database writes no year 0. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

const searched = (description: string) => ({ type: 'string', maxLength: 255, pattern: STORABLE, description }) as const
const since = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const

const querystring = {
  type: 'object',
  properties: {
    state: { type: 'array', items: { enum: TICKET_STATES }, description: 'Only those in one of these states' },
    priority: { enum: [0, 1, 2, 3], description: 'Only those of this priority' },
    tag: searched('Only those with this tag'),
    unit: searched('Only those of the unit of this name'),
    assignee: searched('Only those assigned to the person with this address'),
    q: searched('Only those with this text in title, externalId, reporter or the beginning of the description'),
    createdSince: since('Only those created then or later'),
    updatedSince: since('Only those changed then or later'),
    total: { enum: ['true', 'false'], description: 'Whether to count all that match; takes longer' },
    ...paging({ pattern: CURSOR }, 100),
  },
} as const

interface ListRoute {
  Params: OfSite
  Querystring: {
    state?: TicketState[]
    priority?: number
    tag?: string
    unit?: string
    assignee?: string
    q?: string
    createdSince?: string
    updatedSince?: string
    total?: 'true' | 'false'
    limit: number
    cursor?: string
  }
}

interface OfTicket {
  Params: OfSite & { number: string }
}

export interface TicketRouteDeps {
  list: TicketListStore
  tickets: TicketStore
  changes: ChangeStore
  comments: Pick<CommentStore, 'list'>
  files: Pick<FileStore, 'downloadUrl'>
  clock: Clock
}

/** The maintenance requests of a site. */
export function ticketRoutes(app: FastifyInstance, deps: TicketRouteDeps): void {
  const { list, tickets, changes, comments, files, clock } = deps

  async function show(siteId: string, number: number) {
    const found = await tickets.find(siteId, number)
    if (!found) throw noTicket(number)
    const page = await comments.list(found.id, { limit: COMMENTS_AT_FIRST })
    return { ...found.ticket, comments: page.comments, commentsCursor: page.next }
  }

  app.get<ListRoute>(
    `${OF_SITE}/tickets`,
    {
      config: READS,
      preValidation: readStates,
      schema: {
        tags: TAGS,
        summary: 'List the requests of a site, the newest first, by pages',
        querystring,
        response: {
          200: pageOf('tickets', ticketSummary, { total: { type: 'integer', description: 'When it was asked for' } }),
        },
      },
    },
    async (request) => {
      const { state, createdSince, updatedSince, total, limit, cursor, ...rest } = request.query
      const { priority, tag, unit, assignee, q } = rest
      const filter = {
        siteId: request.params.propertyId,
        states: state,
        priority,
        tag,
        unit,
        assignee,
        q,
        createdSince: toDate(createdSince),
        updatedSince: toDate(updatedSince),
      }
      const page = await list.list({ ...filter, limit, before: cursor })
      return {
        tickets: page.tickets,
        nextCursor: page.next,
        ...(total === 'true' && { total: await list.count(filter) }),
      }
    },
  )

  app.post<{ Params: OfSite; Body: TicketDetails & { title: string; reporter?: Partial<Person> | null } }>(
    `${OF_SITE}/tickets`,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary: 'Add a request; the site gives it its number, and its reporter is who is signed in unless said',
        body: { type: 'object', required: ['title'], properties: { ...details, reporter: givenPerson } },
        response: { 201: ticket },
      },
    },
    async (request, reply) => {
      const { propertyId } = request.params
      const { title } = request.body
      const reporter = readPerson(saidOrSignedIn(request.body.reporter, request), 'reporter')
      const added = { ...chosenDetails(request.body), title, reporter }
      const number = await changes.add(propertyId, added, new Date(clock.now()))
      return reply.code(201).send(await show(propertyId, number))
    },
  )

  app.get<OfTicket>(
    `${OF_SITE}/tickets/:number`,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'A request with the beginning of its conversation',
        description: 'Text of more than a million characters is shown cut, and ends in …; an export has it whole.',
        response: { 200: ticket },
      },
    },
    async (request) => show(request.params.propertyId, numberIn(request.params.number)),
  )

  app.patch<OfTicket & { Body: TicketDetails }>(
    `${OF_SITE}/tickets/:number`,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary: 'Change a request: its state, whom it is assigned to, and what else is said; the rest stays',
        body: { type: 'object', properties: details },
        response: { 200: ticket },
      },
    },
    async (request) => {
      const { propertyId } = request.params
      const number = numberIn(request.params.number)
      const changed = chosenDetails(request.body)
      if (Object.keys(changed).length === 0) {
        throw new Failure('invalid', `say at least one of: ${DETAIL_NAMES.join(', ')}`, 'body')
      }
      await changes.change(propertyId, number, changed, new Date(clock.now()))
      return show(propertyId, number)
    },
  )

  app.get<{ Params: OfTicket['Params'] & { attachmentId: string } }>(
    `${OF_SITE}/tickets/:number/attachments/:attachmentId`,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'An address of the bytes of an attachment, for a quarter of an hour, which needs no key',
        params: pathParams(['attachmentId'], ['number']),
        response: { 200: { type: 'object', properties: { url: { type: 'string' } } } },
      },
    },
    async (request) => {
      const { propertyId, attachmentId } = request.params
      const number = numberIn(request.params.number)
      const found = await tickets.findAttachment(propertyId, number, attachmentId)
      if (!found)
        throw new Failure('notFound', `request ${number} of this site has no attachment ${shown(attachmentId)}`)
      const url = await files.downloadUrl(blobKey(propertyId, found.sha256), {
        // A name may have folders; where it is saved, the last part counts.
        filename: found.name.split('/').at(-1) ?? found.name,
        contentType: found.contentType,
        expiresInS: ATTACHMENT_EXPIRES_S,
      })
      return { url }
    },
  )
}

const DETAIL_NAMES = Object.keys(details) as (keyof TicketDetails)[]

/** What was said that can be, without what else is in the body. */
function chosenDetails(body: TicketDetails): TicketDetails {
  return Object.fromEntries(DETAIL_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** A state that is named once arrives as a text, one that is named twice as a list. */
const readStates: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as Record<string, unknown>
  if (query.state !== undefined) query.state = [query.state].flat()
  done()
}

function toDate(timestamp: string | undefined): Date | undefined {
  const ms = timestamp === undefined ? undefined : parseTimestamp(timestamp)
  return ms === undefined ? undefined : new Date(Math.max(YEAR_1, ms))
}
