import type { Clock } from '@plantroom/base/clock'
import type { HoldState } from '@plantroom/contract/control-state'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Reading } from '@plantroom/drivers/driver'
import type { Connections, Place } from '../connections/connections.ts'
import { applyHold } from './apply-hold.ts'
import { plainValue } from './equipment.ts'
import { type Hold, writerOf } from './hold.ts'
import { requestOf } from './log-write.ts'
import { newProgress, type Progress, type TroubleReport } from './progress.ts'
import { readingAsks } from './reading-asks.ts'
import { beganWatch } from './release-watch.ts'
import { keepSent } from './sent-release.ts'
import type { ApplyDeps, Outcome } from './write.ts'

/** How soon to look again at a connection that is being opened for the first time. It does not count as down yet. */
const OPENING_MS = 1_000
/** How long an overtaken value waits for the decision that replaces it. */
const OVERTAKEN_MS = 100
/** Limits are looked at again no sooner and no later than this. */
const SOONEST_MS = 1_000
const LONGEST_WAIT_MS = 30_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30_000
// Trying a link that is down costs nothing, and the equipment must not wait long once the link is back.
const LAST_OFFLINE_RETRY_MS = 5_000
/** How often equipment may acknowledge a value without showing it before that is reported. Some equipment is slow. */
const NOT_TAKEN_AFTER = 3

/** Returns how long to wait after this many failures in a row, counted from 1. */
export function retryDelay(failures: number, isOffline = false): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), isOffline ? LAST_OFFLINE_RETRY_MS : LAST_RETRY_MS)
}

/** Makes the equipment follow the holds, each datapoint independently, and retries until it does. */
export interface HoldApplier {
  /** The hold on this datapoint has changed. */
  changed(datapointId: string): void
  /** What the hold on this datapoint may write has changed. */
  boundChanged(datapointId: string): void
  /** Looks at everything on this connection again: the equipment may have lost what was written. */
  connected(connectionId: string): void
  /** Takes in the reading of a poll, which may confirm what was written, or show that it is lost. */
  reading(datapointId: string, reading: Reading): void
  /** Returns what the equipment fails to do, once that is certain enough to report. */
  trouble(datapointId: string): TroubleReport | undefined
  /** Returns how far the equipment follows the hold. */
  stateOf(datapointId: string, hold: Hold): HoldState
  close(): void
}

export interface HoldApplierDeps extends Omit<ApplyDeps, 'reached' | 'isClosed'> {
  connections: Connections
  clock: Clock
  reached?: ApplyDeps['reached']
}

interface State extends ApplyDeps {
  connections: Connections
  clock: Clock
  progress: Map<string, Progress>
  closed: boolean
}

export function createHoldApplier(deps: HoldApplierDeps): HoldApplier {
  const state: State = {
    ...deps,
    reached: deps.reached ?? (() => {}),
    progress: new Map(),
    closed: false,
    isClosed: () => state.closed,
  }
  const ofHolder = (datapointId: string) => {
    const progress = state.progress.get(datapointId)
    return progress?.holder === state.holds.get(datapointId)?.holder ? progress : undefined
  }
  return {
    changed(datapointId) {
      showHold(state, datapointId)
      void run(state, datapointId)
    },
    boundChanged(datapointId) {
      // The value that is being written now may be out of bounds.
      Object.assign(progressOf(state, datapointId), { done: undefined, isLost: true })
      void run(state, datapointId)
    },
    connected: (connectionId) => lookAtConnection(state, connectionId),
    reading: (datapointId, reading) => takeReading(state, datapointId, reading),
    trouble: (datapointId) => ofHolder(datapointId)?.trouble,
    stateOf(datapointId, { holder, plain }) {
      const progress = ofHolder(datapointId)
      if (!holder) return progress?.isStuck ? 'stuck' : 'releasing'
      if (!plain) return 'reading'
      if (progress?.isWaiting) return 'waiting'
      return progress?.done?.holder === holder ? 'holding' : 'writing'
    },
    close() {
      state.closed = true
      for (const progress of state.progress.values()) progress.cancelTimer()
    },
  }
}

