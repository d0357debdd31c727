import { COLUMN_FIELD_NAMES, type ColumnFieldValues } from '@plantroom/contract/request-fields'
import type { Person } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type ControlledTransaction, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { LONG_TEXT_BYTES, readColumns } from './column-values.ts'
import { keptPerson } from './person.ts'

/** A file of a request or a comment. Its bytes are stored under their hash. */
export interface StoredFile {
  name: string
  contentType: string | null
  sha256: Buffer
}

interface StoredComment {
  content: string
  author: Person | null
  createdAt: string | null
  attachments: StoredFile[]
}

/** A request with everything that belongs to it. */
export interface StoredRequest extends ColumnFieldValues {
  reporter: Person | null
  /** Email addresses. */
  assignee: string | null
  supervisor: string | null
  watchers: string[]
  unit: string | null
  tags: string[]
  attachments: StoredFile[]
  comments: StoredComment[]
}

export interface SiteTotals {
  tickets: number
  comments: number
  attachments: number
  /** Size of the long texts, which make up most of a manifest. */
  textBytes: number
  /** Number of different files: equal bytes count once. */
  files: number
  fileBytes: number
}

/** The requests of a site at one moment, unaffected by later writes. */
export interface SiteSnapshot extends AsyncDisposable {
  siteName: string
  maintenanceRequests: boolean
  totals: SiteTotals
  /** Yields the requests in order of number. Reads them in pages, so that only a few megabytes are in memory. */
  requests(): AsyncGenerator<StoredRequest, void>
  /** Ends the transaction. May be called early and more than once. */
  close(): Promise<void>
}

export type ExportStore = ReturnType<typeof createExportStore>

type Snapshot = ControlledTransaction<Schema>

const PAGE_REQUESTS = 500
const PAGE_BYTES = 8e6

