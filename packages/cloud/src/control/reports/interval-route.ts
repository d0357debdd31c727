import type { Clock } from '@plantroom/base/clock'
import type { CsvCell } from '@plantroom/base/csv'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { overrideViewOf, seesOverride } from '../../organization/access/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { sendCsv } from '../../platform/streams/index.ts'
import type { IntervalStore } from './interval-store.ts'

const DAY_MS = 86_400_000
const CSV_PAGE = 10_000

/** Lists the intervals in which a site was limited: the proof that its limits were kept. */
export function intervalRoute(app: FastifyInstance, { store, clock }: { store: IntervalStore; clock: Clock }): void {
  addRoute(app, API.listLimitIntervals, async (request, reply) => {
    const { format, limit, cursor, ...times } = request.query
    const to = (times.to === undefined ? undefined : parseTimestamp(times.to)) ?? clock.now()
    const from = (times.from === undefined ? undefined : parseTimestamp(times.from)) ?? to - DAY_MS
    if (from >= to) throw new Failure('invalid', 'from must be before to', 'from')
    // The database rejects some times before 1970.
    const [since, until] = [new Date(Math.max(0, from)), new Date(Math.max(0, to))]
    const view = overrideViewOf(request, request.params.siteId)
    // Which limits others have placed is not for everyone; whether the site kept them is.
    const list = async (page: { limit: number; cursor: string | undefined }) => {
      const { items, next } = await store.list({ ...query, ...page })
      return {
        items: items.map(({ interval, owner, strictestOwner }) => {
          const { limitedBy } = interval
          const shown = {
            ...interval,
            limitedBy: limitedBy && {
              ...limitedBy,
              limitId: seesOverride(view, strictestOwner) ? limitedBy.limitId : null,
            },
          }
          return seesOverride(view, owner) ? shown : { ...shown, limitId: null, placedBy: null }
        }),
        next,
      }
    }
    const query = { organizationId: request.params.orgId, siteId: request.params.siteId, from: since, to: until }
    if (format === 'csv') {
      return sendCsv(reply, {
        filename: 'limit-intervals.csv',
        columns: COLUMNS.map(([name]) => name),
        cells: (interval: SiteLimitInterval) => COLUMNS.map(([, cell]) => cell(interval)),
        read: (after) => list({ limit: CSV_PAGE, cursor: after }),
      })
    }
    const { items, next } = await list({ limit, cursor })
    return reply.type('application/json').send({ intervals: items, nextCursor: next })
  })
}

const COLUMNS: readonly (readonly [name: string, cell: (interval: SiteLimitInterval) => CsvCell])[] = [
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ['deviceId', ({ deviceId }) => deviceId],
  ['direction', ({ direction }) => direction],
  ['limitKw', ({ limitKw }) => limitKw],
  ['meanKw', ({ meanKw }) => meanKw],
  ['marginKw', ({ marginKw }) => marginKw],
  ['coverage', ({ coverage }) => coverage],
  ['state', ({ state }) => state],
  ['kept', ({ kept }) => (kept === null ? null : String(kept))],
  ['moved', ({ moved }) => moved.join(' ')],
  ['limitId', ({ limitId }) => limitId],
  ['placedBy', ({ placedBy }) => placedBy?.name ?? null],
  ['reason', ({ placedBy }) => placedBy?.reason ?? null],
  ['source', ({ source }) => source ?? null],
  ['limitedBy', ({ limitedBy }) => limitedBy?.source ?? null],
  ['limitedByKw', ({ limitedBy }) => limitedBy?.kw ?? null],
  ['limitedByLimitId', ({ limitedBy }) => limitedBy?.limitId ?? null],
]
