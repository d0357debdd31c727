import type { FastifyInstance } from 'fastify'
import { CURSOR } from '../db/patterns.ts'
import { MAIL_STATES, type OutboxStore } from './outbox-store.ts'

const MAX_LIMIT = 1000
const DEFAULT_LIMIT = 100

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const

const mail = {
  type: 'object',
  properties: {
    id: text,
    ticketNumber: { type: ['integer', 'null'], description: 'Number of the request; null when it was removed' },
    recipient: text,
    subject: text,
    body: { type: 'string', description: 'Plain text' },
    state: { type: 'string', enum: MAIL_STATES, description: 'failed: no further attempts; `error` has the reason' },
    attempts: { type: 'integer' },
    error: { ...textOrNull, description: 'Reason why the last attempt failed' },
    createdAt: { type: 'string', format: 'date-time' },
    sentAt: { ...textOrNull, description: 'Time at which the mail server accepted it' },
  },
} as const

interface OutboxRoute {
  Params: { orgId: string; propertyId: string }
  Querystring: { limit: number; cursor?: string }
}

/** Lists the mail of a site to its reporters. Without SMTP_URL, mail stays in this outbox. */
export function outboxRoutes(app: FastifyInstance, deps: { store: Pick<OutboxStore, 'list'> }): void {
  app.get<OutboxRoute>(
    '/api/orgs/:orgId/properties/:propertyId/outbox',
    {
      // Mail quotes conversations, so a key that may only read requests has no access.
      config: {
        access: {
          by: 'key-or-operator',
          permission: 'ticket:read_write',
          role: 'manager',
          needs: 'maintenance-requests',
        },
      },
      schema: {
        tags: ['Maintenance requests'],
        summary: 'List the mail to reporters, newest first, in pages',
        querystring: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
            cursor: { type: 'string', pattern: CURSOR, description: 'The `nextCursor` of the previous page' },
          },
        },
        response: {
          200: {
            type: 'object',
            properties: {
              mails: { type: 'array', items: mail },
              nextCursor: { ...textOrNull, description: 'The cursor of the next page; null on the last page' },
            },
          },
        },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const { mails, next } = await deps.store.list({ siteId: request.params.propertyId, limit, before: cursor })
      return { mails, nextCursor: next }
    },
  )
}