export function createExportStore(db: Db, { pageRequests = PAGE_REQUESTS, pageBytes = PAGE_BYTES } = {}) {
  async function* requestsOf(tx: Snapshot, siteId: string): AsyncGenerator<StoredRequest, void> {
    for (let last = 0; ; ) {
      const ids = await nextPage(tx, { siteId, after: last, pageRequests, pageBytes })
      if (ids.length === 0) return
      for (const request of await loadRequests(tx, ids)) {
        last = request.number
        yield request
      }
    }
  }

  return {
    /** Opens a snapshot, which the caller closes. Throws when the site does not exist. */
    async open(siteId: string): Promise<SiteSnapshot> {
      const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
      let closing: Promise<void> | undefined
      const close = () => (closing ??= tx.rollback().execute())
      try {
        // Compressing a long text may take longer than the session may idle, and a snapshot blocks no one.
        await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
        const site = await tx
          .selectFrom('site')
          .where('id', '=', siteId)
          .select(['name', 'maintenance_requests'])
          .executeTakeFirstOrThrow()
        return {
          siteName: site.name,
          maintenanceRequests: site.maintenance_requests,
          totals: await totalsOf(tx, siteId),
          requests: () => requestsOf(tx, siteId),
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
  const { rows } = await sql<Record<keyof SiteTotals, string>>`
    WITH own AS (
      SELECT id, ${LONG_TEXT_BYTES} AS bytes FROM ticket WHERE site_id = ${siteId}
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
  const [row] = rows
  if (!row) throw new Error(`the database returned no totals of ${siteId}`)
  return {
    tickets: Number(row.tickets),
    comments: Number(row.comments),
    attachments: Number(row.attachments),
    textBytes: Number(row.textBytes),
    files: Number(row.files),
    fileBytes: Number(row.fileBytes),
  }
}

/** Returns the ids of the next requests that fit into one page, at least one if there are any. */
async function nextPage(
  tx: Snapshot,
  page: { siteId: string; after: number; pageRequests: number; pageBytes: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT id, number, bytes, sum(bytes) OVER (ORDER BY number) AS bytes_so_far FROM (
        SELECT id, number,
          ${LONG_TEXT_BYTES}
          -- 200 bytes for the rest of a comment.
          + (SELECT coalesce(sum(octet_length(content) + 200), 0) FROM ticket_comment WHERE ticket_id = ticket.id)
          AS bytes
        FROM ticket WHERE site_id = ${page.siteId} AND number > ${page.after}
        ORDER BY number LIMIT ${page.pageRequests}
      ) AS sized
    ) AS summed
    WHERE bytes_so_far <= ${page.pageBytes} OR bytes_so_far = bytes
    ORDER BY number`.execute(tx)
  return rows.map(({ id }) => id)
}

async function loadRequests(tx: Snapshot, ids: readonly string[]): Promise<StoredRequest[]> {
  const rows = await tx
    .selectFrom('ticket')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('person as supervisor', 'supervisor.id', 'ticket.supervisor_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .where('ticket.id', '=', among(ids))
    .selectAll('ticket')
    .select(['reporter.email as personEmail', 'reporter.name as personName', 'reporter.phone as personPhone'])
    .select(['assignee.email as assignee', 'supervisor.email as supervisor', 'unit.name as unit'])
    .orderBy('ticket.number')
    .execute()
  const filesOf = await loadFiles(tx, ids)
  const commentsOf = await loadComments(tx, ids)
  const tagsOf = await loadTags(tx, ids)
  const watchersOf = await loadWatchers(tx, ids)
  return rows.map((row) => ({
    ...readColumns(COLUMN_FIELD_NAMES, row),
    reporter: keptPerson(row.reporter_email, row.reporter_name, row.reporter_phone, row),
    assignee: row.assignee,
    supervisor: row.supervisor,
    watchers: (watchersOf.get(row.id) ?? []).map(({ email }) => email),
    unit: row.unit,
    tags: (tagsOf.get(row.id) ?? []).map(({ name }) => name),
    attachments: filesOf(row.id, null),
    comments: (commentsOf.get(row.id) ?? []).map((comment) => ({
      content: comment.content,
      author: keptPerson(comment.author_email, comment.author_name, comment.author_phone, comment),
      createdAt: comment.created_at && formatTimestamp(comment.created_at.getTime()),
      attachments: filesOf(row.id, comment.position),
    })),
  }))
}

const among = (ids: readonly string[]) => sql<string>`ANY(${ids}::text[])`

async function loadComments(tx: Snapshot, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('ticket_comment')
    .leftJoin('person', 'person.id', 'author_id')
    .where('ticket_id', '=', among(ids))
    .selectAll('ticket_comment')
    .select(['person.email as personEmail', 'person.name as personName', 'person.phone as personPhone'])
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (comment) => comment.ticket_id)
}

/** Returns a lookup of the files of a request (`comment` is null) or of one of its comments. */
async function loadFiles(tx: Snapshot, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', among(ids))
    .select(['ticket_id', 'comment_position', 'name', 'content_type', 'sha256'])
    .orderBy('position')
    .execute()
  const place = (requestId: string, comment: number | null) => `${requestId} ${comment ?? ''}`
  const filesAt = Map.groupBy(rows, (file) => place(file.ticket_id, file.comment_position))
  return (requestId: string, comment: number | null): StoredFile[] =>
    (filesAt.get(place(requestId, comment)) ?? []).map(({ name, content_type, sha256 }) => ({
      name,
      contentType: content_type,
      sha256,
    }))
}

async function loadTags(tx: Snapshot, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('ticket_tag')
    .innerJoin('tag', 'tag.id', 'tag_id')
    .where('ticket_id', '=', among(ids))
    .select(['ticket_id', 'name'])
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (tag) => tag.ticket_id)
}

async function loadWatchers(tx: Snapshot, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('ticket_watcher')
    .innerJoin('person', 'person.id', 'person_id')
    .where('ticket_id', '=', among(ids))
    .select(['ticket_id', 'email'])
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (watcher) => watcher.ticket_id)
}
