import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import { type CommandReply, type CommandRequest, MAX_LISTED_CANCELLED } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { EntryCaller } from '@plantroom/contract/reports'
import { shown } from '@plantroom/contract/shown'
import type { JsonText } from '../json-text.ts'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { OverrideStore } from '../store/override-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { type CheckDeps, checkSetpoint, type Setpoint } from './check-setpoint.ts'
import { addToTimeline, evaluate, requestKey, undoOverride, withdrawOverride } from './evaluate.ts'
import { type Answer, type Caller, type Once, usedBefore } from './once.ts'
import type { OverrideIds } from './override-ids.ts'
import { readEquipment, rejectUnread, UnreadEquipment } from './read-equipment.ts'
import { resumeOverrides, type StartState } from './resume-overrides.ts'
import { items } from './sorted-tree.ts'
import type { Moment, Timeline } from './timeline.ts'

type PlaceReply = CommandReply<'demandResponseOverride'>
type CancelReply = CommandReply<'demandResponseCancel'>

const SHORT_REASON = 40
/** Why the audit has an override that was never written. */
const TOO_LATE = 'the controller had saved the override only after its deadline'

export const overrideNeverIssued = (id: string) => `this device never issued the override id ${shown(id)}; check it`

/** A test of an output: an override that starts when it is accepted, and what goes with it in the same change. */
export interface PlacedTest extends Pick<Setpoint, 'datapointId' | 'value'> {
  seconds: number
  reason: string
  /** Stands for the request. A repeated one gets the first answer. */
  request: string
  /** Throws a `Failure` when the output must not be tested. `timeline` has its other overrides. */
  check(to: number, timeline: Timeline | undefined): void
  placed(change: Change, id: string, window: Pick<Setpoint, 'from' | 'to'>): void
  /** Its caller had stopped waiting before it was on disk. */
  undone(change: Change): void
}

/** The overrides of the device: accepted, kept through restarts, ended on time. */
export interface Overrides {
  /**
   * Resolves with the reply when the override is on disk and active or queued. Rejects with a `Failure`: then nothing
   * was done.
   */
  place(setpoint: Setpoint, caller: Caller): Promise<JsonText<PlaceReply>>
  /** Places an override that starts now for a test of an output. Resolves and rejects as `place` does. */
  placeTest(test: PlacedTest, caller: Caller): Promise<JsonText<PlaceReply>>
  /**
   * Ends an override now, whoever placed it. One that has already ended stays ended. An id that this device never issued
   * is rejected.
   */
  cancel(id: string, caller: Caller, reason: string): Promise<JsonText<CancelReply>>
  /** Ends everything that `placedBy` has placed, in one transaction. Safe to repeat. */
  cancelAll(placedBy: string, caller: Caller, reason: string): Promise<CommandReply<'cancelOverrides'>>
  /** Ends what `placedBy` has placed with these reqIds, in one transaction. Safe to repeat. */
  cancelByReqId(
    request: Pick<CommandRequest<'cancelOverridesByReqId'>, 'placedBy' | 'reqIds'>,
    caller: Caller,
    reason: string,
  ): Promise<CommandReply<'cancelOverridesByReqId'>>
  /**
   * Resumes the overrides in the journal and releases those that ended while the device was down. Calls `ready` once
   * every datapoint is decided: immediately, or a few seconds later when the time is not known.
   */
  start(ready: () => void): Promise<void>
  heardCloudTime(time: number): void
  /** Reports whether this datapoint has an override, active, superseded or queued. */
  isOverridden(datapointId: string): boolean
  figures(): { overridesPlaced: number; clockSuspect: boolean }
  /** Reports whether an override was accepted since the start. */
  hasAccepted(): boolean
  /** The overrides of each datapoint, and the time by which they are judged. Read-only. */
  view(): { timelines: ReadonlyMap<string, Timeline>; now: Moment; clockSuspect: boolean }
  close(): void
}

interface OverridesDeps extends CheckDeps {
  store: OverrideStore
  commits: Commits
  once: Once
  ids: OverrideIds
  arbiter: Arbiter
  audit: Pick<Audit, 'without'>
  clock: Clock
  log: Log
  /** The journal lacks something: the cloud has to give it back before overrides are held or accepted. */
  isMemoryLost: boolean
}

interface State extends StartState, OverridesDeps {
  hasAccepted: boolean
}

