import type { Clock } from '@plantroom/base/clock'
import { API, type RequestChanges } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { WRITTEN_BODY_BYTES } from '@plantroom/contract/request-fields'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog, Note } from '../../organization/activity/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { type BulkResult, createBulkStore } from './bulk-store.ts'

interface BulkRouteDeps {
  activity: ActivityLog
  clock: Clock
}

const CHANGES = ['state', 'priority', 'assignee', 'addTags', 'removeTags'] as const
const OPERATOR = 'operator'

/** Changes many requests of a site in one call, and undoes that. */
export function bulkRoutes(app: FastifyInstance, { activity, clock }: BulkRouteDeps): void {
  addRoute(
    app,
    API.changeRequests,
    async (request) => {
      const { orgId, propertyId: siteId } = request.params
      const changes = chosenChanges(request.body)
      const bulk = { siteId, caller: request.callerId ?? OPERATOR, at: new Date(clock.now()), by: request.actor }
      return await activity.change(request, async (tx, note) => {
        const result = await createBulkStore(tx).change(bulk, request.body.numbers, changes)
        noteEach(note, { orgId, siteId }, result, { state: changes.state, together: request.body.numbers.length })
        return { outcomes: result.outcomes, undoId: result.undoId }
      })
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )

  addRoute(app, API.undoRequestChanges, async (request) => {
    const { orgId, propertyId: siteId, undoId } = request.params
    const bulk = { siteId, caller: request.callerId ?? OPERATOR, at: new Date(clock.now()), by: request.actor }
    return await activity.change(request, async (tx, note) => {
      const result = await createBulkStore(tx).undo(bulk, undoId)
      noteEach(note, { orgId, siteId }, result, { undone: true })
      return { outcomes: result.outcomes }
    })
  })
}

/** One entry for each request that changed. */
function noteEach(
  note: Note,
  { orgId, siteId }: { orgId: string; siteId: string },
  { fields }: BulkResult,
  details: Readonly<Record<string, unknown>>,
): void {
  for (const [number, names] of fields) {
    note({
      organizationId: orgId,
      siteId,
      action: 'request-changed',
      subject: { kind: 'request', id: String(number), name: null },
      // Names of fields, and the state, which is one of ours. Everything else may be personal.
      details: { fields: names, ...details },
    })
  }
}

/** Picks the known fields of a body. Throws `invalid` when there is none. */
function chosenChanges(body: RequestChanges): RequestChanges {
  const chosen = CHANGES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
  if (chosen.length === 0) throw new Failure('invalid', `give at least one of: ${CHANGES.join(', ')}`, 'body')
  return Object.fromEntries(chosen)
}
