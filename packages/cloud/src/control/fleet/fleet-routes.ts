import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { type DispatchRequest, type FleetDispatch, MAX_TARGETS } from '@plantroom/contract/fleet'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recentSignInRequired } from '../../organization/access/index.ts'
import type { ActivityLog, Happened } from '../../organization/activity/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import type { DeviceTasks } from '../devices/index.ts'
import type { DatapointStore } from './datapoint-store.ts'
import { followDispatch } from './dispatch-events.ts'
import { createDispatchStore, type DispatchStore, type DispatchView, type NamedCaller } from './dispatch-store.ts'
import { isOutsideEnvelope, planTargets, requestHash, windowOf } from './plan.ts'
import type { OnEnded } from './target-store.ts'

/** Room for 10,000 ids. */
const BODY_LIMIT = 1024 * 1024
const WHEN_TOO_LARGE = 'select by tags or sites, or split it into several dispatches'
/** Of an organization, in dispatches that are not over, so that one cannot fill the database of all. */
const MAX_OPEN_TARGETS = 25 * MAX_TARGETS

interface FleetRouteDeps {
  dispatches: DispatchStore
  datapoints: DatapointStore
  tasks: Pick<DeviceTasks, 'wake'>
  onEnded: OnEnded
  activity: ActivityLog
  streams: EventStreams
  clock: Clock
}

/** Starts, lists, shows, follows and cancels fleet dispatches. */
export function fleetRoutes(app: FastifyInstance, deps: FleetRouteDeps): void {
  const { dispatches, tasks, onEnded, activity, streams, clock } = deps

  addRoute(
    app,
    API.startDispatch,
    async (request) => ({ id: await startDispatch(request, request.params.orgId, deps) }),
    {
      bodyLimit: BODY_LIMIT,
      whenTooLarge: WHEN_TOO_LARGE,
    },
  )

  addRoute(app, API.listDispatches, async (request) => {
    const { limit, cursor } = request.query
    const page = await dispatches.list(viewOf(request), { limit, before: cursor })
    return { dispatches: page.dispatches, nextCursor: page.next }
  })

  addRoute(app, API.getDispatch, async (request) => {
    const { outcome, limit, cursor } = request.query
    const dispatch = await requireDispatch(request, dispatches)
    const { outcomes, next } = await dispatches.outcomes(dispatch.id, { outcome, limit, after: cursor })
    return { ...dispatch, outcomes, nextCursor: next }
  })

  addRoute(app, API.followDispatch, async (request, reply) => {
    const view = viewOf(request)
    const first = await requireDispatch(request, dispatches)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    let sent = ''
    const look = (dispatch: FleetDispatch | undefined): boolean => {
      if (!dispatch) stream.end()
      else if (dispatch.state !== 'running') stream.end('ended', progressOf(dispatch))
      if (dispatch?.state !== 'running') return false
      const data = progressOf(dispatch)
      // An event that the reader was too slow for is repeated at the next look.
      if (data !== sent && stream.send('progress', data)) sent = data
      return true
    }
    if (look(first)) stream.onClose(followDispatch({ find: () => dispatches.find(view, first.id), look, clock }))
  })

  addRoute(app, API.cancelDispatch, async (request) => {
    const dispatch = await requireDispatch(request, dispatches)
    const by = cancellerOf(request)
    await activity.change(request, async (tx, note) => {
      const { id } = dispatch
      const cancelled = await createDispatchStore(tx).cancel(id, by, new Date(clock.now()))
      if (!cancelled) return
      const { organizationId } = viewOf(request)
      const { wasRunning, siteIds, counts } = cancelled
      if (wasRunning) await onEnded(tx, { id, organizationId, siteIds, state: 'cancelled', counts })
      note(happened('dispatch-cancelled', id, organizationId, siteIds, {}))
    })
    tasks.wake()
    return requireDispatch(request, dispatches)
  })
}

