import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../testing/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { runDue } from '../../work/index.ts'
import { type MailDeps, mailDelivery } from '../delivery.ts'
import { createOutboxStore, type NewMail, type OutboxStore, queueMail } from '../outbox-store.ts'
import type { Smtp } from '../smtp.ts'

interface TestOutbox {
  db: Db
  store: OutboxStore
  /** Queues a mail to the reporter. */
  queue(mail?: Partial<NewMail>): Promise<string>
  list(now?: Date): Promise<Awaited<ReturnType<OutboxStore['list']>>['items']>
}

export const MAILS_PER_HOUR = 25
const SITE = 'site_1'
const TICKET = 'ticket_1'
export const REPORTER = 'mari@example.ee'

/** Sends what is due. Returns how many mails the server took. */
export async function sendDue(db: Db, deps: MailDeps): Promise<number> {
  let sent = 0
  const smtp: Smtp = {
    async send(mail) {
      const delivery = await deps.smtp.send(mail)
      if (delivery.kind === 'sent') sent += 1
      return delivery
    },
  }
  await runDue({ db, clock: deps.clock, log: deps.log }, mailDelivery({ ...deps, smtp }))
  return sent
}

/** Opens the outbox of a site with one request, in a new database. */
export async function openTestOutbox(): Promise<TestOutbox> {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await db.insertInto('organization').values({ id: 'org_1', name: 'Organization' }).execute()
  await db.insertInto('site').values({ id: SITE, organization_id: 'org_1', name: 'Site' }).execute()
  await sql`
    INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at)
    VALUES (${TICKET}, ${SITE}, 7, 'A-7', 'Tap', 'open', now(), now())`.execute(db)
  const store = createOutboxStore(db, { mailsPerHour: MAILS_PER_HOUR })
  return {
    db,
    store,
    queue: (mail = {}) =>
      queueMail(db, {
        ...{
          organizationId: 'org_1',
          siteId: SITE,
          requestId: TICKET,
          recipient: REPORTER,
          subject: 'Tap',
          body: 'Fixed.',
        },
        ...mail,
      }),
    list: async (now = new Date(0)) => (await store.list({ siteId: SITE, limit: 1000, now })).items,
  }
}
