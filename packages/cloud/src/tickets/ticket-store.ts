import type { Attachment, Person, Ticket } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { saidPerson, shownPerson } from './person.ts'

/** Of a text. The whole of it is in an export: one request of a package may hold 90 MB. */
const SHOWN_CHARACTERS = 1_000_000
/** Of the attachments, tags, watchers and copies of one request. */
const SHOWN_ITEMS = 1_000

/** A request without its conversation, which comes in pages. */
export interface FoundTicket {
  id: string
  ticket: Omit<Ticket, 'comments'>
}

/** What is needed to give out the bytes of an attachment. */
export interface AttachmentFile {
  name: string
  contentType: string | null
  sha256: Buffer
}

export type TicketStore = ReturnType<typeof createTicketStore>

export function createTicketStore(db: Db) {
  return {
    find: (siteId: string, number: number): Promise<FoundTicket | undefined> => findTicket(db, siteId, number),

    async findId(siteId: string, number: number): Promise<string | undefined> {
      const found = await db
        .selectFrom('ticket')
        .where('site_id', '=', siteId)
        .where('number', '=', number)
        .select('id')
        .executeTakeFirst()
      return found?.id
    },

    findAttachment: (siteId: string, number: number, attachmentId: string): Promise<AttachmentFile | undefined> =>
      db
        .selectFrom('ticket_attachment')
        .innerJoin('ticket', 'ticket.id', 'ticket_attachment.ticket_id')
        .where('ticket.site_id', '=', siteId)
        .where('ticket.number', '=', number)
        .where('ticket_attachment.id', '=', attachmentId)
        .select(['ticket_attachment.name', 'content_type as contentType', 'sha256'])
        .executeTakeFirst(),
  }
}

/** Text as it is shown. How long it is can be told without reading it. */
export function shownText<Value extends string | null>(column: string): RawBuilder<Value> {
  const text = sql.ref(column)
  const most = sql.lit(SHOWN_CHARACTERS)
  return sql<Value>`CASE WHEN octet_length(${text}) <= ${most} OR length(${text}) <= ${most} THEN ${text}
    ELSE left(${text}, ${most}) || '…' END`
}

export function toAttachment(row: { id: string; name: string; content_type: string | null; size: string }): Attachment {
  return { id: row.id, name: row.name, contentType: row.content_type, size: Number(row.size) }
}

async function findTicket(db: Db, siteId: string, number: number): Promise<FoundTicket | undefined> {
  const row = await db
    .selectFrom('ticket')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('person as supervisor', 'supervisor.id', 'ticket.supervisor_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .where('ticket.site_id', '=', siteId)
    .where('ticket.number', '=', number)
    .select(['ticket.id', 'number', 'external_id', 'title', 'state', 'priority', 'language', 'tone', 'scope'])
    .select(['safety_hazard', 'reporter_email', 'reporter_name', 'reporter_phone', 'unit.name as unit', 'feedback'])
    .select(['ticket.created_at', 'updated_at', 'resolved_at', 'state_changed_at'])
    .select(['reporter.email as person_email', 'reporter.name as person_name', 'reporter.phone as person_phone'])
    .select(['assignee.email as assignee_email', 'assignee.name as assignee_name'])
    .select(['assignee.phone as assignee_phone', 'supervisor.email as supervisor_email'])
    .select(['supervisor.name as supervisor_name', 'supervisor.phone as supervisor_phone'])
    .select([
      shownText<string | null>('description').as('description'),
      shownText<string | null>('notes').as('notes'),
      shownText<string | null>('resolution_summary').as('resolution_summary'),
      shownText<string | null>('feedback_text').as('feedback_text'),
      sql<string[]>`cc_emails[1:${sql.lit(SHOWN_ITEMS)}]`.as('cc_emails'),
    ])
    .executeTakeFirst()
  if (!row) return undefined

  const [tags, watchers, attachments] = await Promise.all([
    tagsOf(db, row.id),
    watchersOf(db, row.id),
    attachmentsOf(db, row.id),
  ])
  const ticket = {
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
    tags,
    createdAt: formatTimestamp(row.created_at.getTime()),
    updatedAt: row.updated_at && formatTimestamp(row.updated_at.getTime()),
    description: row.description,
    notes: row.notes,
    resolutionSummary: row.resolution_summary,
    language: row.language,
    tone: row.tone,
    scope: row.scope,
    supervisor: saidPerson(row.supervisor_email, row.supervisor_name, row.supervisor_phone),
    watchers,
    ccEmails: row.cc_emails,
    feedback: row.feedback,
    feedbackText: row.feedback_text,
    resolvedAt: row.resolved_at && formatTimestamp(row.resolved_at.getTime()),
    stateChangedAt: formatTimestamp(row.state_changed_at.getTime()),
    attachments,
  }
  return { id: row.id, ticket }
}

async function tagsOf(db: Db, ticketId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ticket_tag')
    .innerJoin('tag', 'tag.id', 'ticket_tag.tag_id')
    .where('ticket_id', '=', ticketId)
    .select('tag.name')
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
  return rows.map(({ name }) => name)
}

function watchersOf(db: Db, ticketId: string): Promise<Person[]> {
  return db
    .selectFrom('ticket_watcher')
    .innerJoin('person', 'person.id', 'ticket_watcher.person_id')
    .where('ticket_id', '=', ticketId)
    .select(['email', 'name', 'phone'])
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
}

async function attachmentsOf(db: Db, ticketId: string): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', ticketId)
    .where('comment_position', 'is', null)
    .select(['id', 'name', 'content_type', 'size'])
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
  return rows.map(toAttachment)
}
