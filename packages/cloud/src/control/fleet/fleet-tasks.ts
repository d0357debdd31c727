import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { timeOf } from '../../platform/work/index.ts'
import { type DeviceLink, type DeviceTasks, forEach, type TaskKind } from '../devices/index.ts'
import { type PlaceDeps, place, unsent } from './place.ts'
import { release } from './release.ts'
import { PLACEMENT, RELEASE } from './target-end-store.ts'
import type {
  Placement,
  PlacementResult,
  PlacementTarget,
  ReleaseResult,
  ReleaseTarget,
  TargetStore,
} from './target-store.ts'

/** Replies that arrive at the deadline are still being stored. */
const GRACE_MS = 250
/** Devices that are asked at the same time: so many that silent ones hold up no other. */
const AT_ONCE = 10_000
/** Commands to one device at a time: a quarter of what a device takes, the rest is for single commands. */
const PER_DEVICE = 8
const CLEAN_MS = 600_000
const KEPT_MS = 90 * 86_400_000
/** Of an organization. A market that sends every few seconds keeps days, not months. */
const KEPT_TARGETS = 1_000_000

interface FleetDeps extends PlaceDeps {
  store: TargetStore
  link: Pick<DeviceLink, 'ask' | 'presence'>
  clock: Clock
  log: Log
}

/** Places what fleet dispatches ask for, and releases what they must not hold. */
export function serveFleet(tasks: Pick<DeviceTasks, 'serve'>, deps: FleetDeps): void {
  // Releases do not wait for placements: a silent controller is asked to release while it may still answer.
  tasks.serve(releases(deps))
  tasks.serve(placements(deps))
}

function releases(deps: FleetDeps): TaskKind<ReleaseTarget, ReleaseResult> {
  const { store, clock } = deps
  let cleanedAt = clock.monotonic()
  return {
    name: RELEASE,
    atOnce: AT_ONCE,
    load: store.loadReleases,
    async run(_deviceId, targets, settle) {
      for (const ofDispatch of Map.groupBy(targets, ({ dispatchId }) => dispatchId).values()) {
        for (const result of await release(ofDispatch, deps)) settle(result)
      }
    },
    store: (results) => store.settleReleases(results, timeOf(clock)),
    async endOverdue() {
      const now = clock.now()
      const isBehind = await store.endOverdueReleases(new Date(now))
      if (clock.monotonic() - cleanedAt >= CLEAN_MS) {
        cleanedAt = clock.monotonic()
        await store.removeOld(new Date(now), new Date(now - KEPT_MS), KEPT_TARGETS)
      }
      return isBehind ? new Date(now) : undefined
    },
  }
}

function placements(deps: FleetDeps): TaskKind<PlacementTarget, PlacementResult> {
  const { store, clock } = deps
  return {
    name: PLACEMENT,
    atOnce: AT_ONCE,
    load: store.loadPlacements,
    async run(_deviceId, targets, settle) {
      // After one that got no answer, the others of this device wait for the next attempt.
      let isSilent = false
      const work = async (target: Placement) => {
        const result = isSilent ? unsent(target) : await place(target, deps)
        if (result.kind === 'retry') isSilent = true
        settle(result)
      }
      await forEach(targets, work, PER_DEVICE)
    },
    store: (results) => store.settle(results, timeOf(clock)),
    async endOverdue() {
      const now = clock.now()
      await store.expire(new Date(now), new Date(now - GRACE_MS))
      const next = await store.nextDeadline()
      return next && new Date(next.getTime() + GRACE_MS)
    },
  }
}
