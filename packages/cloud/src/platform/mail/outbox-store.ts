import { newId } from '@plantroom/base/ids'
import type { OutboxMail } from '@plantroom/contract/api'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Page, type PageQuery, readPage } from '../db/page.ts'
import { type Lease, type LeasedRows, settle } from '../work/index.ts'

export interface NewMail {
  /** Empty for mail about an account, which belongs to no organization. */
  organizationId: string
  /** `null` for mail that no outbox lists. It is deleted once it is sent or given up. */
  siteId: string | null
  requestId: string | null
  recipient: string
  subject: string
  body: string
}

/** The mail that waits. A site that has sent its share of the hour waits longer. */
export const mailRows = (mailsPerHour: number): LeasedRows<'mail', 'id'> => ({
  table: 'mail',
  key: ['id'],
  waiting: sql`sent_at IS NULL AND gave_up_at IS NULL`,
  ready: (now) => sql`(item.site_id IS NULL OR item.site_id <> ALL (ARRAY(
    SELECT sent.site_id FROM mail AS sent
    WHERE sent.site_id IS NOT NULL AND sent.sent_at > ${now} - interval '1 hour'
    GROUP BY sent.site_id HAVING count(*) >= ${mailsPerHour}
  )))`,
})

/** A mail that this process has for a while. */
export interface LeasedMail extends Lease<'id'> {
  recipient: string
  subject: string
  body: string
}

/** Adds a mail to the outbox, and resolves with its id. With a transaction, senders see it after the commit. */
export async function queueMail(db: Db, mail: NewMail): Promise<string> {
  const id = newId('mail')
  await db
    .insertInto('mail')
    .values({
      id,
      organization_id: mail.organizationId,
      site_id: mail.siteId,
      ticket_id: mail.requestId,
      recipient: mail.recipient,
      subject: mail.subject,
      body: mail.body,
      sent_at: null,
      gave_up_at: null,
      error: null,
    })
    .execute()
  return id
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

const HOUR_MS = 3_600_000

/** The mail to reporters: sent, waiting or failed. A site that has sent its share of the hour waits. */
export function createOutboxStore(
  db: Db,
  { mailsPerHour, sendsMail = true }: { mailsPerHour: number; sendsMail?: boolean },
) {
  const rows = mailRows(mailsPerHour)
  return {
    rows,

    async open(lease: Lease<'id'>): Promise<LeasedMail> {
      const found = await db
        .selectFrom('mail')
        .where('id', '=', lease.id)
        .select(['recipient', 'subject', 'body'])
        .executeTakeFirstOrThrow()
      return { ...lease, ...found }
    },

    async markSent(mail: LeasedMail, at: Date): Promise<void> {
      if (await settle(db, rows, mail, { sent_at: at, error: null })) await deleteUnlisted(db, mail)
    },

    async postpone(mail: LeasedMail, { until, error }: { until: Date; error: string }): Promise<void> {
      await settle(db, rows, mail, { due_at: until, error })
    },

    async giveUp(mail: LeasedMail, { at, error }: { at: Date; error: string }): Promise<void> {
      if (await settle(db, rows, mail, { gave_up_at: at, error })) await deleteUnlisted(db, mail)
    },

    /** Returns one page, newest first. */
    async list({ siteId, now, ...page }: PageQuery & { siteId: string; now: Date }): Promise<Page<OutboxMail>> {
      const isBusy = await hasSentItsShare(db, siteId, { since: hourBefore(now), mailsPerHour })
      const waiting = sendsMail ? (isBusy ? waits(mailsPerHour) : null) : NO_SERVER
      const mails = db
        .selectFrom('mail')
        .leftJoin('ticket', 'ticket.id', 'mail.ticket_id')
        .where('mail.site_id', '=', siteId)
        .select(['mail.id', 'position', 'ticket.number', 'recipient', 'subject', 'body', 'attempts', 'error'])
        .select(['mail.created_at', 'sent_at', 'gave_up_at'])
      return readPage(mails, page, { by: 'position', order: 'desc' }, (row) => ({
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
      }))
    },
  }
}

/** Mail about an account has a link that must not stay readable. No page lists it either. */
async function deleteUnlisted(db: Db, { id }: LeasedMail): Promise<void> {
  await db.deleteFrom('mail').where('id', '=', id).where('site_id', 'is', null).execute()
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
