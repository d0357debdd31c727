import { type Clock, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { DeviceLink } from '../devices/index.ts'
import { type PlaceDeps, place, unsent } from './place.ts'
import { release } from './release.ts'
import { createResultWriter, type ResultWriter } from './result-writer.ts'
import type {
  ClaimOptions,
  Placement,
  PlacementResult,
  ReleaseResult,
  ReleaseTask,
  TargetStore,
} from './target-store.ts'

/** Longer than any wait for a reply. A process that dies leaves its targets to the others after this time. */
const LEASE_MS = 30_000
/** For the work of processes that died, and for devices whose return was not noticed. */
const SWEEP_MS = 5_000
/** Replies that arrive at the deadline are still being stored. */
const GRACE_MS = 250
const SHORTEST_WAIT_MS = 50
const RETRY_MS = 1_000
/** Targets claimed with one statement. */
const CLAIM = 500
/** Devices that are asked at the same time: so many that silent ones hold up no other. */
const MAX_DEVICES = 5_000
/** Commands to one device at a time: a quarter of what a device takes, the rest is for single commands. */
const PER_DEVICE = 8
const CLEAN_MS = 600_000
const KEPT_MS = 90 * 86_400_000
/** Of an organization. A market that sends every few seconds keeps days, not months. */
const KEPT_TARGETS = 1_000_000
const CLOSE_MS = 1_000

interface EngineDeps extends PlaceDeps {
  store: TargetStore
  link: Pick<DeviceLink, 'ask' | 'presence' | 'onBack'>
  clock: Clock
  log: Log
}

/** Places what fleet dispatches ask for, and releases what they must not hold. Runs in every cloud process. */
export interface FleetEngine {
  /** Looks for work now. */
  wake(): void
  close(): Promise<void>
}

interface State extends EngineDeps {
  placements: ResultWriter<PlacementResult>
  releases: ResultWriter<ReleaseResult>
  /** The devices that this process is asking. Each has one group of targets of a kind at a time. */
  placing: Map<string, Promise<void>>
  releasing: Map<string, Promise<void>>
  /** Devices that have just come online. */
  back: Set<string>
  /** A device was passed over because it, or the process, was busy. */
  isBehind: boolean
  isRunning: boolean
  isWoken: boolean
  closed: boolean
  cleanedAt: number
  cancelTimer(): void
}

export function startFleetEngine(deps: EngineDeps): FleetEngine {
  const { store, clock, log, link } = deps
  const state: State = {
    ...deps,
    placements: createResultWriter({
      write: (results) => store.settle(results, new Date(clock.now())),
      clock,
      log,
    }),
    releases: createResultWriter({ write: store.settleReleases, clock, log }),
    placing: new Map(),
    releasing: new Map(),
    back: new Set(),
    isBehind: false,
    isRunning: false,
    isWoken: false,
    closed: false,
    cleanedAt: clock.monotonic(),
    cancelTimer: () => {},
  }
  link.onBack((deviceIds) => {
    for (const deviceId of deviceIds) state.back.add(deviceId)
    wake(state)
  })
  wakeIn(state, SWEEP_MS)
  return {
    wake: () => wake(state),
    async close() {
      state.closed = true
      state.cancelTimer()
      const open = [...state.placing.values(), ...state.releasing.values()]
      if (open.length > 0) await within(clock, CLOSE_MS, Promise.all(open))
      await Promise.all([state.placements.close(), state.releases.close()])
    },
  }
}

/** One timer at a time; the last call decides when it fires. */
function wakeIn(state: State, ms: number): void {
  state.cancelTimer()
  if (!state.closed) state.cancelTimer = state.clock.after(ms, () => wake(state))
}

function wake(state: State): void {
  if (state.closed) return
  state.isWoken = true
  if (state.isRunning) return
  state.isRunning = true
  void runWhileWoken(state).finally(() => {
    state.isRunning = false
  })
}

async function runWhileWoken(state: State): Promise<void> {
  const { log } = state
  while (state.isWoken && !state.closed) {
    state.isWoken = false
    try {
      await run(state)
      wakeIn(state, await nextWait(state))
    } catch (error) {
      if (!state.closed) log.warn({ err: error }, 'could not continue fleet dispatches; retrying')
      wakeIn(state, RETRY_MS)
    }
  }
}

async function nextWait({ store, clock }: State): Promise<number> {
  const now = clock.now()
  const next = await store.nextDue(new Date(now))
  if (next === undefined) return SWEEP_MS
  return Math.min(SWEEP_MS, Math.max(SHORTEST_WAIT_MS, next.getTime() - now + GRACE_MS))
}

async function run(state: State): Promise<void> {
  const { store, clock } = state
  const now = clock.now()
  await store.expire(new Date(now), new Date(now - GRACE_MS))
  await store.endOverdueReleases(new Date(now))
  if (clock.monotonic() - state.cleanedAt >= CLEAN_MS) {
    state.cleanedAt = clock.monotonic()
    await store.removeOld(new Date(now), new Date(now - KEPT_MS), KEPT_TARGETS)
  }
  state.isBehind = false
  const back = [...state.back]
  state.back.clear()
  await serve(state, back, true)
  await serve(state, await store.dueDevices(new Date(now)), false)
}

/** Claims the work of these devices and starts it, without waiting for the devices. */
async function serve(state: State, deviceIds: readonly string[], evenIfNotDue: boolean): Promise<void> {
  const { store } = state
  const online = deviceIds.filter((deviceId) => state.link.presence.isOnline(deviceId))
  // Releases do not wait for placements: a silent controller is asked to release while it may still answer.
  const lease = { deviceIds: online, evenIfNotDue }
  await claimAll(state, lease, { busy: state.releasing, claim: store.claimReleases, work: releaseAll })
  await claimAll(state, lease, { busy: state.placing, claim: store.claimPlacements, work: placeAll })
}

/** One kind of work: which devices have it, how to claim it, and how to carry it out on one device. */
interface Kind<Task> {
  busy: Map<string, Promise<void>>
  claim: (options: ClaimOptions) => Promise<Task[]>
  work: (state: State, tasks: readonly Task[]) => Promise<void>
}

async function claimAll<Task extends { deviceId: string }>(
  state: State,
  { deviceIds, evenIfNotDue }: { deviceIds: readonly string[]; evenIfNotDue: boolean },
  { busy, claim, work }: Kind<Task>,
): Promise<void> {
  for (;;) {
    const free = deviceIds.filter((deviceId) => !busy.has(deviceId))
    const room = Math.max(0, MAX_DEVICES - busy.size)
    if (free.length < deviceIds.length || free.length > room) state.isBehind = true
    const chosen = free.slice(0, room)
    if (chosen.length === 0 || state.closed) return
    const now = state.clock.now()
    const lease = { now: new Date(now), until: new Date(now + LEASE_MS) }
    const claimed = await claim({ deviceIds: chosen, ...lease, limit: CLAIM, evenIfNotDue })
    for (const [deviceId, tasks] of Map.groupBy(claimed, (task) => task.deviceId)) {
      begin(state, busy, deviceId, work(state, tasks))
    }
    if (claimed.length < CLAIM) return
  }
}

function begin(state: State, busy: Map<string, Promise<void>>, deviceId: string, work: Promise<void>): void {
  const done = work.catch((error: unknown) => {
    state.log.error({ err: error, deviceId }, 'a fleet dispatch failed; it is retried')
  })
  busy.set(deviceId, done)
  void done.then(() => {
    busy.delete(deviceId)
    if (state.isBehind) wake(state)
  })
}

async function releaseAll(state: State, tasks: readonly ReleaseTask[]): Promise<void> {
  for (const ofDispatch of Map.groupBy(tasks, ({ dispatchId }) => dispatchId).values()) {
    for (const result of await release(ofDispatch, state)) state.releases.add(result)
  }
}

/** Places a few at a time. After one that got no answer, the others of this device wait for the next attempt. */
async function placeAll(state: State, targets: readonly Placement[]): Promise<void> {
  let isSilent = false
  const left = targets.values()
  const worker = async () => {
    for (const target of left) {
      const result = isSilent ? unsent(target, state.clock) : await place(target, state)
      if (result.kind === 'retry') isSilent = true
      state.placements.add(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(PER_DEVICE, targets.length) }, worker))
}
