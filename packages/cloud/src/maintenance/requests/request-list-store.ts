import type { RequestSort, SortOrder } from '@plantroom/contract/api'
import { anyCase, foldEmail, IS_ASCII } from '@plantroom/contract/fold-email'
import { LISTED_COLUMN_FIELDS } from '@plantroom/contract/request-fields'
import { TICKET_STATES, type TicketState, type TicketSummary } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type PageQuery, pageOf } from '../../platform/db/page.ts'
import { columnsOf, readColumns } from './column-values.ts'
import { personFrom, shownPerson } from './person.ts'
import { type Position, readCursor, sortingOf, writeCursor } from './request-sort.ts'

// A package may contain 100,000 tags for one request.
const TAGS_SHOWN = 100

export interface RequestFilter {
  siteId: string
  states?: readonly TicketState[] | undefined
  priority?: number | undefined
  tag?: string | undefined
  /** Name of the unit. */
  unit?: string | undefined
  /** Email of the assignee, in any case; `null` for requests without one. */
  assignee?: string | null | undefined
  /** Email of the reporter, in any case. */
  reporter?: string | undefined
  /** Text in the title, external id, reporter, or the beginning of the description or of a comment; or a number. */
  q?: string | undefined
  createdSince?: Date | undefined
  createdUntil?: Date | undefined
  updatedSince?: Date | undefined
}

interface PageOf extends PageQuery {
  sort: RequestSort
  order: SortOrder
}

interface RequestPage {
  requests: TicketSummary[]
  /** The `cursor` of the next page; `null` on the last page. */
  next: string | null
}

interface RequestCounts {
  total: number
  /** In every state, also in those that the filter leaves out. */
  byState: Record<TicketState, number>
}

export type RequestListStore = ReturnType<typeof createRequestListStore>

/** Lists the requests of a site. */
export function createRequestListStore(db: Db) {
  return {
    /** Returns one page. Rejects with `invalid` for a cursor of another order. */
    list: (filter: RequestFilter & PageOf): Promise<RequestPage> => listPage(db, filter),

    /** Counts all matching requests, whichever page is shown. Slow on a large site: it looks at every row. */
    async count(filter: RequestFilter): Promise<RequestCounts> {
      const rows = await (await matching(db, { ...filter, states: undefined }))
        .select(['ticket.state', sql<string>`count(*)`.as('count')])
        .groupBy('ticket.state')
        .execute()
      const found = new Map(rows.map(({ state, count }) => [state, Number(count)]))
      const byState = Object.fromEntries(TICKET_STATES.map((state) => [state, found.get(state) ?? 0]))
      const total = (filter.states ?? TICKET_STATES).reduce((sum, state) => sum + (found.get(state) ?? 0), 0)
      return { total, byState: byState as RequestCounts['byState'] }
    },
  }
}

async function matching(db: Db, filter: RequestFilter) {
  const { siteId, states, priority, tag, unit, assignee, reporter, q, createdSince, createdUntil, updatedSince } =
    filter
  let rows = db.selectFrom('ticket').where('ticket.site_id', '=', siteId)
  if (states) rows = rows.where('ticket.state', '=', sql<TicketState>`ANY(${[...states]}::text[])`)
  if (priority !== undefined) rows = rows.where('ticket.priority', '=', priority)
  if (unit !== undefined) {
    const ofName = db.selectFrom('unit').where('site_id', '=', siteId).where('name', '=', unit.trim())
    rows = rows.where('ticket.unit_id', '=', ofName.select('id'))
  }
  if (assignee === null) rows = rows.where('ticket.assignee_id', 'is', null)
  else if (assignee !== undefined) {
    rows = rows.where('ticket.assignee_id', '=', personOf(db, siteId, assignee).select('id'))
  }
  if (reporter !== undefined) {
    // Without a link to a person of the site, a request has only the email.
    const linked = personOf(db, siteId, reporter).select('id')
    rows = rows.where(({ or, and, eb }) =>
      or([
        eb('ticket.reporter_id', '=', linked),
        and([eb('ticket.reporter_id', 'is', null), eb('ticket.reporter_email', '~', `^${anyCase(reporter)}$`)]),
      ]),
    )
  }
  if (tag !== undefined) {
    const ofName = db.selectFrom('tag').where('site_id', '=', siteId).where('name', '=', tag.trim())
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('ticket_tag')
          .whereRef('ticket_tag.ticket_id', '=', 'ticket.id')
          .where('tag_id', '=', ofName.select('id'))
          .select('position'),
      ),
    )
  }
  if (createdSince) rows = rows.where('ticket.created_at', '>=', createdSince)
  if (createdUntil) rows = rows.where('ticket.created_at', '<', createdUntil)
  if (updatedSince) rows = rows.where(sql`coalesce(ticket.updated_at, ticket.created_at)`, '>=', updatedSince)
  return q === undefined ? rows : rows.where('ticket.id', 'in', await found(db, siteId, q))
}

