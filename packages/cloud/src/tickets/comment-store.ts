import type { Attachment, Person, TicketComment } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { commentMail } from '../mail/comment-mail.ts'
import { queueMail } from '../mail/outbox-store.ts'
import { findPerson } from './named-store.ts'
import { isSameAddress, saidPerson, shownPerson } from './person.ts'
import { shownText, toAttachment } from './ticket-store.ts'

/** A page ends with the comment that brings it to this, or earlier: comments of a package may be of any length. */
const PAGE_BYTES = 1_000_000
const SHOWN_ATTACHMENTS = 10_000

export interface CommentPage {
  comments: TicketComment[]
  /** The `after` of the next page; `null` when this is the last. */
  next: string | null
}

export interface NewComment {
  siteId: string
  number: number
  content: string
  author: Person | null
  at: Date
}

export interface AddedComment {
  comment: TicketComment
  /** Who gets it by mail. */
  mailedTo: string | null
}

export type CommentStore = ReturnType<typeof createCommentStore>

export function createCommentStore(db: Db) {
  return {
    /** In the order of the conversation. */
    async list(ticketId: string, page: { limit: number; after?: string | undefined }): Promise<CommentPage> {
      const next = db
        .selectFrom('ticket_comment')
        .where('ticket_id', '=', ticketId)
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

      const attachments = await attachmentsOf(db, ticketId, found[0]?.position ?? 0, last.position)
      return {
        next: last.there > found.length ? String(last.position) : null,
        comments: found.map((row) => ({
          content: row.content,
          author: shownPerson(
            saidPerson(row.person_email, row.person_name, row.person_phone),
            saidPerson(row.author_email, row.author_name, row.author_phone),
          ),
          createdAt: row.created_at && formatTimestamp(row.created_at.getTime()),
          attachments: attachments.get(row.position) ?? [],
        })),
      }
    },

    /**
     * Adds what the staff says to a conversation, and with it, in one transaction, the mail to the reporter: when there
     * is an address, and it is not the reporter who speaks. `undefined` when the site has no such request.
     */
    add: (comment: NewComment): Promise<AddedComment | undefined> =>
      db.transaction().execute(async (tx) => {
        const { siteId, number, content, author, at } = comment
        // Before the request is locked: who removes a person has locked that, and waits for the requests that name it.
        const known = author?.email ? await findPerson(tx, siteId, author.email) : undefined
        // Locked: two comments at once get two places.
        const ticket = await tx
          .selectFrom('ticket')
          .innerJoin('site', 'site.id', 'ticket.site_id')
          .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
          .where('ticket.site_id', '=', siteId)
          .where('number', '=', number)
          .select(['ticket.id', 'title', 'reporter_email', 'reporter.email as person_email', 'site.name as site'])
          .forUpdate('ticket')
          .executeTakeFirst()
        if (!ticket) return undefined

        const { last } = await tx
          .selectFrom('ticket_comment')
          .where('ticket_id', '=', ticket.id)
          .select((eb) => eb.fn.max('position').as('last'))
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('ticket_comment')
          .values({
            ticket_id: ticket.id,
            position: (last ?? -1) + 1,
            content,
            author_id: known?.id ?? null,
            author_email: author?.email ?? null,
            author_name: author?.name ?? null,
            author_phone: author?.phone ?? null,
            created_at: at,
          })
          .execute()
        await tx.updateTable('ticket').set({ updated_at: at }).where('id', '=', ticket.id).execute()

        const shown = shownPerson(known ?? null, author)
        const address = ticket.person_email ?? ticket.reporter_email
        const recipient = isSameAddress(author?.email, address) ? null : address
        if (recipient !== null) {
          const mail = commentMail({
            siteName: ticket.site,
            ticketNumber: number,
            ticketTitle: ticket.title,
            authorName: shown?.name,
            content,
          })
          await queueMail(tx, { siteId, ticketId: ticket.id, recipient, ...mail })
        }
        return {
          comment: { content, author: shown, createdAt: formatTimestamp(at.getTime()), attachments: [] },
          mailedTo: recipient,
        }
      }),
  }
}

async function attachmentsOf(
  db: Db,
  ticketId: string,
  first: number,
  last: number,
): Promise<Map<number, Attachment[]>> {
  const rows = await db
    .selectFrom('ticket_attachment')
    .where('ticket_id', '=', ticketId)
    .where('comment_position', '>=', first)
    .where('comment_position', '<=', last)
    .select(['id', 'comment_position', 'name', 'content_type', 'size'])
    .orderBy('comment_position')
    .orderBy('position')
    .limit(SHOWN_ATTACHMENTS)
    .execute()
  const byComment = new Map<number, Attachment[]>()
  for (const row of rows) {
    const position = row.comment_position ?? 0
    const others = byComment.get(position)
    if (others) others.push(toAttachment(row))
    else byComment.set(position, [toAttachment(row)])
  }
  return byComment
}
