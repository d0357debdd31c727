import { queryOf, type Send } from './http.ts'

/** A mail to the reporter of a request. */
export interface OutboxMail {
  id: string
  /** Of the request that it is about; `null` when that is gone. */
  ticketNumber: number | null
  recipient: string
  subject: string
  /** Plain text. */
  body: string
  /** `failed`: it was given up. */
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  createdAt: string
  sentAt: string | null
}

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
