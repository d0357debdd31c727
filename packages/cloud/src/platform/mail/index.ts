/** Mail to reporters: the outbox, its routes and its delivery. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { addRoute } from '../routes/index.ts'
import type { WorkKind } from '../work/index.ts'
import { mailDelivery } from './delivery.ts'
import { createOutboxStore } from './outbox-store.ts'
import type { SmtpSettings } from './smtp.ts'

export { createAccountMailer } from './account-mail.ts'
export { administratorsOf } from './administrator-store.ts'
export { commentMail, MAILED_LINK_DAYS, mentionMail, oneLine } from './comment-mail.ts'
export { mailRows, queueMail } from './outbox-store.ts'
export type { SmtpSettings } from './smtp.ts'
export { readSmtpUrl } from './smtp-settings.ts'

/** Adds the route that lists the mail of a site. Without SMTP_URL, mail stays in this outbox. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; mailsPerHour: number; sendsMail: boolean; clock: Clock },
): void {
  const { db, mailsPerHour, sendsMail, clock } = deps
  const outbox = createOutboxStore(db, { mailsPerHour, sendsMail })
  addRoute(app, API.listOutbox, async (request) => {
    const { propertyId: siteId } = request.params
    const { items: mails, next } = await outbox.list({ ...request.query, siteId, now: new Date(clock.now()) })
    return { mails, nextCursor: next }
  })
}

/** Connects to the mail server and signs in, without sending anything. Rejects with the reason. */
export async function verifyMailServer(smtp: SmtpSettings): Promise<void> {
  const { verifySmtp } = await import('./smtp.ts')
  await verifySmtp(smtp)
}

/** What a worker does for mail. */
export async function mailWork(deps: {
  db: Db
  smtp: SmtpSettings
  mailsPerHour: number
  clock: Clock
  log: Log
}): Promise<WorkKind<'mail', 'id'>> {
  const { db, smtp, mailsPerHour, clock, log } = deps
  // Loaded only when used: job processes import this feature without sending mail.
  const { createSmtp } = await import('./smtp.ts')
  return mailDelivery({ store: createOutboxStore(db, { mailsPerHour }), smtp: createSmtp(smtp), clock, log })
}