export function createOverrides(deps: OverridesDeps): Overrides {
  const { timekeeper, commits } = deps
  const state: State = {
    ...deps,
    timelines: commits.stagedMap(),
    byId: commits.stagedMap(),
    byCaller: commits.stagedMap(),
    byRequest: commits.stagedMap(),
    counts: commits.stagedMap(),
    timers: new Map(),
    resumed: false,
    closed: false,
    timeWait: undefined,
    hasAccepted: false,
    stopRemembering: () => {},
  }
  return {
    place: (setpoint, caller) =>
      placeWhenRead(state, setpoint.datapointId, caller, (to) => placeOnce(state, to, setpoint, caller)),
    placeTest: (test, caller) =>
      placeWhenRead(state, test.datapointId, caller, (to) => placeTestOnce(state, to, test, caller)),
    cancel: (id, caller, reason) => commits.record((to) => cancelOnce(state, to, { id, reason }, caller)),
    cancelAll: (placedBy, caller, reason) =>
      commits.record((to) => cancelAll(state, to, placedBy, cancellerOf(caller, reason))),
    cancelByReqId: (request, caller, reason) =>
      commits.record((to) => cancelByReqId(state, to, request, cancellerOf(caller, reason))),
    start: (ready) => resumeOverrides(state, ready),
    heardCloudTime(time) {
      timekeeper.heardCloudTime(time)
      state.timeWait?.look()
      // A start with a clock that is known to be off waits for the cloud.
      if (timekeeper.isCorrected()) void commits.record(timekeeper.remember)
    },
    isOverridden: (datapointId) => state.timelines.get(datapointId) !== undefined,
    figures: () => ({ overridesPlaced: state.byId.kept.size, clockSuspect: timekeeper.suspect() }),
    hasAccepted: () => state.hasAccepted,
    view: () => ({ timelines: state.timelines.kept, now: timekeeper.now(), clockSuspect: timekeeper.suspect() }),
    close() {
      if (state.closed) return
      state.closed = true
      // An idle controller records the time rarely, and its clock may be behind at the next start. If the disk fails, the
      // time recorded last stands.
      commits.save(timekeeper.remember).catch(() => {})
      state.stopRemembering()
      state.timeWait?.close()
      for (const cancel of state.timers.values()) cancel()
    },
  }
}

/**
 * Places an override that starts now only when it is known what its equipment holds, because its value must be restored.
 * Reads the equipment where that is not known, for as long as the caller waits.
 */
async function placeWhenRead(
  state: State,
  datapointId: string,
  caller: Caller,
  place: (to: Change) => JsonText<PlaceReply>,
): Promise<JsonText<PlaceReply>> {
  try {
    return await state.commits.save(place)
  } catch (failure) {
    if (!(failure instanceof UnreadEquipment)) throw failure
    await readEquipment(state, datapointId, caller)
    return state.commits.save(place)
  }
}

function placeTestOnce(state: State, to: Change, test: PlacedTest, caller: Caller): JsonText<PlaceReply> {
  rejectWhenClosed(state)
  return state.once(to, caller, test.request, () => {
    const { datapointId, value, seconds, reason } = test
    const from = state.timekeeper.now().wall
    const window = { from, to: from + seconds * 1000 }
    test.check(window.to, state.timelines.get(datapointId))
    const answer = accept(state, to, { datapointId, value, ...window, reason }, caller)
    test.placed(to, answer.reply.id, window)
    return {
      ...answer,
      undo(undoing) {
        answer.undo?.(undoing)
        test.undone(undoing)
      },
    }
  })
}

function placeOnce(state: State, to: Change, setpoint: Setpoint, caller: Caller): JsonText<PlaceReply> {
  rejectWhenClosed(state)
  return state.once(to, caller, requestOf(setpoint), () => {
    const standing = state.byRequest.get(requestKey({ placedBy: caller.keyId, reqId: caller.reqId }))
    if (!standing) return accept(state, to, setpoint, caller)
    if (requestOf(standing) !== requestOf(setpoint)) throw usedBefore(caller)
    return { reply: { id: standing.id }, isKept: false }
  })
}

function requestOf({ datapointId, value, from, to, reason = '' }: Setpoint): string {
  // Without a reason as an earlier version wrote it, so that a repeated request is still recognised after an update.
  return `override ${JSON.stringify([datapointId, value, from, to, ...(reason === '' ? [] : [shortened(reason)])])}`
}

