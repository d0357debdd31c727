import type { OutboxMail } from '@plantroom/contract/api'
import { queryOf, type Send } from './http.ts'

export type { OutboxMail } from '@plantroom/contract/api'

/** `nextCursor` is `null` on the last page. */
export interface OutboxPage {
  mails: OutboxMail[]
  nextCursor: string | null
}

/** What was mailed to the reporters of a site, or waits to be; the newest first. */
export function createOutboxClient(send: Send, site: { orgId: string; propertyId: string }) {
  const base = `/api/orgs/${encodeURIComponent(site.orgId)}/properties/${encodeURIComponent(site.propertyId)}/outbox`
  return {
    mails: (range: { limit?: number | undefined; cursor?: string | undefined } = {}) =>
      send<OutboxPage>('GET', `${base}${queryOf({ ...range })}`),
  }
}
