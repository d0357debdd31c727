import { API } from '@plantroom/contract/api'
import type { DispatchRequest, FleetDispatch } from '@plantroom/contract/fleet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recentSignInRequired } from '../../organization/access/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import type { DatapointStore } from './datapoint-store.ts'
import {
  cancel,
  type DispatchDeps,
  type Planned,
  ROOMY_BODY,
  requireDispatch,
  start,
  viewOf,
} from './dispatch-actions.ts'
import { sendProgress } from './dispatch-events.ts'
import type { StoredDispatch } from './dispatch-store.ts'
import { isOutsideEnvelope, planTargets, requestHash, windowOf } from './plan.ts'

const kind = 'setpoint'

interface FleetRouteDeps extends DispatchDeps {
  datapoints: DatapointStore
  streams: EventStreams
}

/** Starts, lists, shows, follows and cancels fleet dispatches. */
export function fleetRoutes(app: FastifyInstance, deps: FleetRouteDeps): void {
  const { dispatches, datapoints, streams, clock } = deps

  addRoute(
    app,
    API.startDispatch,
    async (request) => {
      const { body } = request
      const plan = (now: number) => planDispatch(request, datapoints, now)
      const asked = { kind, idempotencyKey: body.idempotencyKey, requestHash: requestHash(body), plan } as const
      return { id: await start(request, asked, deps) }
    },
    ROOMY_BODY,
  )

  addRoute(app, API.listDispatches, async (request) => {
    const { limit, cursor } = request.query
    const page = await dispatches.list(viewOf(request, kind), { limit, before: cursor })
    return { dispatches: page.dispatches.map(shownDispatch), nextCursor: page.next }
  })

  addRoute(app, API.getDispatch, async (request) => {
    const { outcome, limit, cursor } = request.query
    const dispatch = await requireDispatch(request, { kind, id: request.params.dispatchId }, dispatches)
    const { outcomes, next } = await dispatches.outcomes(dispatch.id, { outcome, limit, after: cursor })
    return {
      ...shownDispatch(dispatch),
      outcomes: outcomes.map(({ isReplaced: _isReplaced, isLost: _isLost, ...shown }) => shown),
      nextCursor: next,
    }
  })

  addRoute(app, API.followDispatch, async (request, reply) => {
    const first = await requireDispatch(request, { kind, id: request.params.dispatchId }, dispatches)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    const view = viewOf(request, kind)
    sendProgress(stream, first, { find: () => dispatches.find(view, first.id), clock })
  })

  addRoute(app, API.cancelDispatch, async (request) =>
    shownDispatch(await cancel(request, { kind, id: request.params.dispatchId }, deps)),
  )
}

async function planDispatch(
  request: FastifyRequest<{ Body: DispatchRequest; Params: { orgId: string } }>,
  datapoints: DatapointStore,
  now: number,
): Promise<Planned> {
  const { body } = request
  const window = windowOf(body, now)
  const selected = await datapoints.select(
    { organizationId: request.params.orgId, siteIds: request.siteIds },
    body.select,
  )
  const targets = planTargets(body, window, selected)
  const isOutside = selected.some((datapoint, index) => isOutsideEnvelope(datapoint, targets[index]?.value ?? 0))
  if (isOutside && request.userId !== undefined && !request.isFresh) throw recentSignInRequired()
  const { value, totalKw, staggerSeconds = 0, reason, from, to, deadline } = body
  const details = { datapoints: targets.length, value, totalKw, from, to, deadline }
  return { window, targets, value, totalKw, staggerSeconds, reason, details }
}

const shownDispatch = ({ limit: _limit, ...dispatch }: StoredDispatch): FleetDispatch => dispatch
