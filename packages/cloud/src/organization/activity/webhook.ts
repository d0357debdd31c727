import { createHmac } from 'node:crypto'
import { BOUNDS, OPERATOR, type Transport } from '../../platform/outbound/index.ts'
import type { Sink } from './sink.ts'

export interface WebhookSettings {
  url: string
  /** The key of the HMAC, which the receiver has, too. */
  secret: string
}

/**
 * Posts entries as JSON lines, each exactly as it was signed. `X-Plantroom-Signature` has the HMAC-SHA256 of the body. Only
 * a 2xx answer counts as delivered.
 */
export function createWebhook({ url, secret }: WebhookSettings, transport: Transport): Sink {
  return {
    name: 'webhook',
    async send(entries, signal) {
      const body = entries.map(({ entry }) => `${entry}\n`).join('')
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'content-type': 'application/x-ndjson', 'x-plantroom-signature': `sha256=${signature}` }
      const outgoing = { method: 'POST', headers, body, signal, group: OPERATOR, bounds: BOUNDS.webhook }
      const { status } = await transport.send(new URL(url), outgoing)
      if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`)
    },
  }
}
