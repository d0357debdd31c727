import { LISTED_COLUMN_FIELDS } from '@plantroom/contract/request-fields'
import type { TicketState, TicketSummary } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { columnsOf, readColumns } from './column-values.ts'
import { personFrom, shownPerson } from './person.ts'

// A package may contain a description of 90 MB and 100,000 tags for one request.
const SEARCHED_CHARACTERS = 10_000
const TAGS_SHOWN = 100

interface RequestFilter {
  siteId: string
  states?: readonly TicketState[] | undefined
  priority?: number | undefined
  tag?: string | undefined
  /** Name of the unit. */
  unit?: string | undefined
  /** Email of the assignee, in any case. */
  assignee?: string | undefined
  /** Text in the title, external id, reporter or the beginning of the description. */
  q?: string | undefined
  createdSince?: Date | undefined
  updatedSince?: Date | undefined
}

interface RequestPage {
  requests: TicketSummary[]
  /** The `before` of the next page; `null` on the last page. */
  next: string | null
}

export type RequestListStore = ReturnType<typeof createRequestListStore>

/** Lists the requests of a site. */
export function createRequestListStore(db: Db) {
  return {
    /** Returns one page, newest first. */
    list: (filter: RequestFilter & { limit: number; before?: string | undefined }): Promise<RequestPage> =>
      listPage(db, filter),

    /** Counts all matching requests, whichever page is shown. Slow on a large site: it looks at every row. */
    async count(filter: RequestFilter): Promise<number> {
      const { total } = await matching(db, filter).select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
      return Number(total)
    },
  }
}

function matching(db: Db, filter: RequestFilter) {
  const { siteId, states, priority, tag, unit, assignee, q, createdSince, updatedSince } = filter
  let rows = db.selectFrom('ticket').where('ticket.site_id', '=', siteId)
  if (states) rows = rows.where('state', '=', sql<TicketState>`ANY(${[...states]}::text[])`)
  if (priority !== undefined) rows = rows.where('priority', '=', priority)
  if (unit !== undefined) {
    const ofName = db.selectFrom('unit').where('site_id', '=', siteId).where('name', '=', unit.trim())
    rows = rows.where('unit_id', '=', ofName.select('id'))
  }
  if (assignee !== undefined) {
    const ofAddress = db
      .selectFrom('person')
      .where('site_id', '=', siteId)
      .where(sql`lower(email)`, '=', sql`lower(${assignee})`)
    rows = rows.where('assignee_id', '=', ofAddress.select('id'))
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
  if (createdSince) rows = rows.where('created_at', '>=', createdSince)
  if (updatedSince) rows = rows.where(sql`coalesce(updated_at, created_at)`, '>=', updatedSince)
  if (q === undefined) return rows

  const pattern = containing(q)
  const people = db
    .selectFrom('person')
    .where('site_id', '=', siteId)
    .where((eb) => eb.or([eb('email', 'ilike', pattern), eb('name', 'ilike', pattern)]))
  return rows.where((eb) =>
    eb.or([
      eb('title', 'ilike', pattern),
      eb('external_id', 'ilike', pattern),
      eb('reporter_email', 'ilike', pattern),
      eb('reporter_name', 'ilike', pattern),
      eb('reporter_phone', 'ilike', pattern),
      eb('reporter_id', 'in', people.select('id')),
      eb(sql`left(description, ${sql.lit(SEARCHED_CHARACTERS)})`, 'ilike', pattern),
    ]),
  )
}

async function listPage(
  db: Db,
  filter: RequestFilter & { limit: number; before?: string | undefined },
): Promise<RequestPage> {
  let rows = matching(db, filter)
  if (filter.before !== undefined) rows = rows.where('number', '<', sql<number>`${filter.before}::bigint`)
  // Names and comments are joined afterwards, for the rows of this page only.
  const page = rows
    .select(['ticket.id', 'reporter_id', 'reporter_email', 'reporter_name', 'reporter_phone', 'assignee_id', 'unit_id'])
    .select(columnsOf(LISTED_COLUMN_FIELDS))
    .orderBy('number', 'desc')
    // One extra row shows whether there is a next page.
    .limit(filter.limit + 1)
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
    .orderBy('ticket.number', 'desc')
    .execute()
  const shown = found.slice(0, filter.limit)
  return {
    next: found.length > filter.limit ? String(shown.at(-1)?.number) : null,
    requests: shown.map((row) => ({
      ...readColumns(LISTED_COLUMN_FIELDS, row),
      reporter: shownPerson(
        personFrom(row.person_email, row.person_name, row.person_phone),
        personFrom(row.reporter_email, row.reporter_name, row.reporter_phone),
      ),
      assignee: personFrom(row.assignee_email, row.assignee_name, row.assignee_phone),
      unit: row.unit,
      tags: row.tags,
      commentCount: row.comment_count,
    })),
  }
}

/** Returns a LIKE pattern that finds the text anywhere. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
