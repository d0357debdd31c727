import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { BOUNDS, type Transport } from '../../platform/outbound/index.ts'
import { delayAfter, type WorkKind } from '../../platform/work/index.ts'
import { encryptPush } from './encrypt-push.ts'
import type { PushKey } from './push-key.ts'
import { PUSH_MESSAGES, type PushStore } from './push-store.ts'

const AT_ONCE = 16
const PER_ORGANIZATION = 4
/** Between attempts. After an hour, the page says more than a notification. */
export const DELAYS_MS = [10_000, 60_000, 10 * 60_000, 45 * 60_000] as const
/** How long the push service keeps a message for a phone that is off. */
const KEPT_S = 4 * 3600
const GONE = [404, 410]

export interface PushDeps {
  store: Pick<PushStore, 'open' | 'remove' | 'forget' | 'postpone'>
  transport: Transport
  key: PushKey
  /** The address of this service, for the operators of push services. */
  contact: string | undefined
  clock: Clock
  log: Log
}

/** Sends messages to the push services of browsers. */
export function pushDelivery({ store, transport, key, contact, clock, log }: PushDeps): WorkKind<'push_message', 'id'> {
  return {
    name: 'push',
    rows: PUSH_MESSAGES,
    atOnce: AT_ONCE,
    perOrganization: PER_ORGANIZATION,
    async run(lease) {
      const message = await store.open(lease)
      if (!message) return
      const url = new URL(message.endpoint)
      const headers = {
        authorization: key.authorization(url, clock.now(), contact),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_S),
        urgency: 'high',
      }
      const body = encryptPush(message.payload, message)
      const sent = { method: 'POST', headers, body, group: message.organizationId, bounds: BOUNDS.webhook }
      const status = await transport.send(url, sent).then(
        (answer) => answer.status,
        (error: Error) => error.message,
      )
      if (typeof status === 'number' && status >= 200 && status <= 299) return store.remove(message)
      if (typeof status === 'number' && GONE.includes(status)) return store.forget(message.subscriptionId)
      const delay = delayAfter(DELAYS_MS, message.attempts)
      // The address is a secret of the browser.
      log.warn({ pushService: url.host, answer: status }, 'could not notify a browser')
      if (delay === undefined) return store.remove(message)
      await store.postpone(message, new Date(clock.now() + delay))
    },
  }
}
