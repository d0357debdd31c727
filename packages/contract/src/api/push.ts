import { route } from '../route.ts'
import { object, text } from '../schema.ts'

const tag = 'Sign in'
const own = { by: 'session' } as const
const SUBSCRIPTIONS = '/api/session/push-subscriptions'
const endpoint = text({
  maxLength: 1000,
  pattern: '^https?://\\S+$',
  description: 'The address that the push service of the browser gave to it',
})

/** Notifications to browsers that show no page, by Web Push (RFC 8030). */
export const pushRoutes = {
  getPushKey: route({
    method: 'GET',
    path: '/api/session/push-key',
    access: own,
    tag,
    summary: 'The key with which the service identifies itself to push services: applicationServerKey of a browser',
    reply: object({ key: text({ description: 'The uncompressed point of P-256, in base64url' }) }),
  }),
  addPushSubscription: route({
    method: 'POST',
    path: SUBSCRIPTIONS,
    access: own,
    tag,
    summary: 'Notify this browser about new alerts, until this session ends or the subscription is removed',
    body: object({
      endpoint,
      p256dh: text({ maxLength: 200, description: 'The key of the browser, in base64url' }),
      auth: text({ maxLength: 100, description: 'The secret of the browser, in base64url' }),
    }),
    status: 204,
  }),
  removePushSubscription: route({
    method: 'DELETE',
    path: SUBSCRIPTIONS,
    access: own,
    tag,
    summary: 'Notify this browser no longer',
    query: object({ endpoint }),
    status: 204,
  }),
} as const
