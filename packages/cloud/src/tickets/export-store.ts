import type { Person, TicketState } from '@plantroom/contract/tickets'
import { type ControlledTransaction, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'

/** A file of a request or of a comment, by the hash of its bytes. */
export interface StoredFile {
  name: string
  contentType: string | null
  sha256: Buffer
}

export interface StoredComment {
  content: string
  author: Person | null
  createdAt: Date | null
  attachments: StoredFile[]
}

/** A request with all that belongs to it. */
export interface StoredTicket {
  number: number
  externalId: string
  title: string
  state: TicketState
  description: string | null
  notes: string | null
  resolutionSummary: string | null
  priority: number | null
  language: string | null
  tone: string | null
  scope: string | null
  safetyHazard: boolean | null
  reporter: Person | null
  /** Addresses. */
  assignee: string | null
  supervisor: string | null
  watchers: string[]
  unit: string | null
  tags: string[]
  ccEmails: string[]
  feedback: number | null
  feedbackText: string | null
  createdAt: Date
  updatedAt: Date | null
  resolvedAt: Date | null
  stateChangedAt: Date
  attachments: StoredFile[]
  comments: StoredComment[]
}

export interface SiteTotals {
  tickets: number
  comments: number
  attachments: number
  /** Of the texts, which are the most of what describes the requests. */
  textBytes: number
  /** What has the same bytes counts once. */
  files: number
  fileBytes: number
}

/** The requests of a site at one moment, whatever is written meanwhile. */
export interface SiteSnapshot extends AsyncDisposable {
  siteName: string
  maintenanceRequests: boolean
  totals: SiteTotals
  /** In order of number. Read by pages: however large a site is, a few megabytes of it are in memory. */
  tickets(): AsyncGenerator<StoredTicket, void>
  /** Lets the database go; may be called early and again. */
  close(): Promise<void>
}

export type ExportStore = ReturnType<typeof createExportStore>

type Snapshot = ControlledTransaction<Schema>

const PAGE_TICKETS = 500
const PAGE_BYTES = 8e6

export function createExportStore(db: Db, { pageTickets = PAGE_TICKETS, pageBytes = PAGE_BYTES } = {}) {
  async function* ticketsOf(tx: Snapshot, siteId: string): AsyncGenerator<StoredTicket, void> {
    for (let last = 0; ; ) {
      const ids = await nextPage(tx, { siteId, after: last, pageTickets, pageBytes })
      if (ids.length === 0) return
      for (const ticket of await loadTickets(tx, ids)) {
        last = ticket.number
        yield ticket
      }
    }
  }

  return {
    /** Throws when there is no such site. Whoever opens a snapshot closes it. */
    async open(siteId: string): Promise<SiteSnapshot> {
      const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
      let closing: Promise<void> | undefined
      const close = () => (closing ??= tx.rollback().execute())
      try {
        const site = await tx
          .selectFrom('site')
          .where('id', '=', siteId)
          .select(['name', 'maintenance_requests'])
          .executeTakeFirstOrThrow()
        return {
          siteName: site.name,
          maintenanceRequests: site.maintenance_requests,
          totals: await totalsOf(tx, siteId),
          tickets: () => ticketsOf(tx, siteId),
          close,
          [Symbol.asyncDispose]: close,
        }
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

async function totalsOf(tx: Snapshot, siteId: string): Promise<SiteTotals> {
  // octet_length asks no more of a long text than its head.
  const { rows } = await sql<Record<keyof SiteTotals, string>>`
    WITH own AS (
      SELECT id, coalesce(octet_length(description), 0) + coalesce(octet_length(notes), 0)
        + coalesce(octet_length(resolution_summary), 0) + coalesce(octet_length(feedback_text), 0) AS bytes
      FROM ticket WHERE site_id = ${siteId}
    ), said AS (
      SELECT count(*) AS count, coalesce(sum(octet_length(content)), 0) AS bytes
      FROM ticket_comment JOIN own ON own.id = ticket_id
    ), attached AS (
      SELECT sha256, max(size) AS size, count(*) AS count
      FROM ticket_attachment JOIN own ON own.id = ticket_id GROUP BY sha256
    )
    SELECT (SELECT count(*) FROM own) AS tickets,
      said.count AS comments,
      (SELECT coalesce(sum(count), 0) FROM attached) AS attachments,
      said.bytes + (SELECT coalesce(sum(bytes), 0) FROM own) AS "textBytes",
      (SELECT count(*) FROM attached) AS files,
      (SELECT coalesce(sum(size), 0) FROM attached) AS "fileBytes"
    FROM said`.execute(tx)
  const [{ tickets, comments, attachments, textBytes, files, fileBytes } = {} as never] = rows
  return {
    tickets: Number(tickets),
    comments: Number(comments),
    attachments: Number(attachments),
    textBytes: Number(textBytes),
    files: Number(files),
    fileBytes: Number(fileBytes),
  }
}

/** The next requests that together are not too long for one page; always one, if there is one. */
async function nextPage(
  tx: Snapshot,
  page: { siteId: string; after: number; pageTickets: number; pageBytes: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT id, number, bytes, sum(bytes) OVER (ORDER BY number) AS bytes_so_far FROM (
        SELECT id, number,
          coalesce(octet_length(description), 0) + coalesce(octet_length(notes), 0)
          + coalesce(octet_length(resolution_summary), 0) + coalesce(octet_length(feedback_text), 0)
          -- What a row costs beside its text.
          + (SELECT coalesce(sum(octet_length(content) + 200), 0) FROM ticket_comment WHERE ticket_id = ticket.id)
          AS bytes
        FROM ticket WHERE site_id = ${page.siteId} AND number > ${page.after}
        ORDER BY number LIMIT ${page.pageTickets}
      ) AS sized
    ) AS summed
    WHERE bytes_so_far <= ${page.pageBytes} OR bytes_so_far = bytes
    ORDER BY number`.execute(tx)
  return rows.map(({ id }) => id)
}

async function loadTickets(tx: Snapshot, ids: readonly string[]): Promise<StoredTicket[]> {
  const among = sql<string>`ANY(${ids}::text[])`
  const tickets = await tx
    .selectFrom('ticket')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('person as supervisor', 'supervisor.id', 'ticket.supervisor_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .where('ticket.id', '=', among)
    .selectAll('ticket')
    .select(['reporter.email as personEmail', 'reporter.name as personName', 'reporter.phone as personPhone'])
    .select(['assignee.email as assignee', 'supervisor.email as supervisor', 'unit.name as unit'])
    .orderBy('ticket.number')
    .execute()
  const comments = await tx
    .selectFrom('ticket_comment')
    .leftJoin('person', 'person.id', 'author_id')
    .where('ticket_id', '=', among)
    .selectAll('ticket_comment')
    .select(['person.email as personEmail', 'person.name as personName', 'person.phone as personPhone'])
    .orderBy('position')
    .execute()
  const attachments = await tx
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', among)
    .select(['ticket_id', 'comment_position', 'name', 'content_type', 'sha256'])
    .orderBy('position')
    .execute()
  const tags = await tx
    .selectFrom('ticket_tag')
    .innerJoin('tag', 'tag.id', 'tag_id')
    .where('ticket_id', '=', among)
    .select(['ticket_id', 'name'])
    .orderBy('position')
    .execute()
  const watchers = await tx
    .selectFrom('ticket_watcher')
    .innerJoin('person', 'person.id', 'person_id')
    .where('ticket_id', '=', among)
    .select(['ticket_id', 'email'])
    .orderBy('position')
    .execute()

  const place = (ticketId: string, comment: number | null) => `${ticketId} ${comment ?? ''}`
  const filesAt = Map.groupBy(attachments, (file) => place(file.ticket_id, file.comment_position))
  const files = (ticketId: string, comment: number | null) =>
    (filesAt.get(place(ticketId, comment)) ?? []).map(({ name, content_type, sha256 }) => ({
      name,
      contentType: content_type,
      sha256,
    }))
  const commentsOf = Map.groupBy(comments, (comment) => comment.ticket_id)
  const tagsOf = Map.groupBy(tags, (tag) => tag.ticket_id)
  const watchersOf = Map.groupBy(watchers, (watcher) => watcher.ticket_id)

  return tickets.map((row) => ({
    number: row.number,
    externalId: row.external_id,
    title: row.title,
    state: row.state,
    description: row.description,
    notes: row.notes,
    resolutionSummary: row.resolution_summary,
    priority: row.priority,
    language: row.language,
    tone: row.tone,
    scope: row.scope,
    safetyHazard: row.safety_hazard,
    reporter: toPerson(row.reporter_email, row.reporter_name, row.reporter_phone, row),
    assignee: row.assignee,
    supervisor: row.supervisor,
    watchers: (watchersOf.get(row.id) ?? []).map(({ email }) => email),
    unit: row.unit,
    tags: (tagsOf.get(row.id) ?? []).map(({ name }) => name),
    ccEmails: row.cc_emails,
    feedback: row.feedback,
    feedbackText: row.feedback_text,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    resolvedAt: row.resolved_at,
    stateChangedAt: row.state_changed_at,
    attachments: files(row.id, null),
    comments: (commentsOf.get(row.id) ?? []).map((comment) => ({
      content: comment.content,
      author: toPerson(comment.author_email, comment.author_name, comment.author_phone, comment),
      createdAt: comment.created_at,
      attachments: files(row.id, comment.position),
    })),
  }))
}

/** What was said of them then; of someone who is only linked, what the site knows. */
function toPerson(
  email: string | null,
  name: string | null,
  phone: string | null,
  linked: { personEmail: string | null; personName: string | null; personPhone: string | null },
): Person | null {
  if (email !== null || name !== null || phone !== null) return { email, name, phone }
  if (linked.personEmail === null) return null
  return { email: linked.personEmail, name: linked.personName, phone: linked.personPhone }
}
