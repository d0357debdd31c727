import type { Mentionable } from '@plantroom/contract/api'
import { isSameEmail } from '@plantroom/contract/fold-email'
import type { Attachment, Person, TicketComment } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Page, PageQuery } from '../../platform/db/page.ts'
import { commentMail, mentionMail, queueMail } from '../../platform/mail/index.ts'
import { insertAttachments, type NewAttachment, placed } from './attachment-store.ts'
import { shownText } from './column-values.ts'
import { insertMentions, mentionsOf } from './mention-store.ts'
import { personFrom, shownPerson } from './person.ts'
import { findPerson } from './person-store.ts'
import { toAttachment } from './request-store.ts'

/** A page ends once its comments exceed this size: comments of a package may be of any length. */
const PAGE_BYTES = 1_000_000
const SHOWN_ATTACHMENTS = 10_000

interface NewComment {
  siteId: string
  number: number
  content: string
  author: Person | null
  attachments?: readonly NewAttachment[]
  /** Addresses of the attachments that need no sign-in, for the mail to the reporter, in order. */
  links?: readonly { name: string; url: string }[]
  mentioned?: readonly Mentionable[]
  /** The address of the request in the console, for the mail to mentioned people. */
  page: string
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
    async list(requestId: string, page: PageQuery): Promise<Page<TicketComment>> {
      const next = db
        .selectFrom('ticket_comment')
        .where('ticket_id', '=', requestId)
        .where('position', '>', sql<number>`${page.cursor ?? '-1'}::bigint`)
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
      if (!last) return { items: [], next: null }

      const first = found[0]?.position ?? 0
      const attachments = await attachmentsOf(db, requestId, first, last.position)
      const mentions = await mentionsOf(db, requestId, first, last.position)
      return {
        next: last.there > found.length ? String(last.position) : null,
        items: found.map((row) => ({
          content: row.content,
          author: shownPerson(
            personFrom(row.person_email, row.person_name, row.person_phone),
            personFrom(row.author_email, row.author_name, row.author_phone),
          ),
          createdAt: row.created_at && formatTimestamp(row.created_at.getTime()),
          attachments: attachments.get(row.position) ?? [],
          mentions: mentions.get(row.position) ?? [],
        })),
      }
    },

    /**
     * Adds a staff comment and, in the same transaction, its files, its mentions and the mail to the reporter unless they
     * have no email or are the author. Returns undefined when the site has no such request.
     */
    add: (comment: NewComment): Promise<AddedComment | undefined> => inTransaction(db, (tx) => addComment(tx, comment)),
  }
}

async function addComment(tx: Db, comment: NewComment): Promise<AddedComment | undefined> {
  const { siteId, number, content, author, attachments = [], mentioned = [], at } = comment
  // Before locking the request: removing a person locks that person first and then waits for their requests.
  const linked = author?.email ? await findPerson(tx, siteId, author.email) : undefined
  // Locked, so that two comments at the same time get two positions.
  const request = await tx
    .selectFrom('ticket')
    .innerJoin('site', 'site.id', 'ticket.site_id')
    .leftJoin('person as reporter', 'reporter.id', 'ticket.reporter_id')
    .where('ticket.site_id', '=', siteId)
    .where('number', '=', number)
    .select(['ticket.id', 'title', 'reporter_email', 'reporter.email as person_email'])
    .select(['site.name as site', 'site.organization_id as organizationId'])
    .forUpdate('ticket')
    .executeTakeFirst()
  if (!request) return undefined

  const { last } = await tx
    .selectFrom('ticket_comment')
    .where('ticket_id', '=', request.id)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  const position = (last ?? -1) + 1
  await tx
    .insertInto('ticket_comment')
    .values({
      ticket_id: request.id,
      position,
      content,
      author_id: linked?.id ?? null,
      author_email: author?.email ?? null,
      author_name: author?.name ?? null,
      author_phone: author?.phone ?? null,
      created_at: at,
    })
    .execute()
  const attachmentIds = await insertAttachments(tx, placed(request.id, position, attachments))
  await insertMentions(tx, { requestId: request.id, position }, mentioned)
  await tx.updateTable('ticket').set({ updated_at: at }).where('id', '=', request.id).execute()

  const shown = shownPerson(linked ?? null, author)
  const address = request.person_email ?? request.reporter_email
  const recipient = isSameEmail(author?.email, address) ? null : address
  await queueMails(tx, comment, { ...request, recipient, authorName: shown?.name ?? null })
  return {
    comment: {
      content,
      author: shown,
      createdAt: formatTimestamp(at.getTime()),
      attachments: attachments.map(({ name, contentType, size }, place) => ({
        id: attachmentIds[place] ?? '',
        name,
        contentType,
        size,
      })),
      mentions: mentioned.map(({ userId, name }) => ({ userId, name })),
    },
    mailedTo: recipient,
  }
}

/** Mails a comment to the reporter, and to those it mentions except its author. No one gets it twice. */
async function queueMails(
  tx: Db,
  { siteId, number, content, author, links = [], mentioned = [], page }: NewComment,
  request: {
    id: string
    title: string
    organizationId: string
    site: string
    recipient: string | null
    authorName: string | null
  },
): Promise<void> {
  const { organizationId, recipient, authorName } = request
  const about = { siteName: request.site, requestNumber: number, requestTitle: request.title, content }
  const send = (to: string, mail: { subject: string; body: string }) =>
    queueMail(tx, { organizationId, siteId, requestId: request.id, recipient: to, ...mail })
  if (recipient !== null) await send(recipient, commentMail({ ...about, authorName, links }))
  for (const { email } of mentioned) {
    if (isSameEmail(email, recipient) || isSameEmail(email, author?.email)) continue
    await send(email, mentionMail({ ...about, authorName: authorName ?? author?.email, files: links.length, page }))
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
