import type { TicketState, TicketSummary } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { saidPerson, shownPerson } from './person.ts'

/** What of a description is searched, and how many tags of each are shown: a package may hold 90 MB of the one and 100,000 of the other. */
const SEARCHED_CHARACTERS = 10_000
const TAGS_SHOWN = 100

export interface TicketFilter {
  siteId: string
  states?: readonly TicketState[] | undefined
  priority?: number | undefined
  tag?: string | undefined
  /** By name. */
  unit?: string | undefined
  /** By address, without regard to case. */
  assignee?: string | undefined
  /** Somewhere in what identifies or describes it. */
  q?: string | undefined
  createdSince?: Date | undefined
  updatedSince?: Date | undefined
}

export interface TicketPage {
  tickets: TicketSummary[]
  /** The `before` of the next page; `null` when this is the last. */
  next: string | null
}

export type TicketListStore = ReturnType<typeof createTicketListStore>

export function createTicketListStore(db: Db) {
  function filtered(filter: TicketFilter) {
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
    if (q !== undefined) {
      const pattern = containing(q)
      const people = db
        .selectFrom('person')
        .where('site_id', '=', siteId)
        .where((eb) => eb.or([eb('email', 'ilike', pattern), eb('name', 'ilike', pattern)]))
      rows = rows.where((eb) =>
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
    return rows
  }

  return {
    /** The newest first. */
    async list(filter: TicketFilter & { limit: number; before?: string | undefined }): Promise<TicketPage> {
      let rows = filtered(filter)
      if (filter.before !== undefined) rows = rows.where('number', '<', sql<number>`${filter.before}::bigint`)
      // What belongs to a request is looked up for those of the page alone.
      const page = rows
        .select(['ticket.id', 'number', 'external_id', 'title', 'state', 'priority', 'safety_hazard'])
        .select(['reporter_id', 'reporter_email', 'reporter_name', 'reporter_phone', 'assignee_id', 'unit_id'])
        .select(['created_at', 'updated_at'])
        .orderBy('number', 'desc')
        // One more than asked for tells whether there is a next page.
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
        tickets: shown.map((row) => ({
          number: row.number,
          externalId: row.external_id,
          title: row.title,
          state: row.state,
          priority: row.priority,
          safetyHazard: row.safety_hazard,
          reporter: shownPerson(
            saidPerson(row.person_email, row.person_name, row.person_phone),
            saidPerson(row.reporter_email, row.reporter_name, row.reporter_phone),
          ),
          assignee: saidPerson(row.assignee_email, row.assignee_name, row.assignee_phone),
          unit: row.unit,
          tags: row.tags,
          commentCount: row.comment_count,
          createdAt: formatTimestamp(row.created_at.getTime()),
          updatedAt: row.updated_at && formatTimestamp(row.updated_at.getTime()),
        })),
      }
    },

    /** How many there are in all, whatever page is asked for. Looks at each of them. */
    async count(filter: TicketFilter): Promise<number> {
      const { total } = await filtered(filter).select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
      return Number(total)
    },
  }
}

/** A pattern of LIKE that finds a text anywhere, whatever is in it. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
