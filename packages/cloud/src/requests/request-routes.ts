import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { type Person, TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { CURSOR, STORABLE } from '../db/patterns.ts'
import { blobKey, type FileStore } from '../files/index.ts'
import type { ChangeStore, RequestDetails } from './change-store.ts'
import type { CommentStore } from './comment-store.ts'
import { givenOrSignedIn, readPerson } from './person.ts'
import type { RequestListStore } from './request-list-store.ts'
import {
  DETAIL_NAMES,
  details,
  givenPerson,
  request as requestSchema,
  requestSummary,
  WRITTEN_BODY_LIMIT,
} from './request-schemas.ts'
import type { RequestStore } from './request-store.ts'
import {
  noRequest,
  OF_SITE,
  type OfSite,
  pageOf,
  paging,
  pathParams,
  READS,
  readNumber,
  TAGS,
  WRITES,
} from './site-routes.ts'

const ATTACHMENT_EXPIRES_S = 15 * 60
const COMMENTS_AT_FIRST = 100
/** Earlier times count as this one: the database has no year 0. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

const searched = (description: string) => ({ type: 'string', maxLength: 255, pattern: STORABLE, description }) as const
const since = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const

const querystring = {
  type: 'object',
  properties: {
    state: { type: 'array', items: { enum: TICKET_STATES }, description: 'Only requests in one of these states' },
    priority: { enum: [0, 1, 2, 3], description: 'Only requests with this priority' },
    tag: searched('Only requests with this tag'),
    unit: searched('Only requests of the unit with this name'),
    assignee: searched('Only requests assigned to the person with this email'),
    q: searched('Only requests with this text in the title, externalId, reporter or the beginning of the description'),
    createdSince: since('Only requests created at or after this time'),
    updatedSince: since('Only requests changed at or after this time'),
    total: { enum: ['true', 'false'], description: 'Whether to count all matching requests; slower' },
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

interface OfRequest {
  Params: OfSite & { number: string }
}

export interface RequestRouteDeps {
  list: RequestListStore
  requests: RequestStore
  changes: ChangeStore
  comments: Pick<CommentStore, 'list'>
  files: Pick<FileStore, 'downloadUrl'>
  clock: Clock
}

/** Lists, shows, adds and changes the maintenance requests of a site. */
export function requestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  listRoute(app, deps)
  addRoute(app, deps)
  showRoute(app, deps)
  changeRoute(app, deps)
  attachmentRoute(app, deps)
}

async function showRequest({ requests, comments }: RequestRouteDeps, siteId: string, number: number) {
  const found = await requests.find(siteId, number)
  if (!found) throw noRequest(number)
  const page = await comments.list(found.id, { limit: COMMENTS_AT_FIRST })
  return { ...found.request, comments: page.comments, commentsCursor: page.next }
}

function listRoute(app: FastifyInstance, { list }: Pick<RequestRouteDeps, 'list'>): void {
  app.get<ListRoute>(
    `${OF_SITE}/tickets`,
    {
      config: READS,
      preValidation: readStates,
      schema: {
        tags: TAGS,
        summary: 'List the requests of a site, newest first, in pages',
        querystring,
        response: {
          200: pageOf('tickets', requestSummary, { total: { type: 'integer', description: 'Present when requested' } }),
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
        tickets: page.requests,
        nextCursor: page.next,
        ...(total === 'true' && { total: await list.count(filter) }),
      }
    },
  )
}

function addRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  app.post<{ Params: OfSite; Body: RequestDetails & { title: string; reporter?: Partial<Person> | null } }>(
    `${OF_SITE}/tickets`,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary: 'Add a request. The site assigns its number; the reporter defaults to the signed-in user',
        body: { type: 'object', required: ['title'], properties: { ...details, reporter: givenPerson } },
        response: { 201: requestSchema },
      },
    },
    async (request, reply) => {
      const { propertyId } = request.params
      const { title } = request.body
      const reporter = readPerson(givenOrSignedIn(request.body.reporter, request), 'reporter')
      const added = { ...chosenDetails(request.body), title, reporter }
      const number = await deps.changes.add(propertyId, added, new Date(deps.clock.now()))
      return reply.code(201).send(await showRequest(deps, propertyId, number))
    },
  )
}

function showRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  app.get<OfRequest>(
    `${OF_SITE}/tickets/:number`,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'Get a request with its first comments',
        description: 'Text of more than a million characters is shortened and ends in …; an export contains all of it.',
        response: { 200: requestSchema },
      },
    },
    async (request) => showRequest(deps, request.params.propertyId, readNumber(request.params.number)),
  )
}

function changeRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  app.patch<OfRequest & { Body: RequestDetails }>(
    `${OF_SITE}/tickets/:number`,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary: 'Change fields of a request; the others stay as they are',
        body: { type: 'object', properties: details },
        response: { 200: requestSchema },
      },
    },
    async (request) => {
      const { propertyId } = request.params
      const number = readNumber(request.params.number)
      const changed = chosenDetails(request.body)
      if (Object.keys(changed).length === 0) {
        throw new Failure('invalid', `give at least one of: ${DETAIL_NAMES.join(', ')}`, 'body')
      }
      await deps.changes.change(propertyId, number, changed, new Date(deps.clock.now()))
      return showRequest(deps, propertyId, number)
    },
  )
}

function attachmentRoute(
  app: FastifyInstance,
  { requests, files }: Pick<RequestRouteDeps, 'requests' | 'files'>,
): void {
  app.get<{ Params: OfRequest['Params'] & { attachmentId: string } }>(
    `${OF_SITE}/tickets/:number/attachments/:attachmentId`,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'Get a download address of an attachment. It needs no key and is valid for 15 minutes',
        params: pathParams(['attachmentId'], ['number']),
        response: { 200: { type: 'object', properties: { url: { type: 'string' } } } },
      },
    },
    async (request) => {
      const { propertyId, attachmentId } = request.params
      const number = readNumber(request.params.number)
      const found = await requests.findAttachment(propertyId, number, attachmentId)
      if (!found)
        throw new Failure('notFound', `request ${number} of this site has no attachment ${shown(attachmentId)}`)
      const url = await files.downloadUrl(blobKey(propertyId, found.sha256), {
        // The name may contain folders; the download uses its last part.
        filename: found.name.split('/').at(-1) ?? found.name,
        contentType: found.contentType,
        expiresInS: ATTACHMENT_EXPIRES_S,
      })
      return { url }
    },
  )
}

/** Picks the known fields of a body. */
function chosenDetails(body: RequestDetails): RequestDetails {
  return Object.fromEntries(DETAIL_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** Makes `state` a list: the query parser returns one value as text and several as a list. */
const readStates: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as Record<string, unknown>
  if (query.state !== undefined) query.state = [query.state].flat()
  done()
}

function toDate(timestamp: string | undefined): Date | undefined {
  const ms = timestamp === undefined ? undefined : parseTimestamp(timestamp)
  return ms === undefined ? undefined : new Date(Math.max(YEAR_1, ms))
}
