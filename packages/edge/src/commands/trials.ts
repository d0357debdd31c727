import { isDeepStrictEqual } from 'node:util'
import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { RollbackReason, RolledBack, Trial } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections } from '../connections/connections.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { TechnicalSystemStore } from '../store/technical-system-store.ts'
import type { StoredTrial, TrialProgress, TrialStore } from '../store/trial-store.ts'

const TRIAL_MS = 10 * 60_000
const LOOK_MS = 5_000
const SAVE_MS = 60_000
/** A connection that was up within this time is not lost. A restarted controller gives its equipment as long. */
const UP_WITHIN_MS = 5 * 60_000
/** A controller that starts more often during a trial does not get through it. */
const MOST_STARTS = 10

/**
 * Trials of commissioning files. For ten minutes of running time after a load, by the monotonic clock, the controller looks
 * whether it hears the cloud again and keeps the connections that it had. Otherwise it goes back to what it ran before.
 */
export interface Trials {
  /** Returns what a load tries; `undefined` for one that is kept at once. */
  begin(load: Load): NewTrial | undefined
  put(to: Change, next: NewTrial | undefined): void
  /** The system of the load runs. */
  started(next: NewTrial | undefined): void
  /** Goes on with the trial of the journal. */
  resume(): Promise<void>
  /** Something came from the cloud. */
  heard(): void
  state(): Trial | undefined
  rolledBack(): RolledBack | undefined
  close(): void
}

interface Load {
  system: TechnicalSystem
  loadId: string | undefined
  keep: boolean
  sameEquipment: boolean
}

interface NewTrial {
  trial: StoredTrial
  /** False when the load does not change connections: the trial under way just goes on. */
  isNew: boolean
}

interface TrialsDeps {
  store: TrialStore
  commits: Pick<Commits, 'save' | 'record'>
  connections: Pick<Connections, 'figures'>
  systems: Pick<TechnicalSystemStore, 'load'>
  /**
   * Runs these systems again, and `ended` with it, unless `isWanted` says no by then. Returns the datapoints whose holds
   * would be broken; then nothing was changed.
   */
  goBack(to: StoredTrial, how: { isWanted(): boolean; ended(change: Change): void }): Promise<readonly string[]>
  /** Asks the cloud for an answer. */
  ask(): void
  clock: Clock
  log: Log
}

interface Running extends TrialProgress {
  trial: StoredTrial
  /** By the monotonic clock: since when `leftMs` counts, when it was saved, and when each connection was up. */
  since: number
  savedAt: number
  upAt: Map<string, number>
  hasAsked: boolean
  isGoingBack: boolean
  waitsFor: readonly string[]
}

interface State extends TrialsDeps {
  running: Running | undefined
}

const FRESH: TrialProgress = { leftMs: TRIAL_MS, starts: 0, hasHeard: false }

export function createTrials(deps: TrialsDeps): Trials {
  const { store, commits, clock } = deps
  const state: State = { ...deps, running: undefined }
  const stop = every(clock, LOOK_MS, () => look(state))
  return {
    begin: (load) => begin(state, load),
    put(to, next) {
      if (!next || next.isNew) store.put(to, next?.trial, FRESH)
      else if (state.running) store.put(to, next.trial, progressOf(state.running, clock))
    },
    started(next) {
      if (!next) state.running = undefined
      else if (next.isNew || !state.running) state.running = run(clock, next.trial, FRESH)
      else state.running.trial = next.trial
    },
    async resume() {
      const [trial, progress] = [store.trial(), store.progress()]
      if (!trial || !progress) return
      const next = { ...progress, leftMs: Math.max(progress.leftMs, UP_WITHIN_MS), starts: progress.starts + 1 }
      state.running = run(clock, trial, next)
      await commits.record((to) => store.putProgress(to, next))
      look(state)
    },
    heard() {
      // What was under way before the load says nothing.
      if (!state.running?.hasAsked || state.running.hasHeard) return
      state.running.hasHeard = true
      save(state, state.running)
    },
    state: () => shown(state),
    rolledBack: () => store.rolledBack(),
    close: stop,
  }
}

function run(clock: Clock, trial: StoredTrial, progress: TrialProgress): Running {
  const now = clock.monotonic()
  const fresh = { upAt: new Map(), hasAsked: false, isGoingBack: false, waitsFor: [] }
  return { trial, ...progress, since: now, savedAt: now, ...fresh }
}

