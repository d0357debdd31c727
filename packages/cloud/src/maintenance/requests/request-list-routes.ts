import type { CsvCell } from '@plantroom/base/csv'
import { API, type Api } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { columnField, LISTED_COLUMN_FIELDS, type ListedColumnField } from '@plantroom/contract/request-fields'
import type { ValidQuery } from '@plantroom/contract/route'
import type { Person, TicketSummary } from '@plantroom/contract/tickets'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import { sendCsv } from '../../platform/streams/index.ts'
import type { RequestFilter, RequestListStore } from './request-list-store.ts'

const MAX_LIMIT = 1000
/** Earlier times count as this one: the database has no year 0. */
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

/** Lists the maintenance requests of a site, as pages or as one CSV file. */
export function requestListRoutes(app: FastifyInstance, { list }: { list: RequestListStore }): void {
  addRoute(
    app,
    API.listRequests,
    async (request, reply) => {
      const { sort, order, limit, cursor, total, format } = request.query
      const filter = readFilter(request.query, request.params.propertyId, request.email)
      if (format === 'csv') {
        return sendCsv<TicketSummary>(reply, {
          filename: 'requests.csv',
          columns: COLUMNS.map(([name]) => name),
          cells: (ticket) => COLUMNS.map(([, cell]) => cell(ticket)),
          async read(cursor) {
            const { requests, next } = await list.list({ ...filter, sort, order, limit: MAX_LIMIT, cursor })
            return { items: requests, next }
          },
        })
      }
      const page = await list.list({ ...filter, sort, order, limit, cursor })
      return reply.type('application/json').send({
        tickets: page.requests,
        nextCursor: page.next,
        ...(total === 'true' && { total: (await list.count(filter)).total }),
      })
    },
    { preValidation: readStates },
  )
  addRoute(
    app,
    API.getRequestCounts,
    (request) => list.count(readFilter(request.query, request.params.propertyId, request.email)),
    { preValidation: readStates },
  )
}

/** Reads the filters. `me` is the email of the signed-in person; keys and the operator have none. */
function readFilter(query: ValidQuery<Api['getRequestCounts']>, siteId: string, me: string | undefined): RequestFilter {
  const { state, priority, tag, unit, reporter, q, createdSince, createdUntil, updatedSince } = query
  return {
    siteId,
    states: state,
    priority,
    tag,
    unit,
    assignee: readAssignee(query, me),
    reporter,
    q,
    createdSince: toDate(createdSince),
    createdUntil: toDate(createdUntil),
    updatedSince: toDate(updatedSince),
  }
}

function readAssignee(
  { assignee, assigned }: Pick<ValidQuery<Api['getRequestCounts']>, 'assignee' | 'assigned'>,
  me: string | undefined,
): string | null | undefined {
  if (assigned === undefined) return assignee
  if (assignee !== undefined) {
    throw new Failure('invalid', 'assigned and assignee exclude each other: send one of them', 'assigned')
  }
  if (assigned === 'nobody') return null
  if (me === undefined) {
    throw new Failure('invalid', 'assigned=me is for signed-in people: send the email as assignee instead', 'assigned')
  }
  return me
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

const person = (of: Person | null) => of?.name?.trim() || of?.email || of?.phone || null

type Column = readonly [name: string, cell: (ticket: TicketSummary) => CsvCell]

const isTime = (name: ListedColumnField) => columnField(name).type === 'timestamptz'
const [times, values] = [LISTED_COLUMN_FIELDS.filter(isTime), LISTED_COLUMN_FIELDS.filter((name) => !isTime(name))]
const columnOf = (name: ListedColumnField): Column => {
  return [name, ({ [name]: value }) => (typeof value === 'boolean' ? String(value) : value)]
}

/** The columns of the CSV file. The id of the other system comes last. */
const COLUMNS: readonly Column[] = [
  ...values.filter((name) => name !== 'externalId').map(columnOf),
  ['reporter', ({ reporter }) => person(reporter)],
  ['reporterEmail', ({ reporter }) => reporter?.email ?? null],
  ['assignee', ({ assignee }) => person(assignee)],
  ['assigneeEmail', ({ assignee }) => assignee?.email ?? null],
  ['unit', ({ unit }) => unit],
  ['tags', ({ tags }) => tags.join('; ')],
  ['comments', ({ commentCount }) => commentCount],
  ...times.map(columnOf),
  columnOf('externalId'),
]
