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
    ticketNumber: { type: ['integer', 'null'], description: 'The request that it is about; null when that is gone' },
    recipient: text,
    subject: text,
    body: { type: 'string', description: 'Plain text' },
    state: { type: 'string', enum: MAIL_STATES, description: 'failed: it was given up; error says why' },
    attempts: { type: 'integer' },
    error: { ...textOrNull, description: 'Why the last attempt failed' },
    createdAt: { type: 'string', format: 'date-time' },
    sentAt: { ...textOrNull, description: 'When the mail server took it' },
  },
} as const

interface OutboxRoute {
  Params: { orgId: string; propertyId: string }
  Querystring: { limit: number; cursor?: string }
}

/** What was mailed to the reporters of a site, or would have been: without SMTP_URL all of it waits here. */
export function outboxRoutes(app: FastifyInstance, deps: { store: Pick<OutboxStore, 'list'> }): void {
  app.get<OutboxRoute>(
    '/api/orgs/:orgId/properties/:propertyId/outbox',
    {
      // It quotes conversations with people by name: not for a key that reads requests only.
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
        summary: 'Mails to the reporters of requests, the newest first, by pages',
        querystring: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
            cursor: { type: 'string', pattern: CURSOR, description: 'The nextCursor of the page before' },
          },
        },
        response: {
          200: {
            type: 'object',
            properties: {
              mails: { type: 'array', items: mail },
              nextCursor: { ...textOrNull, description: 'The cursor of the next page; null on the last' },
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
