import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Delivery, WebhookEventType } from '@plantroom/contract/webhooks'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'
import { giveBack, type Lease, type LeasedRows, settle, slowSubject } from '../../platform/work/index.ts'

/** At the same time to one webhook: a slow receiver fills its own places. */
export const PER_WEBHOOK = 2

/** The deliveries that wait. */
export const DELIVERIES: LeasedRows<'webhook_delivery', 'id'> = {
  table: 'webhook_delivery',
  key: ['id'],
  waiting: sql`state = 'waiting'`,
  group: { column: 'webhook_id', atOnce: PER_WEBHOOK },
  slow: slowSubject({ table: 'webhook_delivery', key: ['id'] }, { table: 'webhook', column: 'webhook_id' }),
}

/** A delivery that this process has for a while. */
export interface LeasedDelivery extends Lease<'id'> {
  webhookId: string
  url: string
  secret: Buffer
  previousSecret: Buffer | null
  previousUntil: Date | null
  failingSince: Date | null
  eventId: string
  type: WebhookEventType
  at: Date
  /** JSON. */
  data: string
}

/** What came of an attempt. */
interface Outcome {
  at: Date
  status: number | null
  response: string | null
  error: string | null
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** The deliveries of all webhooks: the queue of the workers, and the log that administrators see. */
export function createDeliveryStore(db: Db) {
  return {
    /** Returns what is to be sent. */
    async open(lease: Lease<'id'>): Promise<LeasedDelivery> {
      const { rows } = await sql<Omit<LeasedDelivery, keyof Lease<'id'>>>`
        SELECT webhook.id AS "webhookId", webhook.url, webhook.secret, webhook.previous_secret AS "previousSecret",
          webhook.previous_until AS "previousUntil", webhook.failing_since AS "failingSince",
          event.id AS "eventId", event.type, event.at, event.data
        FROM webhook_delivery delivery
        JOIN webhook ON webhook.id = delivery.webhook_id JOIN webhook_event event ON event.id = delivery.event_id
        WHERE delivery.id = ${lease.id}`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the webhook was removed')
      return { ...lease, ...row }
    },

    /** Returns false when another worker has the delivery by now. */
    async markDelivered(delivery: LeasedDelivery, { at, status, response }: Outcome): Promise<boolean> {
      const isOurs = await settle(db, DELIVERIES, delivery, {
        state: 'delivered',
        status,
        response,
        error: null,
        last_attempt_at: at,
      })
      // Most deliveries succeed: most of the time there is nothing to reset.
      if (isOurs && delivery.failingSince) {
        await db.updateTable('webhook').where('id', '=', delivery.webhookId).set({ failing_since: null }).execute()
      }
      return isOurs
    },

    /** Without `next`, the delivery has failed for good. Returns since when the webhook fails. */
    async markFailed(delivery: LeasedDelivery, outcome: Outcome, next: Date | undefined): Promise<Date> {
      const { at, status, response, error } = outcome
      const isOurs = await settle(db, DELIVERIES, delivery, {
        status,
        response,
        error,
        last_attempt_at: at,
        ...(next ? { due_at: next } : { state: 'failed' }),
      })
      if (!isOurs) return at
      const { failing_since } = await db
        .updateTable('webhook')
        .where('id', '=', delivery.webhookId)
        .set(({ fn, ref, val }) => ({ failing_since: fn.coalesce(ref('failing_since'), val(at)) }))
        .returning('failing_since')
        .executeTakeFirstOrThrow()
      return failing_since ?? at
    },

    /** Gives a delivery back as if it had not been tried: the cause is ours, not the receiver's. */
    async postpone(delivery: LeasedDelivery, until: Date, error: string): Promise<void> {
      await giveBack(db, DELIVERIES, delivery, { due_at: until, error })
    },

    /** Disables a webhook and ends its deliveries. Returns it, or `undefined` when it is disabled already. */
    async disable(webhookId: string, { at, reason }: { at: Date; reason: string }) {
      const found = await db
        .updateTable('webhook')
        .where('id', '=', webhookId)
        .where('disabled_at', 'is', null)
        .set({ disabled_at: at, disabled_reason: reason })
        .returning(['id', 'organization_id as organizationId', 'url'])
        .executeTakeFirst()
      if (found) await endWaiting(db, webhookId, 'the webhook was disabled')
      return found
    },

    endWaiting: (webhookId: string, error: string) => endWaiting(db, webhookId, error),

    /** Returns one page of the log, newest first. */
    list(webhookId: string, page: PageQuery): Promise<Page<Delivery>> {
      const deliveries = db
        .selectFrom('webhook_delivery as delivery')
        .innerJoin('webhook_event as event', 'event.id', 'delivery.event_id')
        .where('webhook_id', '=', webhookId)
        .select(['delivery.id', 'position', 'event_id', 'type', 'state', 'attempts', 'due_at', 'created_at'])
        .select(['last_attempt_at', 'status', 'response', 'error'])
      return readPage(deliveries, page, { by: 'position', order: 'desc' }, (row) => ({
        id: row.id,
        eventId: row.event_id,
        type: row.type,
        state: row.state,
        attempts: row.attempts,
        createdAt: formatTimestamp(row.created_at.getTime()),
        lastAttemptAt: row.last_attempt_at && formatTimestamp(row.last_attempt_at.getTime()),
        nextAttemptAt: row.state === 'waiting' ? formatTimestamp(row.due_at.getTime()) : null,
        status: row.status,
        response: row.response,
        error: row.error,
      }))
    },

    /** Lets a delivery that is over start again. Returns false when it waits or does not exist. */
    async sendAgain(webhookId: string, id: string, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhook_delivery')
        .set(({ eb }) => ({
          state: 'waiting',
          attempts: 0,
          claim: eb('claim', '+', 1),
          due_at: now,
          leased_until: null,
        }))
        .where('webhook_id', '=', webhookId)
        .where('id', '=', id)
        .where('state', '<>', 'waiting')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async exists(webhookId: string, id: string): Promise<boolean> {
      const found = await db
        .selectFrom('webhook_delivery')
        .where('webhook_id', '=', webhookId)
        .where('id', '=', id)
        .select('id')
        .executeTakeFirst()
      return found !== undefined
    },

    /** Removes events and their deliveries from before a time. */
    async removeBefore(time: Date): Promise<void> {
      await db.deleteFrom('webhook_event').where('at', '<', time).execute()
    },
  }
}

async function endWaiting(db: Db, webhookId: string, error: string): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({ state: 'failed', error, claim: eb('claim', '+', 1), leased_until: null }))
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}
