import type { Clock } from '@plantroom/base/clock'
import type { FairQueue } from '@plantroom/base/fair-queue'
import { newId } from '@plantroom/base/ids'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { MAX_TARGETS } from '@plantroom/contract/fleet'
import { shown } from '@plantroom/contract/shown'
import type { FastifyRequest } from 'fastify'
import type { ActivityLog, Happened } from '../../organization/activity/index.ts'
import type { DeviceTasks } from '../devices/index.ts'
import type { DispatchToAdd, NamedCaller } from './dispatch-add-store.ts'
import {
  createDispatchStore,
  type DispatchKind,
  type DispatchStore,
  type DispatchView,
  type StoredDispatch,
} from './dispatch-store.ts'
import { PLACEMENT } from './target-end-store.ts'
import type { OnEnded } from './target-store.ts'

/** Room for 10,000 ids. */
export const ROOMY_BODY = {
  bodyLimit: 1024 * 1024,
  whenTooLarge: 'select by tags or sites, or split it into several requests',
}
/** Of an organization, in dispatches that are not over, so that one cannot fill the database of all. */
const MAX_OPEN_TARGETS = 25 * MAX_TARGETS

export interface DispatchDeps {
  dispatches: DispatchStore
  tasks: Pick<DeviceTasks, 'wake'>
  /** Dispatches are stored one at a time for each organization: a large one takes the database a while. */
  starting: FairQueue
  onEnded: OnEnded
  activity: ActivityLog
  clock: Clock
}

/** How each kind is called, in ids, messages and the activity log. */
const KINDS = {
  setpoint: {
    prefix: 'dsp',
    what: 'fleet dispatch',
    subject: 'dispatch',
    added: 'dispatch-started',
    ended: 'dispatch-cancelled',
  },
  limit: { prefix: 'lim', what: 'power limit', subject: 'limit', added: 'limit-placed', ended: 'limit-released' },
} as const satisfies Record<DispatchKind, object>

/** What to send where, and what the activity log says about it. */
export interface Planned
  extends Pick<DispatchToAdd, 'window' | 'targets' | 'value' | 'totalKw' | 'staggerSeconds' | 'reason' | 'limit'> {
  details: Readonly<Record<string, unknown>>
}

interface Asked {
  kind: DispatchKind
  idempotencyKey: string
  /** The same for the same request. */
  requestHash: string
  plan(now: number): Promise<Planned>
}

/** Stores a dispatch with its targets in one transaction, and returns its id. */
export const start = (request: FastifyRequest, asked: Asked, deps: DispatchDeps): Promise<string> =>
  deps.starting.run(viewOf(request, asked.kind).organizationId, () => startInTurn(request, asked, deps))

async function startInTurn(request: FastifyRequest, asked: Asked, deps: DispatchDeps): Promise<string> {
  const { dispatches, tasks, activity, clock } = deps
  const { kind, idempotencyKey, requestHash } = asked
  const { organizationId } = viewOf(request, kind)
  const placedBy = ownerOf(request)
  // Before anything is checked: a repeated request gets its answer even after its times have passed.
  const find = () => dispatches.findByKey(organizationId, placedBy.id, idempotencyKey)
  const before = await find()
  if (before) return sameDispatch(before, requestHash)

  const now = clock.now()
  const { details, ...planned } = await asked.plan(now)
  await requireRoom(dispatches, organizationId, planned.targets.length, now)
  const id = newId(KINDS[kind].prefix)
  const isAdded = await activity.change(request, async (tx, note) => {
    const dispatch = { id, organizationId, placedBy, idempotencyKey, requestHash, ...planned }
    if (!(await createDispatchStore(tx).add(dispatch, new Date(now)))) return false
    const siteIds = [...new Set(planned.targets.map(({ siteId }) => siteId))]
    note(happened(kind, 'added', id, organizationId, siteIds, details))
    return true
  })
  if (isAdded) {
    const deviceIds = [...new Set(planned.targets.map(({ deviceId }) => deviceId))]
    tasks.wake({ kind: PLACEMENT, organizationId, deviceIds })
    return id
  }
  // The same caller has sent the same key at the same moment.
  const same = await find()
  if (!same) throw new Failure('unavailable', `the ${KINDS[kind].what} could not be stored: try again`)
  return sameDispatch(same, requestHash)
}

/** Cancels a dispatch, and returns what has become of it. Safe to repeat. */
export async function cancel(
  request: FastifyRequest,
  { kind, id }: { kind: DispatchKind; id: string },
  deps: DispatchDeps,
): Promise<StoredDispatch> {
  const { dispatches, tasks, onEnded, activity, clock } = deps
  await requireDispatch(request, { kind, id }, dispatches)
  const by = cancellerOf(request)
  await activity.change(request, async (tx, note) => {
    const cancelled = await createDispatchStore(tx).cancel(id, by, new Date(clock.now()))
    if (!cancelled) return
    const { organizationId } = viewOf(request, kind)
    const { wasRunning, siteIds, counts } = cancelled
    if (wasRunning) await onEnded(tx, { id, kind, organizationId, siteIds, state: 'cancelled', counts })
    note(happened(kind, 'ended', id, organizationId, siteIds, {}))
  })
  tasks.wake()
  return requireDispatch(request, { kind, id }, dispatches)
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
    `the organization’s limit of ${MAX_OPEN_TARGETS} datapoints in fleet dispatches and power limits that are not over is reached: try again when one has ended`,
    Math.max(1, Math.ceil(((nextEnd?.getTime() ?? now) - now) / 1000)),
  )
}

function sameDispatch({ id, requestHash: before }: { id: string; requestHash: string }, hash: string): string {
  if (before === hash) return id
  throw new Failure(
    'conflict',
    'this idempotencyKey was already used for another dispatch or limit: send each one with its own key',
    'idempotencyKey',
  )
}

function happened(
  kind: DispatchKind,
  what: 'added' | 'ended',
  id: string,
  organizationId: string,
  siteIds: readonly string[],
  details: Readonly<Record<string, unknown>>,
): Happened {
  const siteId = siteIds.length === 1 ? siteIds[0] : null
  const subject = { kind: KINDS[kind].subject, id, name: id }
  return { organizationId, siteId, action: KINDS[kind][what], subject, details }
}

/** A key sees its own dispatches. For people, `siteIds` are the sites that they manage. */
export function viewOf(request: FastifyRequest, kind: DispatchKind): DispatchView {
  const { orgId } = request.params as { orgId: string }
  return {
    organizationId: orgId,
    kind,
    placedBy: request.keyId,
    siteIds: request.keyId === undefined ? request.siteIds : undefined,
  }
}

/** Unknown dispatches and those of others get the same answer. */
export async function requireDispatch(
  request: FastifyRequest,
  { kind, id }: { kind: DispatchKind; id: string },
  store: Pick<DispatchStore, 'find'>,
): Promise<StoredDispatch> {
  const found = await store.find(viewOf(request, kind), id)
  if (!found) throw new Failure('notFound', `this organization has no ${KINDS[kind].what} ${shown(id)}`)
  return found
}

function ownerOf({ callerId, keyName, email }: FastifyRequest): NamedCaller {
  if (callerId === undefined) throw new Error('the dispatch has no caller')
  return { id: callerId, name: keyName ?? email ?? '' }
}

function cancellerOf(request: FastifyRequest): NamedCaller {
  return request.callerId === undefined ? { id: 'operator', name: 'Operator' } : ownerOf(request)
}
