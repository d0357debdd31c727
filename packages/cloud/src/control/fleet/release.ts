import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import type { ControlState } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { type DeviceLink, done, later, retry } from '../devices/index.ts'
import { targetReqId } from './plan.ts'
import type { ReleaseResult, ReleaseTask } from './target-store.ts'

/** A command may be on its way until its deadline, and clocks differ: only a release that was asked for later is final. */
const SETTLE_MS = 5_000
/** A controller that rejects a release has to be updated or repaired first. */
const REJECTED_MS = 60_000

export interface ReleaseDeps {
  link: Pick<DeviceLink, 'ask'>
  clock: Clock
  log: Log
}

/** Asks a controller to release the targets of one dispatch, whether or not it has accepted them. */
export async function release(tasks: readonly ReleaseTask[], deps: ReleaseDeps): Promise<ReleaseResult[]> {
  const { clock, log } = deps
  const [first] = tasks
  if (!first) return []
  const asked = clock.now()
  try {
    const unsure = await ask(first, tasks, deps)
    return tasks.map((task) => (unsure.has(task) ? retry(task, REJECTED_MS) : confirmed(task, asked)))
  } catch (error) {
    const { deviceId, dispatchId } = first
    const reason = error instanceof Failure ? error.message : error
    log.warn({ deviceId, dispatchId, reason }, 'a controller has not released what a fleet dispatch placed; retrying')
    const isRejected = error instanceof Failure && error.kind === 'rejected'
    return tasks.map((task) => (isRejected ? retry(task, REJECTED_MS) : retry(task)))
  }
}

function confirmed(task: ReleaseTask, asked: number): ReleaseResult {
  const settled = task.placeableUntil ? task.placeableUntil.getTime() + SETTLE_MS : asked
  return asked >= settled ? done(task) : later(task, settled - asked)
}

/** Resolves with the targets of which it is not sure that the controller does not hold them. */
async function ask(
  first: ReleaseTask,
  tasks: readonly ReleaseTask[],
  { link }: ReleaseDeps,
): Promise<ReadonlySet<ReleaseTask>> {
  const { deviceId, placedBy, cancelledBy } = first
  const caller = {
    keyId: cancelledBy ?? placedBy,
    callerName: (first.cancelledByName ?? first.placedByName).slice(0, MAX_CALLER_NAME),
    manages: true,
  }
  const what = first.limit ? 'the power limit' : 'the fleet dispatch'
  const end = first.isReplaced ? 'was split again' : cancelledBy === null ? 'expired' : 'was cancelled'
  const reason = `${what} ${end}`
  try {
    const data = { placedBy, reqIds: tasks.map(reqIdOf), reason }
    await link.ask(deviceId, 'cancelOverridesByReqId', data, caller)
    return new Set()
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'rejected') throw error
    // An earlier version does not know that command. It can say which overrides it has, and cancel each by its id.
    return releaseById(tasks, {
      state: () => link.ask(deviceId, 'getControlState', {}, caller),
      cancel: (id) => link.ask(deviceId, 'demandResponseCancel', { id, reason }, caller),
    })
  }
}

const reqIdOf = ({ dispatchId, datapointId, round }: ReleaseTask) => targetReqId(dispatchId, datapointId, round)

async function releaseById(
  tasks: readonly ReleaseTask[],
  controller: { state(): Promise<ControlState>; cancel(id: string): Promise<unknown> },
): Promise<ReadonlySet<ReleaseTask>> {
  const needsState = tasks.some(({ overrideId }) => overrideId === null)
  const state = needsState ? overridesIn(await controller.state()) : undefined
  const unsure = new Set<ReleaseTask>()
  for (const task of tasks) {
    const id = task.overrideId ?? state?.byReqId.get(reqIdOf(task))
    if (id !== undefined) await controller.cancel(id)
    else if (!state?.isComplete) unsure.add(task)
  }
  return unsure
}

/** The overrides and power limits of a controller by their reqIds. It lists a bounded number of them. */
function overridesIn({ overrides, overridesLeftOut = 0, powerLimit }: ControlState) {
  const placed = [...overrides, ...(powerLimit?.limits ?? [])]
  return {
    byReqId: new Map(placed.map(({ id, reqId }) => [reqId.toLowerCase(), id])),
    isComplete: overridesLeftOut === 0,
  }
}
