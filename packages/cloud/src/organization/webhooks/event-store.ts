import { newId } from '@plantroom/base/ids'
import type { WebhookEventType } from '@plantroom/contract/webhooks'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { storableJson } from '../../platform/db/storable-text.ts'

/** An event for webhooks. */
export interface WebhookEvent {
  organizationId: string
  /** `null` for what belongs to no site: webhooks that are limited to sites do not get it. */
  siteId: string | null
  type: WebhookEventType
  data: object
}

/** In one statement. */
const MOST_EVENTS = 1_000

/** Records an event and its deliveries in the transaction of the change: both happen or neither does. */
export function recordEvent(tx: Db, event: WebhookEvent): Promise<void> {
  return recordEvents(tx, [event])
}

/** Records many events. Each goes to every webhook of its organization that subscribes to it. */
export async function recordEvents(tx: Db, events: readonly WebhookEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += MOST_EVENTS) {
    const part = events.slice(start, start + MOST_EVENTS)
    await sql`
      WITH happened AS (
        SELECT * FROM ${givenRows(part, {
          id: ['text', () => newId('evt')],
          organization_id: 'text',
          site_id: 'text',
          type: 'text',
          data: ['text', ({ data }) => storableJson(data)],
          number: ['integer', (_, place) => place],
        })}
      ), wanted AS (
        SELECT happened.*, webhook.id AS webhook_id FROM happened
        JOIN webhook ON webhook.organization_id = happened.organization_id AND webhook.disabled_at IS NULL
          AND happened.type = ANY (webhook.types)
          AND (webhook.site_ids IS NULL OR happened.site_id = ANY (webhook.site_ids))
      ), recorded AS (
        INSERT INTO webhook_event (id, organization_id, site_id, type, data)
        SELECT DISTINCT id, organization_id, site_id, type, data FROM wanted
      )
      INSERT INTO webhook_delivery (id, organization_id, event_id, webhook_id)
      SELECT 'dlv_' || substr(id, 5) || '_' || substr(webhook_id, 4), organization_id, id, webhook_id FROM wanted ORDER BY number`.execute(
      tx,
    )
  }
}

/** Records an event for one webhook only, also when it does not subscribe to its type. Returns the id of the delivery. */
export async function recordEventFor(tx: Db, webhookId: string, event: WebhookEvent): Promise<string> {
  const [eventId, deliveryId] = [newId('evt'), newId('dlv')]
  const { organizationId, siteId, type, data } = event
  await tx
    .insertInto('webhook_event')
    .values({ id: eventId, organization_id: organizationId, site_id: siteId, type, data: storableJson(data) })
    .execute()
  const delivery = { id: deliveryId, organization_id: organizationId, event_id: eventId, webhook_id: webhookId }
  await tx.insertInto('webhook_delivery').values(delivery).execute()
  return deliveryId
}
