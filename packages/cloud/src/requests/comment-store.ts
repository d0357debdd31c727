import type { Attachment, Person, TicketComment } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/database.ts'
import { commentMail, queueMail } from '../mail/index.ts'
import { shownText } from './column-values.ts'
import { isSameAddress, personFrom, shownPerson } from './person.ts'
import { findPerson } from './person-store.ts'
import { toAttachment } from './request-store.ts'

/** A page ends once its comments exceed this size: comments of a package may be of any length. */
const PAGE_BYTES = 1_000_000
const SHOWN_ATTACHMENTS = 10_000

interface CommentPage {
  comments: TicketComment[]
  /** The `after` of the next page; `null` on the last page. */
  next: string | null
}

interface NewComment {
  siteId: string
  number: number
  content: string
  author: Person | null
  at: Date
}

interface AddedComment {
  comment: TicketComment
  /** Recipient of the mail; null when none is sent. */
  mailedTo: string | null
}

export type CommentStore = ReturnType<typeof createCommentStore>

/** Reads and adds the comments of requests. */
export function createCommentStore(db: Db) {
  return {
    /** Returns one page in the order of the conversation. */
    async list(requestId: string, page: { limit: number; after?: string | undefined }): Promise<CommentPage> {
      const next = db
        .selectFrom('ticket_comment')
        .where('ticket_id', '=', requestId)
        .where('position', '>', sql<number>`${page.after ?? '-1'}::bigint`)
        .selectAll()
        .orderBy('position')
        .limit(page.limit + 1)
      const measured = db
        .selectFrom(next.as('next'))
        .selectAll()
        .select([
          sql<number>`count(*) OVER ()::integer`.as('there'),
          sql<string>`sum(octet_length(content)) OVER (ORDER BY position) - octet_length(content)`.as('bytes_before'),
        ])
      const found = await db
        .selectFrom(measured.as('comment'))
        .leftJoin('person', 'person.id', 'comment.author_id')
        .where('bytes_before', '<', sql<string>`${PAGE_BYTES}::bigint`)
        .select(['comment.position', 'comment.created_at', 'there', 'author_email', 'author_name', 'author_phone'])
        .select(['person.email as person_email', 'person.name as person_name', 'person.phone as person_phone'])
        .select(shownText<string>('comment.content').as('content'))
        .orderBy('comment.position')
        .limit(page.limit)
        .execute()
      const last = found.at(-1)
      if (!last) return { comments: [], next: null }

      const attachments = await attachmentsOf(db, requestId, found[0]?.position ?? 0, last.position)
      return {
        next: last.there > found.length ? String(last.position) : null,
        comments: found.map((row) => ({
          content: row.content,
          author: shownPerson(
            personFrom(row.person_email, row.person_name, row.person_phone),
            personFrom(row.author_email, row.author_name, row.author_phone),
          ),
          createdAt: row.created_at && formatTimestamp(row.created_at.getTime()),
          attachments: attachments.get(row.position) ?? [],
        })),
      }
    },

    /**
     * Adds a staff comment and, in the same transaction, the mail to the reporter unless they have no email or are the
     * author. Returns undefined when the site has no such request.
     */
    add: (comment: NewComment): Promise<AddedComment | undefined> => inTransaction(db, (tx) => addComment(tx, comment)),
  }
}

async function addComment(
  tx: Db,
  { siteId, number, content, author, at }: NewComment,
): Promise<AddedComment | undefined> {
  // Before locking the request: removing a person locks that person first and then waits for their requests.
  const linked = author?.email ? await findPerson(tx, siteId, author.email) : undefined
  // Locked, so that two comments at the same time get two positions.
  const request = await tx
    .selectFrom('ticket')
    .innerJoin('site', 'site.id', 'ticket.site_id')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .where('ticket.site_id', '=', siteId)
    .where('number', '=', number)
    .select(['ticket.id', 'title', 'reporter_email', 'reporter.email as person_email', 'site.name as site'])
    .forUpdate('ticket')
    .executeTakeFirst()
  if (!request) return undefined

  const { last } = await tx
    .selectFrom('ticket_comment')
    .where('ticket_id', '=', request.id)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('ticket_comment')
    .values({
      ticket_id: request.id,
      position: (last ?? -1) + 1,
      content,
      author_id: linked?.id ?? null,
      author_email: author?.email ?? null,
      author_name: author?.name ?? null,
      author_phone: author?.phone ?? null,
      created_at: at,
    })
    .execute()
  await tx.updateTable('ticket').set({ updated_at: at }).where('id', '=', request.id).execute()

  const shown = shownPerson(linked ?? null, author)
  const address = request.person_email ?? request.reporter_email
  const recipient = isSameAddress(author?.email, address) ? null : address
  if (recipient !== null) {
    const mail = commentMail({
      siteName: request.site,
      requestNumber: number,
      requestTitle: request.title,
      authorName: shown?.name,
      content,
    })
    await queueMail(tx, { siteId, requestId: request.id, recipient, ...mail })
  }
  return {
    comment: { content, author: shown, createdAt: formatTimestamp(at.getTime()), attachments: [] },
    mailedTo: recipient,
  }
}

async function attachmentsOf(
  db: Db,
  requestId: string,
  first: number,
  last: number,
): Promise<Map<number, Attachment[]>> {
  const rows = await db
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', requestId)
    .where('comment_position', '>=', first)
    .where('comment_position', '<=', last)
    .select(['id', 'comment_position', 'name', 'content_type', 'size'])
    .orderBy('comment_position')
    .orderBy('position')
    .limit(SHOWN_ATTACHMENTS)
    .execute()
  const byComment = Map.groupBy(rows, (row) => row.comment_position ?? 0)
  return new Map([...byComment].map(([position, found]) => [position, found.map(toAttachment)]))
}
