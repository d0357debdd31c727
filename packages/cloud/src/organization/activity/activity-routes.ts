import type { AuditKey } from '@plantroom/base/audit-key'
import type { Clock } from '@plantroom/base/clock'
import type { CsvCell } from '@plantroom/base/csv'
import {
  ACTIVITY_ACTIONS,
  type ActivityAction,
  type ActivityEntry,
  type ChainedActivity,
} from '@plantroom/contract/activity'
import { API, type Api } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { ValidQuery } from '@plantroom/contract/route'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import { sendChain, sendCsv } from '../../platform/streams/index.ts'
import { type ActivityStore, SERVICE_CHAIN } from './activity-store.ts'

const MAX_LIMIT = 1000

interface ActivityRouteDeps {
  store: Pick<ActivityStore, 'list' | 'links'>
  key: AuditKey
  clock: Clock
}

/** Lists who did what: in an organization for its administrators, and outside of all for the operator. */
export function activityRoutes(app: FastifyInstance, deps: ActivityRouteDeps): void {
  addRoute(app, API.listActivity, async ({ params, query }, reply) =>
    answer(reply, { chain: params.orgId, organizationId: params.orgId }, query, deps),
  )
  addRoute(app, API.listServiceActivity, async ({ query }, reply) =>
    answer(reply, { chain: SERVICE_CHAIN, organizationId: null }, query, deps),
  )
  const { publicKey, fingerprint } = deps.key
  addRoute(app, API.getAuditKey, async () => ({ key: publicKey, fingerprint }))
}

async function answer(
  reply: FastifyReply,
  { chain, organizationId }: { chain: string; organizationId: string | null },
  query: ValidQuery<Api['listActivity']>,
  { store, key, clock }: ActivityRouteDeps,
): Promise<FastifyReply> {
  const { actor, action, subject, siteId, from, to, format, limit, cursor } = query
  if (format === 'chain') {
    return sendChain(reply, {
      filename: 'activity.ndjson',
      owner: { organizationId },
      read: (after) => store.links(chain, after, MAX_LIMIT),
      // Only this one: entries that another key signed are not the service's.
      keys: async () => [{ fingerprint: key.fingerprint, at: formatTimestamp(clock.now()), reason: 'first' }],
      key,
      now: clock.now,
    })
  }
  const filters = { chain, actor, action: readAction(action), subject, siteId, from: toDate(from), to: toDate(to) }
  if (format === 'json') {
    const { items, next } = await store.list({ ...filters, limit, cursor })
    return reply.type('application/json').send({ entries: items.map(readEntry), nextCursor: next })
  }
  return sendCsv(reply, {
    filename: 'activity.csv',
    columns: COLUMNS.map(([name]) => name),
    cells: (entry: ActivityEntry) => COLUMNS.map(([, cell]) => cell(entry)),
    async read(cursor) {
      const { items, next } = await store.list({ ...filters, limit: MAX_LIMIT, cursor })
      return { items: items.map(readEntry), next }
    },
  })
}

/** Reads the signed text, so that what is shown is what was signed. */
const readEntry = (text: string): ActivityEntry => JSON.parse(text) as ChainedActivity

function readAction(given: string | undefined): ActivityAction | undefined {
  const action = ACTIVITY_ACTIONS.find((one) => one === given)
  if (given === undefined || action) return action
  throw new Failure('invalid', `there is no action ${shown(given)}: use one that the entries have`, 'action')
}

/** Clamps to 1970: there are no earlier entries, and the database rejects some earlier times. */
function toDate(timestamp: string | undefined): Date | undefined {
  const ms = timestamp === undefined ? undefined : parseTimestamp(timestamp)
  return ms === undefined ? undefined : new Date(Math.max(0, ms))
}

const COLUMNS: readonly (readonly [name: string, cell: (entry: ActivityEntry) => CsvCell])[] = [
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['actorKind', ({ actor }) => actor.kind],
  ['actorName', ({ actor }) => actor.name],
  ['actorId', ({ actor }) => actor.id],
  ['address', ({ address }) => address],
  ['subjectKind', ({ subject }) => subject?.kind ?? null],
  ['subjectName', ({ subject }) => subject?.name ?? null],
  ['subjectId', ({ subject }) => subject?.id ?? null],
  ['siteId', ({ siteId }) => siteId],
  ['details', ({ details }) => (Object.keys(details).length === 0 ? null : JSON.stringify(details))],
  ['seq', ({ seq }) => seq],
  ['id', ({ id }) => id],
]