function begin(state: State, { system, loadId, keep, sameEquipment }: Load): NewTrial | undefined {
  const { running, connections, systems } = state
  if (loadId === undefined || keep) return undefined
  const all = systems.load()
  const before = all.find(({ id }) => id === system.id) ?? { ...system, connections: [] }
  if (isDeepStrictEqual(before.connections, system.connections)) {
    if (!running) return undefined
    const { trial } = running
    const isUndoneToo = trial.before.some(({ id }) => id === system.id)
    return { trial: isUndoneToo ? { ...trial, loadIds: [...trial.loadIds, loadId] } : trial, isNew: false }
  }
  // The load has come from the cloud. Where every connection is up too, what runs now is a state to go back to.
  const under = running && down(state, running).length > 0 ? running.trial : undefined
  // An empty controller has nothing that is better.
  if (all.length === 0 && !under) return undefined
  const isKnown = under?.before.some(({ id }) => id === system.id) ?? false
  const trial: StoredTrial = {
    loadIds: [...(under?.loadIds ?? []), loadId],
    before: [...(under?.before ?? []), ...(isKnown ? [] : [before])],
    watched: under?.watched ?? upNow(connections).map(({ id, name }) => ({ id, name })),
    // Held over one changed address and then over another: both must be the same equipment.
    sameEquipment: sameEquipment && (under?.sameEquipment ?? true),
  }
  return { trial, isNew: true }
}

const upNow = (connections: State['connections']) =>
  connections.figures().filter(({ status }) => status === CONNECTION_STATUS.connected)

/** Lists the connections that were up before, are still commissioned, and do not count as up. */
function down({ connections }: State, { trial }: Running, isUp: (id: string) => boolean = () => false) {
  const figures = new Map(connections.figures().map((one) => [one.id, one]))
  return trial.watched.filter(({ id }) => {
    const figure = figures.get(id)
    return figure && figure.status !== CONNECTION_STATUS.connected && !isUp(id)
  })
}

function look(state: State): void {
  const { running, connections, clock } = state
  if (!running || running.isGoingBack) return
  const now = clock.monotonic()
  for (const { id } of upNow(connections)) running.upAt.set(id, now)
  if (!running.hasHeard) {
    running.hasAsked = true
    state.ask()
  }
  if (now - running.savedAt >= SAVE_MS) save(state, running)
  const verdict = judge(state, running)
  if (verdict === 'kept') keep(state, running)
  else if (verdict) void rollBack(state, running, verdict)
}

/** Returns `undefined` while the trial goes on. */
function judge(state: State, running: Running): 'kept' | RollbackReason | undefined {
  if (running.starts > MOST_STARTS) return 'restarts'
  if (leftMs(running, state.clock) > 0) return undefined
  if (!running.hasHeard) return 'not-heard'
  return lost(state, running).length > 0 ? 'connections-lost' : 'kept'
}

function lost(state: State, running: Running) {
  const oldest = state.clock.monotonic() - UP_WITHIN_MS
  return down(state, running, (id) => (running.upAt.get(id) ?? Number.NEGATIVE_INFINITY) > oldest)
}

function keep(state: State, running: Running): void {
  state.running = undefined
  state.log.info({ loads: running.trial.loadIds }, 'the commissioning file has passed its trial')
  void state.commits.record((to) => state.store.put(to, undefined, FRESH))
}

async function rollBack(state: State, running: Running, reason: RollbackReason): Promise<void> {
  const { store, clock, log } = state
  const rolledBack: RolledBack = {
    loadIds: running.trial.loadIds,
    at: formatTimestamp(clock.now()),
    reason,
    lost: reason === 'connections-lost' ? lost(state, running).map(({ name }) => name) : [],
  }
  running.isGoingBack = true
  try {
    running.waitsFor = await state.goBack(running.trial, {
      isWanted: () => state.running === running,
      ended(to) {
        store.put(to, undefined, FRESH)
        store.putRolledBack(to, rolledBack)
        to.after(() => {
          state.running = undefined
          log.warn({ ...rolledBack }, 'the controller went back to what it ran before a commissioning file')
        })
      },
    })
  } catch (error) {
    log.error({ err: error }, 'the controller could not go back to what it ran before; retrying')
  } finally {
    running.isGoingBack = false
  }
}

const leftMs = ({ leftMs, since }: Running, clock: Clock) => Math.max(0, leftMs - (clock.monotonic() - since))

const progressOf = (running: Running, clock: Clock): TrialProgress => ({
  leftMs: leftMs(running, clock),
  starts: running.starts,
  hasHeard: running.hasHeard,
})

function save({ store, commits, clock }: State, running: Running): void {
  running.savedAt = clock.monotonic()
  const progress = progressOf(running, clock)
  void commits.record((to) => store.putProgress(to, progress))
}

function shown(state: State): Trial | undefined {
  const { running, clock } = state
  if (!running) return undefined
  return {
    loadIds: running.trial.loadIds,
    leftSeconds: Math.ceil(leftMs(running, clock) / 1000),
    down: down(state, running).map(({ name }) => name),
    waitsFor: [...running.waitsFor],
  }
}