/** Stores a dispatch with its targets in one transaction, and returns its id. */
async function startDispatch(
  request: FastifyRequest<{ Body: DispatchRequest }>,
  organizationId: string,
  deps: FleetRouteDeps,
): Promise<string> {
  const { dispatches, datapoints, tasks, activity, clock } = deps
  const { body } = request
  const placedBy = ownerOf(request)
  const hash = requestHash(body)
  // Before anything is checked: a repeated request gets its answer even after its times have passed.
  const find = () => dispatches.findByKey(organizationId, placedBy.id, body.idempotencyKey)
  const before = await find()
  if (before) return sameDispatch(before, hash)

  const now = clock.now()
  const window = windowOf(body, now)
  const selected = await datapoints.select({ organizationId, siteIds: request.siteIds }, body.select)
  const targets = planTargets(body, window, selected)
  const isOutside = selected.some((datapoint, index) => isOutsideEnvelope(datapoint, targets[index]?.value ?? 0))
  if (isOutside && request.userId !== undefined && !request.isFresh) throw recentSignInRequired()
  await requireRoom(dispatches, organizationId, targets.length, now)
  const id = newId('dsp')
  const { idempotencyKey, value, totalKw, staggerSeconds = 0, reason } = body
  const isAdded = await activity.change(request, async (tx, note) => {
    const dispatch = { id, organizationId, placedBy, idempotencyKey, requestHash: hash, window, targets }
    const settings = { value, totalKw, staggerSeconds, reason }
    if (!(await createDispatchStore(tx).add({ ...dispatch, ...settings }, new Date(now)))) return false
    const siteIds = [...new Set(targets.map(({ siteId }) => siteId))]
    const details = {
      datapoints: targets.length,
      value,
      totalKw,
      from: body.from,
      to: body.to,
      deadline: body.deadline,
    }
    note(happened('dispatch-started', id, organizationId, siteIds, details))
    return true
  })
  if (isAdded) {
    tasks.wake()
    return id
  }
  // The same caller has sent the same key at the same moment.
  const same = await find()
  if (!same) throw new Failure('unavailable', 'the dispatch could not be stored: try again')
  return sameDispatch(same, hash)
}

async function requireRoom(
  dispatches: DispatchStore,
  organizationId: string,
  more: number,
  now: number,
): Promise<void> {
  const { targets, nextEnd } = await dispatches.load(organizationId, new Date(now))
  if (targets + more <= MAX_OPEN_TARGETS) return
  throw quotaReached(
    `the organization’s limit of ${MAX_OPEN_TARGETS} datapoints in fleet dispatches that are not over is reached: try again when one has ended`,
    Math.max(1, Math.ceil(((nextEnd?.getTime() ?? now) - now) / 1000)),
  )
}

function sameDispatch({ id, requestHash: before }: { id: string; requestHash: string }, hash: string): string {
  if (before === hash) return id
  throw new Failure(
    'conflict',
    'this idempotencyKey was already used for another dispatch: send each dispatch with its own key',
    'idempotencyKey',
  )
}

function happened(
  action: 'dispatch-started' | 'dispatch-cancelled',
  id: string,
  organizationId: string,
  siteIds: readonly string[],
  details: Record<string, unknown>,
): Happened {
  const siteId = siteIds.length === 1 ? siteIds[0] : null
  return { organizationId, siteId, action, subject: { kind: 'dispatch', id, name: id }, details }
}

/** A key sees its own dispatches. For people, `siteIds` are the sites that they manage. */
function viewOf(request: FastifyRequest): DispatchView {
  const { orgId } = request.params as { orgId: string }
  return {
    organizationId: orgId,
    placedBy: request.keyId,
    siteIds: request.keyId === undefined ? request.siteIds : undefined,
  }
}

/** Unknown dispatches and those of others get the same answer. */
async function requireDispatch(request: FastifyRequest, store: Pick<DispatchStore, 'find'>): Promise<FleetDispatch> {
  const { dispatchId } = request.params as { dispatchId: string }
  const found = await store.find(viewOf(request), dispatchId)
  if (!found) throw new Failure('notFound', `this organization has no fleet dispatch ${shown(dispatchId)}`)
  return found
}

function ownerOf({ callerId, keyName, email }: FastifyRequest): NamedCaller {
  if (callerId === undefined) throw new Error('the dispatch has no caller')
  return { id: callerId, name: keyName ?? email ?? '' }
}

function cancellerOf(request: FastifyRequest): NamedCaller {
  return request.callerId === undefined ? { id: 'operator', name: 'Operator' } : ownerOf(request)
}

const progressOf = ({ id, state, counts, releasing }: FleetDispatch) => JSON.stringify({ id, state, counts, releasing })
