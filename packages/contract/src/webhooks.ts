import { time, timeOrNull } from './fields.ts'
import { STORABLE } from './patterns.ts'
import { array, boolean, integer, nullable, object, oneOf, type Static, text } from './schema.ts'

/** The events that a webhook can get. `test` is sent by the test button only. */
export const WEBHOOK_EVENT_TYPES = [
  'alert.opened',
  'alert.closed',
  'dispatch.completed',
  'limit.completed',
  'test',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

/** What a webhook can subscribe to. */
export const WEBHOOK_SUBSCRIPTIONS = [
  'alert.opened',
  'alert.closed',
  'dispatch.completed',
  'limit.completed',
] as const satisfies readonly WebhookEventType[]

export const MAX_WEBHOOKS = 20
/** Tests and repeated deliveries of one webhook. */
export const MAX_ASKED_PER_HOUR = 60

/** What an administrator says about a webhook. */
export const webhookFields = {
  url: text({
    minLength: 1,
    maxLength: 2000,
    pattern: STORABLE,
    description: 'Where to post, an address that starts with https:// and leads to a public server',
  }),
  types: array(oneOf(WEBHOOK_SUBSCRIPTIONS), { minItems: 1, uniqueItems: true, description: 'The events to send' }),
  siteIds: nullable(array(text({ maxLength: 255, pattern: STORABLE }), { uniqueItems: true, maxItems: 1000 }), {
    description: 'Only events of these sites; null for all, including events that belong to no site',
  }),
}

export const Webhook = object({
  id: text(),
  ...webhookFields,
  state: oneOf(['active', 'disabled']),
  disabledReason: nullable(text(), {
    description: 'Why the service disabled it; null when active or disabled by a person',
  }),
  failingSince: timeOrNull('Since when no delivery succeeded; null while they do'),
  createdAt: time(),
  previousSecretUntil: timeOrNull('Until when deliveries are also signed with the secret before the rotation'),
})
export interface Webhook extends Static<typeof Webhook> {}

/** Shown once. */
export const webhookSecret = text({
  description: 'The secret of the signatures (whsec_…, Standard Webhooks); shown once',
})

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const

/** One event on its way to one webhook. */
export const Delivery = object({
  id: text(),
  eventId: text({ description: 'The webhook-id header, the same for every attempt' }),
  type: oneOf(WEBHOOK_EVENT_TYPES),
  state: oneOf(DELIVERY_STATES),
  attempts: integer(),
  createdAt: time(),
  lastAttemptAt: timeOrNull(),
  nextAttemptAt: timeOrNull('When it is tried next; null when it is over'),
  status: nullable(integer(), { description: 'The HTTP status of the last answer; null without one' }),
  response: nullable(text(), { description: 'The first part of the last answer' }),
  error: nullable(text(), { description: 'Why the last attempt failed' }),
})
export interface Delivery extends Static<typeof Delivery> {}

/** What can be changed about a webhook. */
export const webhookChanges = {
  ...webhookFields,
  active: boolean({ description: 'false stops deliveries; true starts them again' }),
}