/** Attempts until nothing is left to do or the next attempt has to wait. Joins a run that is already under way. */
async function run(state: State, datapointId: string): Promise<void> {
  const progress = progressOf(state, datapointId)
  progress.again = true
  if (progress.isRunning) return
  progress.isRunning = true
  try {
    while (progress.again && !state.closed) {
      progress.again = false
      progress.isLost = false
      await attempt(state, datapointId, progress)
    }
  } catch (error) {
    state.log.error({ err: error, datapointId }, 'writing to equipment failed unexpectedly; retrying')
    later(state, progress, retryDelay(1), () => void run(state, datapointId))
  } finally {
    progress.isRunning = false
    if (!state.holds.get(datapointId)) {
      progress.cancelTimer()
      state.progress.delete(datapointId)
    }
  }
}

async function attempt(state: State, datapointId: string, progress: Progress): Promise<void> {
  const hold = state.holds.get(datapointId)
  const place = state.connections.find(datapointId)
  if (!hold || !place) return
  if (hold.restored) {
    progress.watch ??= beganWatch(state.clock.monotonic())
    showHold(state, datapointId)
    return
  }
  progress.watch = undefined
  // Already applied: the refresh timer takes care of it.
  if (hold.holder && hold.holder === progress.done?.holder) return
  progress.cancelTimer()
  if (hold.holder !== progress.holder) {
    progress.holder = hold.holder
    progress.restoring = undefined
    progress.shows = undefined
    // What was there before a release says nothing about the next hold.
    if (!hold.holder) progress.done = undefined
    clearTrouble(state, datapointId, progress)
  }
  if (place.connection.status() === CONNECTION_STATUS.connecting) {
    later(state, progress, OPENING_MS, () => void run(state, datapointId))
    return
  }
  const outcome = await applyHold(state, place, hold, progress)
  await follow(state, { place, hold, progress, outcome })
}

/** Records the outcome of an attempt and schedules the next one. */
async function follow(
  state: State,
  { place, hold, progress, outcome }: { place: Place; hold: Hold; progress: Progress; outcome: Outcome },
): Promise<void> {
  const { id, writeInterval } = place.datapoint
  progress.isWaiting = outcome.kind === 'waiting'
  progress.isStuck = outcome.kind === 'failed' && outcome.isStuck === true
  switch (outcome.kind) {
    case 'captured':
      progress.again = true
      return
    case 'overtaken':
      return later(state, progress, OVERTAKEN_MS, () => void run(state, id))
    case 'failed':
      return recordFailure(state, { place, hold, progress, outcome })
    case 'holding':
      clearTrouble(state, id, progress)
      if (progress.isLost) return
      progress.done = { holder: outcome.holder, value: outcome.value }
      writeAgainIn(state, progress, id, writeInterval)
      return
    case 'waiting':
      progress.trouble = { trouble: 'write-failed', reason: outcome.reason }
      return later(state, progress, untilAllowed(state, outcome.until), () => void run(state, id))
    case 'moving':
      clearTrouble(state, id, progress)
      return later(state, progress, untilAllowed(state, outcome.nextAt), () => void run(state, id))
    case 'released':
      clearTrouble(state, id, progress)
      progress.restoring = undefined
      // The watch begins, or something else was decided meanwhile.
      progress.again = true
      return
  }
}

/** How long to wait for a limit. Not long at once, so that a stepped clock is noticed. */
function untilAllowed({ wallTime }: State, time: number): number {
  return Math.min(Math.max(time - wallTime(), SOONEST_MS), LONGEST_WAIT_MS)
}

