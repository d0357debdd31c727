import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { listEvents } from './event-list-store.ts'
import { viewOf } from './program-routes.ts'
import { listReports } from './report-list-store.ts'

/** Lists events and reports. */
export function listRoutes(app: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): void {
  addRoute(app, API.listOpenadrEvents, async (request) => {
    const { from, to, ...query } = request.query
    const times = { from: timeOf('from', from), to: timeOf('to', to) }
    const page = await listEvents(db, viewOf(request), { ...query, ...times }, new Date(clock.now()))
    return { events: page.items, nextCursor: page.next }
  })

  addRoute(app, API.listOpenadrReports, async (request) => {
    const page = await listReports(db, viewOf(request), request.query)
    return { reports: page.items, nextCursor: page.next }
  })
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTimestamp(text)
  if (time === undefined) throw new Failure('invalid', `${field} must be a time with a zone`, field)
  return new Date(time)
}
