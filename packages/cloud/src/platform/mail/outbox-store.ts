import { newId } from '@plantroom/base/ids'
import type { OutboxMail } from '@plantroom/contract/api'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface NewMail {
  /** `null` for mail about an account, which is deleted once it is sent or given up. */
  siteId: string | null
  requestId: string | null
  recipient: string
  subject: string
  body: string
}

/** A mail that one sender has claimed for a while. */
export interface ClaimedMail {
  id: string
  recipient: string
  subject: string
  body: string
  /** Including the current one. */
  attempts: number
}

interface OutboxPage {
  mails: OutboxMail[]
  /** The `before` of the next page; `null` on the last page. */
  next: string | null
}

/** Adds a mail to the outbox. With a transaction, senders see it after the commit. */
export async function queueMail(db: Db, mail: NewMail): Promise<void> {
  await db
    .insertInto('mail')
    .values({
      id: newId('mail'),
      site_id: mail.siteId,
      ticket_id: mail.requestId,
      recipient: mail.recipient,
      subject: mail.subject,
      body: mail.body,
      due_at: null,
      sent_at: null,
      gave_up_at: null,
      error: null,
    })
    .execute()
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

const HOUR_MS = 3_600_000

/** The mail to reporters: sent, waiting or failed. A site that has sent its share of the hour waits. */
export function createOutboxStore(
  db: Db,
  { mailsPerHour, sendsMail = true }: { mailsPerHour: number; sendsMail?: boolean },
) {
  // Changes nothing once another sender has claimed the mail.
  const claimed = ({ id, attempts }: ClaimedMail) =>
    db.updateTable('mail').where('id', '=', id).where('attempts', '=', attempts)

  return {
    /** Claims the first due mail until a time and counts the attempt, even if this process then dies. */
    async claim({ now, until }: { now: Date; until: Date }): Promise<ClaimedMail | undefined> {
      const { rows } = await sql<ClaimedMail>`
        WITH busy AS (
          SELECT site_id FROM mail WHERE sent_at > ${hourBefore(now)} GROUP BY site_id HAVING count(*) >= ${mailsPerHour}
        )
        UPDATE mail SET attempts = attempts + 1, due_at = ${until}
        WHERE id = (
          SELECT id FROM mail
          WHERE sent_at IS NULL AND gave_up_at IS NULL AND (due_at IS NULL OR due_at <= ${now})
            AND NOT EXISTS (SELECT FROM busy WHERE busy.site_id = mail.site_id)
          ORDER BY position LIMIT 1
          FOR UPDATE SKIP LOCKED
        )
        RETURNING id, recipient, subject, body, attempts`.execute(db)
      return rows[0]
    },

    async markSent(mail: ClaimedMail, at: Date): Promise<void> {
      await claimed(mail).set({ sent_at: at, error: null }).execute()
      await deleteAccountMail(db, mail)
    },

    async postpone(mail: ClaimedMail, { until, error }: { until: Date; error: string }): Promise<void> {
      await claimed(mail).set({ due_at: until, error }).execute()
    },

    async giveUp(mail: ClaimedMail, { at, error }: { at: Date; error: string }): Promise<void> {
      await claimed(mail).set({ gave_up_at: at, error }).execute()
      await deleteAccountMail(db, mail)
    },

    /** Returns one page, newest first. */
    async list(query: { siteId: string; limit: number; before?: string | undefined; now: Date }): Promise<OutboxPage> {
      const isBusy = await hasSentItsShare(db, query.siteId, { since: hourBefore(query.now), mailsPerHour })
      const waiting = sendsMail ? (isBusy ? waits(mailsPerHour) : null) : NO_SERVER
      let rows = db
        .selectFrom('mail')
        .leftJoin('ticket', 'ticket.id', 'mail.ticket_id')
        .where('mail.site_id', '=', query.siteId)
      if (query.before !== undefined) rows = rows.where('mail.position', '<', query.before)
      // One extra row shows whether there is a next page.
      const found = await rows
        .select(['mail.id', 'mail.position', 'ticket.number', 'recipient', 'subject', 'body', 'attempts', 'error'])
        .select(['mail.created_at', 'sent_at', 'gave_up_at'])
        .orderBy('mail.position', 'desc')
        .limit(query.limit + 1)
        .execute()
      const page = found.slice(0, query.limit)
      return {
        next: found.length > query.limit ? (page.at(-1)?.position ?? null) : null,
        mails: page.map((row) => ({
          id: row.id,
          ticketNumber: row.number,
          recipient: row.recipient,
          subject: row.subject,
          body: row.body,
          state: row.sent_at ? 'sent' : row.gave_up_at ? 'failed' : 'waiting',
          attempts: row.attempts,
          error: row.error ?? (row.sent_at || row.gave_up_at ? null : waiting),
          createdAt: formatTimestamp(row.created_at.getTime()),
          sentAt: row.sent_at && formatTimestamp(row.sent_at.getTime()),
        })),
      }
    },
  }
}

/** Mail about an account has a link that must not stay readable. No page lists it either. */
async function deleteAccountMail(db: Db, { id, attempts }: ClaimedMail): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('site_id', 'is', null)
    .execute()
}

const hourBefore = (now: Date) => new Date(now.getTime() - HOUR_MS)

const NO_SERVER =
  'not sent: no mail server is set up; set SMTP_URL and restart the cloud and the worker, which then sends it'

const waits = (mailsPerHour: number) =>
  `waits: this site has reached its limit of ${mailsPerHour} mails an hour; the worker sends it when the limit allows`

async function hasSentItsShare(
  db: Db,
  siteId: string,
  { since, mailsPerHour }: { since: Date; mailsPerHour: number },
): Promise<boolean> {
  const { count } = await db
    .selectFrom('mail')
    .where('site_id', '=', siteId)
    .where('sent_at', '>', since)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) >= mailsPerHour
}