async function recordFailure(
  state: State,
  {
    place,
    hold,
    progress,
    outcome,
  }: { place: Place; hold: Hold; progress: Progress; outcome: Extract<Outcome, { kind: 'failed' }> },
): Promise<void> {
  if (state.closed) return
  const { id, name } = place.datapoint
  const { trouble, readBack, reason, isOffline, shows, inCharge } = outcome
  progress.done = undefined
  progress.isUnread = trouble === 'not-taken' && readBack === null
  progress.failures += 1
  // Equipment that cannot be restored may at least revert by itself.
  if (!hold.holder) state.failsafes.letExpire(id)
  later(state, progress, retryDelay(progress.failures, isOffline), () => void run(state, id))
  if (!hold.holder) await keepSent(state, place, hold, progress)
  if (trouble === 'not-taken' && progress.failures < NOT_TAKEN_AFTER) return
  if (progress.trouble?.reason !== reason) state.log.warn({ datapoint: name, reason, ...requestOf(hold) }, trouble)
  progress.trouble = { trouble, reason }
  await state.commits.record((to) => state.holds.failed(to, place, hold, { trouble, readBack, shows, inCharge }))
}

/** Writes the setpoint again as often as the file says, and as the equipment's own timer needs. */
function writeAgainIn(state: State, progress: Progress, datapointId: string, writeInterval: number): void {
  const asked = writeInterval > 0 ? writeInterval * 1000 : Number.POSITIVE_INFINITY
  const ms = Math.min(asked, state.failsafes.rewriteAfterMs(datapointId) ?? Number.POSITIVE_INFINITY)
  if (Number.isFinite(ms)) later(state, progress, ms, () => writeAgain(state, datapointId))
}

function lookAtConnection(state: State, connectionId: string): void {
  for (const [datapointId] of state.holds.all()) {
    if (state.connections.find(datapointId)?.connection.config.id !== connectionId) continue
    progressOf(state, datapointId).failures = 0
    writeAgain(state, datapointId)
  }
}

/** Writes the setpoint again. A release is not sent again before the equipment has been read. */
function writeAgain(state: State, datapointId: string): void {
  const progress = progressOf(state, datapointId)
  progress.done = undefined
  progress.unread = undefined
  progress.isLost = true
  void run(state, datapointId)
}

function takeReading(state: State, datapointId: string, reading: Reading): void {
  const { clock, commits, holds, log } = state
  const progress = state.progress.get(datapointId)
  const hold = holds.get(datapointId)
  const place = state.connections.find(datapointId)
  if (!progress || !hold || !place || progress.isRunning) return
  const asked = readingAsks(progress, { place, hold, reading, now: clock.monotonic() })
  switch (asked.kind) {
    case 'nothing':
      return
    case 'attempt':
      void run(state, datapointId)
      return
    case 'write-again':
      log.warn({ datapointId }, 'the equipment no longer holds its setpoint; writing it again')
      writeAgain(state, datapointId)
      return
    case 'forget':
      void commits.record((to) => holds.forgetRestored(to, datapointId)).then(() => run(state, datapointId))
      return
    case 'restore-again': {
      const { readBack, plain } = asked
      const fields = { datapoint: place.datapoint.name, readBack, ...requestOf(hold) }
      log.warn(fields, 'the setpoint came back after its release; restoring again')
      void commits.record((to) => holds.cameBack(to, place, { readBack, plain })).then(() => run(state, datapointId))
    }
  }
}

function clearTrouble(state: State, datapointId: string, progress: Progress): void {
  progress.failures = 0
  progress.trouble = undefined
  progress.isUnread = false
  showHold(state, datapointId)
}

/** Shows with the live value which writer holds the datapoint. */
function showHold({ connections, holds }: State, datapointId: string): void {
  const place = connections.find(datapointId)
  const hold = holds.get(datapointId)
  if (!place || !hold?.holder) {
    connections.show(datapointId, undefined)
    return
  }
  const lockedBy = writerOf(hold.holder.claim)
  const plain = plainValue(hold, place)
  connections.show(datapointId, {
    lockedBy,
    ...(lockedBy === 'deviation' && { deviationActivated: true }),
    ...(lockedBy === 'deviation' && plain !== null && { deviationCachedValue: plain }),
  })
}

function later({ clock, closed }: State, progress: Progress, ms: number, action: () => void): void {
  progress.cancelTimer()
  if (!closed) progress.cancelTimer = clock.after(ms, action)
}

function progressOf(state: State, datapointId: string): Progress {
  let progress = state.progress.get(datapointId)
  if (!progress) {
    progress = newProgress()
    state.progress.set(datapointId, progress)
  }
  return progress
}
