import { sleep, systemClock, within } from '@plantroom/base/clock'
import { uncorrelated } from '@plantroom/base/correlation'
import { timeOf } from '../../platform/work/index.ts'
import { createLane, type Lane, type LaneDeps, type TaskKind } from './task-lane.ts'
import type { TaskOwner, TaskResult } from './task-store.ts'

/** For the tasks of other processes, of those that died, and for devices whose return was not noticed. */
const SWEEP_MS = 5_000
const SHORTEST_WAIT_MS = 50
/** After a look, the database serves others for as long as the look took, at most for this long. */
const LONGEST_REST_MS = 100
const RETRY_MS = 1_000
const CLOSE_MS = 1_000
/** Devices whose tasks do not wait for a look at all tasks: one statement finds them at once. */
const FEW = 64

/**
 * Does everything that must reach a controller, now or when it is back. Runs in every cloud process; a lease gives each
 * task to one of them. A feature adds a `TaskKind`, and tasks with `addTasks`.
 */
export interface DeviceTasks {
  /** Begins to do tasks of this kind. */
  serve<About, Result extends TaskResult>(kind: TaskKind<About, Result>): void
  /** Looks for tasks now. Tasks of few devices that were just `added` come before those of others that are waited for. */
  wake(added?: AddedTasks): void
  /** For how many seconds a task for a device that is online has waited for a place in this process. */
  longestWait(): number
  /** Takes no more tasks, waits a moment for the devices that are being asked, and stores the results. */
  close(): Promise<void>
}

/** What a caller has just stored. */
export interface AddedTasks {
  kind: string
  organizationId: string
  deviceIds: readonly string[]
}

export function startDeviceTasks(deps: LaneDeps): DeviceTasks {
  const { store, link, clock, log } = deps
  const lanes: Lane[] = []
  const back = new Set<string>()
  const timer = { at: Number.POSITIVE_INFINITY, cancel: () => {} }
  const closing = new AbortController()
  let isWoken = false
  let looking: Promise<void> | undefined
  /** The organizations whose added tasks are being claimed: one statement each at a time. */
  const claiming = new Set<string>()

  function wakeWithin(ms: number): void {
    const at = clock.monotonic() + Math.max(SHORTEST_WAIT_MS, ms)
    if (closing.signal.aborted || at >= timer.at) return
    timer.cancel()
    timer.at = at
    timer.cancel = clock.after(at - clock.monotonic(), wake)
  }

  function takeAdded({ kind, organizationId, deviceIds }: AddedTasks): void {
    const lane = lanes.find(({ name }) => name === kind)
    if (!lane || closing.signal.aborted || deviceIds.length > FEW || claiming.has(organizationId)) return
    claiming.add(organizationId)
    const devices = deviceIds.map((deviceId): TaskOwner => ({ deviceId, organizationId }))
    void orRetry({ kind }, () => lane.takeAdded(devices)).finally(() => claiming.delete(organizationId))
  }

  function wake(): void {
    timer.cancel()
    timer.at = Number.POSITIVE_INFINITY
    if (closing.signal.aborted) return
    isWoken = true
    // A look is for the tasks of everyone, whoever asks for it.
    looking ??= uncorrelated(lookWhileWoken).finally(() => {
      looking = undefined
      // Woken after the last look had ended.
      if (isWoken) wake()
    })
  }

  async function lookWhileWoken(): Promise<void> {
    while (isWoken && !closing.signal.aborted) {
      isWoken = false
      const begun = systemClock.monotonic()
      await orRetry({}, look)
      wakeWithin(SWEEP_MS)
      // How long the database worked is never a matter of another clock.
      const took = systemClock.monotonic() - begun
      await sleep(systemClock, Math.min(took, LONGEST_REST_MS), closing.signal)
    }
  }

  /** One kind that fails does not keep the others from their tasks. */
  async function orRetry(about: { kind?: string }, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ ...about, err: error }, 'could not do tasks of controllers; retrying')
      wakeWithin(RETRY_MS)
    }
  }

  async function look(): Promise<void> {
    for (const { name, endOverdue } of lanes) {
      await orRetry({ kind: name }, async () => {
        const next = await endOverdue?.()
        if (next) wakeWithin(next.getTime() - clock.now())
      })
    }
    const returned = [...back]
    const due = Map.groupBy(await store.due(timeOf(clock), returned), ({ kind }) => kind)
    for (const deviceId of returned) back.delete(deviceId)
    for (const lane of lanes) {
      await orRetry({ kind: lane.name }, () => lane.take(due.get(lane.name) ?? [], returned))
    }
    const next = await store.nextDueMs(timeOf(clock))
    if (next !== undefined) wakeWithin(next)
  }

  link.onBack((deviceIds) => {
    for (const deviceId of deviceIds) back.add(deviceId)
    wake()
  })
  wakeWithin(SWEEP_MS)
  return {
    serve: (kind) => void lanes.push(createLane(deps, kind, { wakeWithin, closing: closing.signal })),
    wake(added) {
      if (added) takeAdded(added)
      wake()
    },
    longestWait: () => Math.max(0, ...lanes.map(({ waited }) => waited)),
    async close() {
      closing.abort()
      timer.cancel()
      const drained = Promise.resolve(looking).then(() => Promise.all(lanes.map(({ idle }) => idle())))
      await within(clock, CLOSE_MS, drained)
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}
