import { COLUMN_FIELD_NAMES, columnOf, LONG_FIELDS, type LongField } from '@plantroom/contract/request-fields'
import type { Attachment, Person, Ticket } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { columnsOf, readColumns, shownText } from './column-values.ts'
import { personFrom, shownPerson } from './person.ts'

/** Maximum number of attachments, tags, watchers and CC addresses that a request shows. */
const SHOWN_ITEMS = 1_000

/** A request without its comments, which have pages. */
interface FoundRequest {
  id: string
  request: Omit<Ticket, 'comments'>
}

/** The file behind an attachment. */
interface AttachmentFile {
  name: string
  /** In bytes; a `bigint`, which the driver returns as text. */
  size: string
  contentType: string | null
  sha256: Buffer
}

export type RequestStore = ReturnType<typeof createRequestStore>

/** Reads single requests of a site. */
export function createRequestStore(db: Db) {
  return {
    find: (siteId: string, number: number): Promise<FoundRequest | undefined> => findRequest(db, siteId, number),

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
        .select(['ticket_attachment.name', 'size', 'content_type as contentType', 'sha256'])
        .executeTakeFirst(),
  }
}

export function toAttachment(row: { id: string; name: string; content_type: string | null; size: string }): Attachment {
  return { id: row.id, name: row.name, contentType: row.content_type, size: Number(row.size) }
}

const SHORT_FIELDS = COLUMN_FIELD_NAMES.filter(
  (name): name is Exclude<typeof name, LongField | 'ccEmails'> =>
    name !== 'ccEmails' && !LONG_FIELDS.some((long) => long === name),
)

async function findRequest(db: Db, siteId: string, number: number): Promise<FoundRequest | undefined> {
  const row = await db
    .selectFrom('ticket')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('person as supervisor', 'supervisor.id', 'ticket.supervisor_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .where('ticket.site_id', '=', siteId)
    .where('ticket.number', '=', number)
    .select(['ticket.id', 'reporter_email', 'reporter_name', 'reporter_phone', 'unit.name as unit'])
    .select(columnsOf(SHORT_FIELDS))
    .select(LONG_FIELDS.map((name) => shownText<string | null>(`ticket.${columnOf(name)}`).as(columnOf(name))))
    .select(sql<string[]>`cc_emails[1:${sql.lit(SHOWN_ITEMS)}]`.as('cc_emails'))
    .select(['reporter.email as person_email', 'reporter.name as person_name', 'reporter.phone as person_phone'])
    .select(['assignee.email as assignee_email', 'assignee.name as assignee_name'])
    .select(['assignee.phone as assignee_phone', 'supervisor.email as supervisor_email'])
    .select(['supervisor.name as supervisor_name', 'supervisor.phone as supervisor_phone'])
    .executeTakeFirst()
  if (!row) return undefined

  const [tags, watchers, attachments] = await Promise.all([
    tagsOf(db, row.id),
    watchersOf(db, row.id),
    attachmentsOf(db, row.id),
  ])
  const request = {
    ...readColumns(COLUMN_FIELD_NAMES, row),
    reporter: shownPerson(
      personFrom(row.person_email, row.person_name, row.person_phone),
      personFrom(row.reporter_email, row.reporter_name, row.reporter_phone),
    ),
    assignee: personFrom(row.assignee_email, row.assignee_name, row.assignee_phone),
    supervisor: personFrom(row.supervisor_email, row.supervisor_name, row.supervisor_phone),
    unit: row.unit,
    tags,
    watchers,
    attachments,
  }
  return { id: row.id, request }
}

/** Returns the first tags of a request, in order. */
export async function tagsOf(db: Db, requestId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ticket_tag')
    .innerJoin('tag', 'tag.id', 'ticket_tag.tag_id')
    .where('ticket_id', '=', requestId)
    .select('tag.name')
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
  return rows.map(({ name }) => name)
}

function watchersOf(db: Db, requestId: string): Promise<Person[]> {
  return db
    .selectFrom('ticket_watcher')
    .innerJoin('person', 'person.id', 'ticket_watcher.person_id')
    .where('ticket_id', '=', requestId)
    .select(['email', 'name', 'phone'])
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
}

async function attachmentsOf(db: Db, requestId: string): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', requestId)
    .where('comment_position', 'is', null)
    .select(['id', 'name', 'content_type', 'size'])
    .orderBy('position')
    .limit(SHOWN_ITEMS)
    .execute()
  return rows.map(toAttachment)
}
