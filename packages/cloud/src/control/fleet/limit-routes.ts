import { API } from '@plantroom/contract/api'
import type { FleetLimit, LimitOutcome } from '@plantroom/contract/fleet-limit'
import { DEFAULT_AVERAGING_SECONDS } from '@plantroom/contract/power-limit'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import { cancel, type DispatchDeps, ROOMY_BODY, requireDispatch, start, viewOf } from './dispatch-actions.ts'
import { sendProgress } from './dispatch-events.ts'
import type { StoredDispatch, StoredOutcome } from './dispatch-store.ts'
import { limitHash, planLimit } from './limit-plan.ts'
import type { MeterStore } from './meter-store.ts'

const kind = 'limit'

/** Places, lists, shows, follows and releases power limits: fleet dispatches whose targets are meters. */
export function limitRoutes(
  app: FastifyInstance,
  deps: DispatchDeps & { meters: MeterStore; streams: EventStreams },
): void {
  const { dispatches, meters, streams, clock } = deps

  addRoute(
    app,
    API.placeLimit,
    async (request) => {
      const { body } = request
      const { idempotencyKey, direction, kw, reason, averagingSeconds = DEFAULT_AVERAGING_SECONDS } = body
      const plan = async (now: number) => {
        const reach = { organizationId: request.params.orgId, siteIds: request.siteIds }
        const planned = planLimit(body, await meters.select(reach, body), now)
        const { from, to, deadline } = body
        return {
          ...planned,
          ...{ value: undefined, totalKw: kw, staggerSeconds: 0, reason, limit: { direction, averagingSeconds } },
          details: { controllers: planned.targets.length, direction, kw, from, to, deadline },
        }
      }
      const requestHash = limitHash({ ...body, averagingSeconds })
      return { id: await start(request, { kind, idempotencyKey, requestHash, plan }, deps) }
    },
    ROOMY_BODY,
  )

  addRoute(app, API.listLimits, async (request) => {
    const { limit, cursor, siteId, active } = request.query
    const page = await dispatches.list(viewOf(request, kind), {
      ...{ limit, before: cursor, siteId },
      active: active && { is: active === 'true', at: new Date(clock.now()) },
    })
    return { limits: page.dispatches.map(shownLimit), nextCursor: page.next }
  })

  addRoute(app, API.getLimit, async (request) => {
    const { outcome, limit, cursor } = request.query
    const found = await requireDispatch(request, { kind, id: request.params.limitId }, dispatches)
    const { outcomes, next } = await dispatches.outcomes(found.id, { outcome, limit, after: cursor })
    return { ...shownLimit(found), outcomes: outcomes.map(shownOutcome), nextCursor: next }
  })

  addRoute(app, API.followLimit, async (request, reply) => {
    const first = await requireDispatch(request, { kind, id: request.params.limitId }, dispatches)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    const view = viewOf(request, kind)
    sendProgress(stream, first, { find: () => dispatches.find(view, first.id), clock })
  })

  addRoute(app, API.releaseLimit, async (request) =>
    shownLimit(await cancel(request, { kind, id: request.params.limitId }, deps)),
  )
}

function shownLimit({
  limit,
  value: _value,
  totalKw,
  staggerSeconds: _staggerSeconds,
  ...rest
}: StoredDispatch): FleetLimit {
  if (!limit) throw new Error('the dispatch is no limit')
  return { ...rest, ...limit, kw: totalKw ?? 0 }
}

function shownOutcome(outcome: StoredOutcome): LimitOutcome {
  const { datapointId, datapointName, value, overrideId, unit: _unit, ...rest } = outcome
  return { ...rest, meterId: datapointId, meterName: datapointName, kw: value, limitId: overrideId }
}
