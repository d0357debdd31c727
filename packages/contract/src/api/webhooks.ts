import { nextCursor, paging, timeOrNull } from '../fields.ts'
import { route } from '../route.ts'
import { array, integer, object, optional, partial, text } from '../schema.ts'
import { Delivery, Webhook, webhookChanges, webhookFields, webhookSecret } from '../webhooks.ts'
import { MAX_OVERLAP_SECONDS } from './keys.ts'
import { administrator } from './organization.ts'

const tag = 'Alerts and webhooks'
/** What gives data to another server: the person must have proved recently who they are. */
const freshAdministrator = { ...administrator, fresh: true } as const

const WEBHOOKS = '/api/orgs/:orgId/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhookId`

/** Notifies other servers of events, by the Standard Webhooks scheme. */
export const webhookRoutes = {
  listWebhooks: route({
    method: 'GET',
    path: WEBHOOKS,
    access: administrator,
    tag,
    summary: 'List the webhooks of an organization',
    reply: object({ webhooks: array(Webhook) }),
  }),
  addWebhook: route({
    method: 'POST',
    path: WEBHOOKS,
    access: freshAdministrator,
    tag,
    summary: 'Add a webhook; the secret of its signatures is in this reply and never shown again',
    body: object({ ...webhookFields, siteIds: optional(webhookFields.siteIds) }),
    status: 201,
    reply: object({ ...Webhook.properties, secret: webhookSecret }),
  }),
  changeWebhook: route({
    method: 'PATCH',
    path: WEBHOOK,
    access: freshAdministrator,
    tag,
    summary: 'Change a webhook, stop its deliveries or start them again',
    body: partial(webhookChanges),
    reply: Webhook,
  }),
  removeWebhook: route({
    method: 'DELETE',
    path: WEBHOOK,
    access: administrator,
    tag,
    summary: 'Remove a webhook and its deliveries',
    status: 204,
  }),
  rotateWebhookSecret: route({
    method: 'POST',
    path: `${WEBHOOK}/rotate`,
    access: freshAdministrator,
    tag,
    summary: 'Give a webhook a new secret, shown once; deliveries are signed with both for the overlap',
    body: object({
      overlapSeconds: integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS, description: 'At most 30 days' }),
    }),
    reply: object({ id: text(), secret: webhookSecret, previousSecretUntil: timeOrNull() }),
  }),
  testWebhook: route({
    method: 'POST',
    path: `${WEBHOOK}/test`,
    access: administrator,
    tag,
    summary: 'Send a test event to a webhook; its delivery says what came of it',
    status: 202,
    reply: object({ deliveryId: text() }),
  }),
  listDeliveries: route({
    method: 'GET',
    path: `${WEBHOOK}/deliveries`,
    access: administrator,
    tag,
    summary: 'List what was sent to a webhook in the last 30 days, the newest first, by pages',
    query: object(paging({ most: 200, default: 50 })),
    reply: object({ deliveries: array(Delivery), nextCursor }),
  }),
  sendDeliveryAgain: route({
    method: 'POST',
    path: `${WEBHOOK}/deliveries/:deliveryId/resend`,
    access: administrator,
    tag,
    summary: 'Send a delivery again that is over, with the same webhook-id',
    status: 202,
    reply: object({ deliveryId: text() }),
  }),
} as const
