import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { type ActivityLog, type Happened, SYSTEM } from '../../organization/activity/index.ts'
import { exportKey, type FileStore } from '../../platform/files/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import type { RunTools } from '../../platform/work/index.ts'
import { createDeliveryStore, type DeliveryLease, type DeliveryStore, type LeasedDelivery } from './delivery-store.ts'
import { isOwnName } from './package-name.ts'
import { openTarget, type TargetDeps } from './targets/open-target.ts'
import { type Target, TargetFailure } from './targets/target.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Between attempts: about three days in all. A newer package ends the wait earlier. */
const DELAYS_MS = [
  ...[MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
  ...[6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS, 24 * HOUR_MS],
] as const
/** How long a target may take no byte and give no answer. */
const STALL_MS = 5 * MINUTE_MS
const LOOK_MS = 20_000

export interface DeliverDeps extends TargetDeps {
  store: DeliveryStore
  activity: ActivityLog
  files: Pick<FileStore, 'read' | 'stat'>
  seal: Seal
  clock: Clock
  log: Log
  /** Replaced by tests. */
  open?: typeof openTarget | undefined
}

/** Sends a package once and records what came of it. A worker that stops, or has no place for it, gives it back. */
export async function deliver(deps: DeliverDeps, lease: DeliveryLease, tools: DeliverTools): Promise<void> {
  const { clock, log, store } = deps
  const delivery = await store.open(lease)
  const watch = watchOver(deps, tools)
  let target: Target | undefined
  try {
    target = await openOwn(deps, delivery)
    await send(deps, delivery, target, watch)
    if (await recordDelivered(deps, delivery)) await cleanUp(deps, delivery, target, watch.signal)
  } catch (error) {
    if (tools.lost.aborted) return
    const isGivenBack = tools.stopping.aborted || tools.giveWay.aborted
    if (isGivenBack) return void (await store.giveBack(delivery, new Date(clock.now())))
    if (!(error instanceof TargetFailure)) {
      log.warn({ run: delivery.runId, target: delivery.targetId, error: (error as Error).message }, 'delivery failed')
    }
    await recordFailed(deps, delivery, messageOf(error))
  } finally {
    watch.end()
    target?.close()
  }
}

type DeliverTools = Pick<RunTools<'automatic_export_delivery'>, 'stopping' | 'lost' | 'giveWay'>

interface Watch {
  signal: AbortSignal
  progress(): void
  end(): void
}

/** Aborts when the target hangs, the lease is lost or the worker stops. */
function watchOver({ clock }: DeliverDeps, { stopping, lost, giveWay }: DeliverTools): Watch {
  const stalled = new AbortController()
  let movedAt = clock.monotonic()
  const end = every(clock, LOOK_MS, () => {
    if (clock.monotonic() - movedAt < STALL_MS) return
    stalled.abort(new TargetFailure(`the target took no data for ${STALL_MS / MINUTE_MS} minutes: check the server`))
  })
  return {
    signal: AbortSignal.any([stalled.signal, stopping, lost, giveWay]),
    progress() {
      movedAt = clock.monotonic()
    },
    end,
  }
}

async function openOwn(deps: DeliverDeps, delivery: LeasedDelivery): Promise<Target> {
  const { organizationId, siteId, targetId, place, secret } = delivery
  const opened = secret === null ? undefined : deps.seal.open(secret, targetId)
  return (deps.open ?? openTarget)({ organizationId, siteId, place, secret: opened }, deps)
}

async function send(
  { files }: DeliverDeps,
  delivery: LeasedDelivery,
  target: Target,
  { signal, progress }: Watch,
): Promise<void> {
  const key = exportKey(delivery.siteId, delivery.jobId)
  const found = await files.stat(key)
  if (!found || found.size !== delivery.bytes) throw new GoneError()
  const file = { size: found.size, open: () => files.read(key) }
  await target.put(delivery.filename, file, { signal, progress, attempt: delivery.claim })
}

class GoneError extends TargetFailure {
  constructor() {
    super('the exported package is no longer in the file store: the next export is delivered instead')
  }
}

function messageOf(error: unknown): string {
  // An unexpected error may quote anything, so only those with a message for people are shown.
  if (error instanceof TargetFailure || error instanceof Failure) return error.message
  return 'an unexpected error stopped the delivery: the log of the worker has it'
}

function recordDelivered({ activity, clock }: DeliverDeps, delivery: LeasedDelivery): Promise<boolean> {
  return activity.change({ actor: SYSTEM }, async (tx, note) => {
    const store = createDeliveryStore(tx)
    const at = new Date(clock.now())
    if (!(await store.markDelivered(delivery, at))) return false
    await store.finishRun(delivery.runId, at)
    const details = { target: delivery.label, bytes: delivery.bytes }
    note({ ...about(delivery), action: 'automatic-export-delivered', details })
    return true
  })
}

async function recordFailed({ activity, clock }: DeliverDeps, delivery: LeasedDelivery, error: string): Promise<void> {
  const at = new Date(clock.now())
  const delay = DELAYS_MS[delivery.attempts - 1]
  const next = delay === undefined ? undefined : new Date(at.getTime() + delay)
  await activity.change({ actor: SYSTEM }, async (tx, note) => {
    const store = createDeliveryStore(tx)
    if (!(await store.markFailed(delivery, { at, error, next }))) return
    await store.finishRun(delivery.runId, at)
    // Once when it begins and once when it is given up, not for every attempt. The message may quote the server.
    if (delivery.failingSince !== null && next) return
    const details = { step: 'delivery', target: delivery.label, attempts: delivery.attempts }
    note({ ...about(delivery), action: 'automatic-export-failed', outcome: 'failed', details })
  })
}

function about({ organizationId, siteId, jobId, filename }: LeasedDelivery): Omit<Happened, 'action'> {
  return { organizationId, siteId, subject: { kind: 'job', id: jobId, name: filename } }
}

/** Removes old packages of ours, now that a newer one has arrived. What cannot be removed is tried again the next time. */
async function cleanUp(
  { store, clock }: DeliverDeps,
  { targetId, retention }: LeasedDelivery,
  target: Target,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const { runId, filename } of await store.listSurplus(targetId, retention, new Date(clock.now()))) {
      if (!isOwnName(filename, runId)) continue
      await target.remove(filename, signal)
      await store.markRemoved(runId, targetId, new Date(clock.now()))
    }
    await store.noteCleanup(targetId, null)
  } catch (error) {
    // The package has arrived: this is no failure of the delivery.
    await store.noteCleanup(targetId, messageOf(error)).catch(() => {})
  }
}