function personOf(db: Db, siteId: string, email: string) {
  return db.selectFrom('person').where('person.site_id', '=', siteId).where('person.email_key', '=', foldEmail(email))
}

/** The ids of the requests that a search finds: one list, so that the database hashes it once and joins with it. */
async function found(db: Db, siteId: string, q: string) {
  const pattern = anyCase(q)
  const people = await db
    .selectFrom('person')
    .where('site_id', '=', siteId)
    .where((eb) => eb.or([eb('email', '~', pattern), eb('name', '~', pattern)]))
    .select('id')
    .execute()
  let ids = db.selectFrom('ticket_text').where('site_id', '=', siteId).where(isIn(q)).select('ticket_id as id')
  const ofSite = db.selectFrom('ticket').where('site_id', '=', siteId).select('id')
  if (people.length > 0) {
    ids = ids.unionAll(ofSite.where('reporter_id', '=', sql<string>`ANY(${people.map(({ id }) => id)}::text[])`))
  }
  const number = numberIn(q)
  if (number !== undefined) ids = ids.unionAll(ofSite.where('number', '=', number))
  // The offset keeps the database from looking up the text of one request after the other: it cannot know how rare the
  // searched text is, and for a rare one that takes seconds.
  return db.selectFrom(ids.as('found')).select('found.id').offset(0)
}

const MAX_NUMBER = 2 ** 31 - 1

/** The number of a request in a search, like `299` or `#299`. */
function numberIn(q: string | undefined): number | undefined {
  const digits = /^#?(\d{1,10})$/.exec(q?.trim() ?? '')?.[1]
  return digits === undefined || Number(digits) > MAX_NUMBER ? undefined : Number(digits)
}

async function listPage(db: Db, filter: RequestFilter & PageOf): Promise<RequestPage> {
  const { sort, order, limit, cursor } = filter
  const sorting = sortingOf({ sort, order, first: numberIn(filter.q) })
  let rows = (await matching(db, filter)).leftJoin('person as sorted_assignee', (join) =>
    // For any other sort the join matches nothing, and costs nothing.
    sort === 'assignee' ? join.onRef('sorted_assignee.id', '=', 'ticket.assignee_id') : join.on(sql<boolean>`false`),
  )
  if (cursor !== undefined) rows = rows.where(sorting.after(readCursor(filter, cursor)))
  // Names and comments are joined afterwards, for the rows of this page only.
  const page = rows
    .select(['ticket.id', 'reporter_id', 'reporter_email', 'reporter_name', 'reporter_phone', 'assignee_id', 'unit_id'])
    .select(columnsOf(LISTED_COLUMN_FIELDS))
    .select([sorting.rank.as('sort_rank'), sorting.value.as('sort_value')])
    .orderBy(sorting.orderBy)
    // One extra row shows whether there is a next page.
    .limit(limit + 1)
  const found = await db
    .selectFrom(page.as('ticket'))
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .selectAll('ticket')
    .select(['reporter.email as person_email', 'reporter.name as person_name', 'reporter.phone as person_phone'])
    .select(['assignee.email as assignee_email', 'assignee.name as assignee_name'])
    .select(['assignee.phone as assignee_phone', 'unit.name as unit'])
    .select([
      sql<string[]>`ARRAY(
        SELECT tag.name FROM ticket_tag JOIN tag ON tag.id = ticket_tag.tag_id
        WHERE ticket_tag.ticket_id = ticket.id ORDER BY ticket_tag.position LIMIT ${sql.lit(TAGS_SHOWN)}
      )`.as('tags'),
      sql<number>`(SELECT count(*)::integer FROM ticket_comment WHERE ticket_id = ticket.id)`.as('comment_count'),
    ])
    .select(sql<string | null>`ticket.sort_value::text`.as('position_value'))
    .orderBy(sql`ticket.sort_rank, ticket.sort_value ${sql.raw(order)}, ticket.number ${sql.raw(order)}`)
    .execute()
  const cursorOf = (row: (typeof found)[number]) => writeCursor(filter, positionOf(row))
  const { items, next } = pageOf(found, limit, cursorOf, (row) => ({
    ...readColumns(LISTED_COLUMN_FIELDS, row),
    reporter: shownPerson(
      personFrom(row.person_email, row.person_name, row.person_phone),
      personFrom(row.reporter_email, row.reporter_name, row.reporter_phone),
    ),
    assignee: personFrom(row.assignee_email, row.assignee_name, row.assignee_phone),
    unit: row.unit,
    tags: row.tags,
    commentCount: row.comment_count,
  }))
  return { requests: items, next }
}

function positionOf(row: { sort_rank: number; position_value: string | null; number: number }): Position {
  return { rank: row.sort_rank, value: row.position_value, number: row.number }
}

/** Finds a text in the searched text, which is in small letters as far as the locale of the database knows them. */
function isIn(q: string) {
  // Comparing bytes is several times as fast.
  return IS_ASCII.test(q) ? sql<boolean>`strpos(text, ${q.toLowerCase()}) > 0` : sql<boolean>`text ~ ${anyCase(q)}`
}
