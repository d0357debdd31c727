import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { Db } from './db/database.ts'
import type { FileStore } from './files/file-store.ts'
import { outboxRoutes } from './mail/outbox-routes.ts'
import { createOutboxStore } from './mail/outbox-store.ts'
import { createChangeStore } from './tickets/change-store.ts'
import { commentRoutes } from './tickets/comment-routes.ts'
import { createCommentStore } from './tickets/comment-store.ts'
import { labelRoutes } from './tickets/label-routes.ts'
import { createLabelStore } from './tickets/label-store.ts'
import { createTicketListStore } from './tickets/list-store.ts'
import { personRoutes } from './tickets/person-routes.ts'
import { createPersonStore } from './tickets/person-store.ts'
import { ticketRoutes } from './tickets/ticket-routes.ts'
import { createTicketStore } from './tickets/ticket-store.ts'

/** Maintenance requests over HTTP, and what the site mailed about them. */
export function addTicketRoutes(app: FastifyInstance, deps: { db: Db; files: FileStore; clock: Clock }): void {
  const { db, files, clock } = deps
  const tickets = createTicketStore(db)
  const comments = createCommentStore(db)
  const list = createTicketListStore(db)
  ticketRoutes(app, { list, tickets, changes: createChangeStore(db), comments, files, clock })
  commentRoutes(app, { tickets, comments, clock })
  personRoutes(app, { people: createPersonStore(db) })
  labelRoutes(app, { labels: createLabelStore(db) })
  outboxRoutes(app, { store: createOutboxStore(db) })
}