// Kept with every answer: a long reason must not multiply its size.
const shortened = (reason: string) => (reason.length <= SHORT_REASON ? reason : sha256(reason))

/** Checks the setpoint, saves the override and evaluates its datapoint. Answers with the new id. */
function accept(state: State, to: Change, setpoint: Setpoint, caller: Caller): Answer<PlaceReply> {
  const { timekeeper, counts, ids, store } = state
  const { datapointId, value, from, to: end, reason = '' } = setpoint
  const { reqId, keyId: placedBy, name: placedByName } = caller
  if (state.isMemoryLost) {
    throw rejected(
      'the controller has lost its memory and waits for the service to give it back; send the command again in a minute',
    )
  }
  const time = timekeeper.now()
  checkSetpoint(state, setpoint, placedBy, time)
  if (from <= time.wall) rejectUnread(state, datapointId)
  // A power cut must not take the device back to before this override was accepted.
  timekeeper.remember(to)

  const id = ids.issue()
  const seq = (counts.get('seq') ?? 0) + 1
  const override = { id, seq, datapointId, value, from, to: end, reqId, placedBy, placedByName, reason }
  addToTimeline(state, override)
  store.add(to, override)
  to.after(() => {
    state.hasAccepted = true
  })
  evaluate(state, to, datapointId, time)
  return {
    reply: { id },
    isKept: true,
    undo(undoing) {
      const placed = state.byId.get(id)
      if (placed) undoOverride(state, undoing, placed, cancellerOf(caller, TOO_LATE))
    },
  }
}

function cancelOnce(
  state: State,
  to: Change,
  { id, reason }: { id: string; reason: string },
  caller: Caller,
): JsonText<CancelReply> {
  rejectWhenClosed(state)
  // Without a reason as an earlier version wrote it, so that a repeated request is still recognised after an update.
  const request = `cancel ${id}${reason === '' ? '' : ` ${JSON.stringify(shortened(reason))}`}`
  return state.once<CancelReply>(to, caller, request, () => {
    const override = state.byId.get(id)
    if (!override && !state.ids.issued(id)) {
      throw rejected(overrideNeverIssued(id))
    }
    if (override) withdrawOverride(state, to, override, cancellerOf(caller, reason))
    // One that is over stays over: a repeated request gets the same answer without a record.
    return { reply: { success: true }, isKept: override !== undefined }
  })
}

/** Oldest first: the active one is the latest that has started, so none of the others becomes active in between. */
function cancelAll(
  state: State,
  to: Change,
  placedBy: string,
  cancelledBy: EntryCaller,
): CommandReply<'cancelOverrides'> {
  rejectWhenClosed(state)
  const overrides = [...items(state.byCaller.get(placedBy)?.overrides)]
  for (const override of overrides) withdrawOverride(state, to, override, cancelledBy)
  const cancelled = overrides.slice(0, MAX_LISTED_CANCELLED).map(({ id, datapointId }) => ({ id, datapointId }))
  return { count: overrides.length, cancelled }
}

function cancelByReqId(
  state: State,
  to: Change,
  { placedBy, reqIds }: Pick<CommandRequest<'cancelOverridesByReqId'>, 'placedBy' | 'reqIds'>,
  cancelledBy: EntryCaller,
): CommandReply<'cancelOverridesByReqId'> {
  rejectWhenClosed(state)
  const found = reqIds.flatMap((reqId) => state.byRequest.get(requestKey({ placedBy, reqId })) ?? [])
  // Oldest first, for the same reason. A reqId that is listed twice counts once.
  const overrides = [...new Set(found)].toSorted((a, b) => a.seq - b.seq)
  for (const override of overrides) withdrawOverride(state, to, override, cancelledBy)
  return { cancelled: overrides.map(({ reqId, id, datapointId }) => ({ reqId, id, datapointId })) }
}

const cancellerOf = ({ keyId: id, name }: Caller, reason: string): EntryCaller => ({ id, name, reason })

// Connections are closing: a command accepted now could not be carried out.
function rejectWhenClosed({ closed }: State): void {
  if (closed) throw rejected('the controller is stopping, so nothing was done; send the command again')
}

const rejected = (message: string) => new Failure('rejected', message)
