import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { OutboxStore } from './outbox-store.ts'

/** Lists the mail of a site to its reporters. Without SMTP_URL, mail stays in this outbox. */
export function outboxRoutes(app: FastifyInstance, deps: { store: Pick<OutboxStore, 'list'> }): void {
  addRoute(app, API.listOutbox, async (request) => {
    const { limit, cursor } = request.query
    const { mails, next } = await deps.store.list({ siteId: request.params.propertyId, limit, before: cursor })
    return { mails, nextCursor: next }
  })
}
