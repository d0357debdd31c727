import type { CloseOutcome } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { EntryCaller, ReportedValue, ReportPhase } from '@plantroom/contract/reports'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type HoldingWriter, WRITERS } from '@plantroom/contract/writers'
import type { Raw } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import type { Audit, PendingEntry } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { AppliedStore, HoldStore } from '../store/hold-store.ts'
import type { StagedMap } from '../store/staged-map.ts'
import { type AppliedOverrides, createAppliedOverrides } from './applied-overrides.ts'
import { plainValue, rawOf, readingValue, valueBefore } from './equipment.ts'
import {
  type Claim,
  type ClosingReason,
  decide,
  type End,
  endOf,
  FREE,
  followed,
  fromDocument,
  type Hold,
  type HoldDocument,
  type Holder,
  type Plain,
  type Reason,
  sameClaim,
  setpointOf,
  type Trouble,
  toDocument,
  withSetpoint,
} from './hold.ts'

/**
 * The holds of all datapoints, in memory, in the journal and in the audit. Every step is on disk with its entries.
 *
 * An override has one `applied` entry when it first holds the datapoint and one `released` entry when it is over,
 * however often a later override supersedes it in between. Peak shaving and schedules have both each time they hold.
 */
export interface Holds {
  get(datapointId: string): Hold | undefined
  all(): Iterable<readonly [datapointId: string, Hold]>
  /** States or withdraws a claim. `reason` says why the writer's earlier claim goes. */
  decide(to: Change, place: Place, by: HoldingWriter, claim: Claim | undefined, reason: Reason): void
  /** Writes the closing entry of an override that is over while it does not hold the datapoint. */
  closeOverride(to: Change, place: Place, claim: Claim, reason: ClosingReason): void
  /** Remembers what the equipment held before any writer wrote to it. */
  capture(to: Change, place: Place, plain: Plain): void
  /** Records that a reading shows the setpoint of `seen`, unless something else has been decided since. */
  done(to: Change, place: Place, seen: Hold, readBack: ReportedValue): void
  /** Records that a reading shows the end of the release that `seen` asks for, unless something else has been decided. */
  released(to: Change, place: Place, seen: Hold, how: Released): void
  /** Records that a setpoint has come back after its release. `plain`, which was read in between, is restored again. */
  cameBack(to: Change, place: Place, seen: { readBack: ReportedValue; plain: Plain | undefined }): void
  /** Forgets a hold whose release has been watched for long enough, or whose equipment is no longer the same. */
  forgetRestored(to: Change, datapointId: string): void
  /** Records that the equipment does not do what `seen` asks for. Reported once, however often it happens. */
  failed(to: Change, place: Place, seen: Hold, failure: Failed): void
  /**
   * Ends a release that a person gives up or has done by hand. Returns what the equipment showed last. Throws a `Failure`
   * when the datapoint is not being released.
   */
  close(to: Change, datapointId: string, place: Place | undefined, how: ClosedByHand): ReportedValue
  /** Reports whether an override has an `applied` entry and is not over. */
  isApplied(overrideId: string): boolean
  /** Forgets a datapoint that is no longer commissioned. */
  drop(to: Change, datapointId: string): void
}

export interface Released {
  readBack: ReportedValue
  /** The equipment shows neither the setpoint nor the value to restore. */
  differs: boolean
  /** The setpoints that must not come back; none where nothing can be read. */
  setpoints: readonly Raw[]
}

export interface Failed {
  trouble: Trouble
  readBack: ReportedValue
  /** What the equipment shows instead of the setpoint. */
  shows?: Raw | undefined
}

export interface ClosedByHand {
  outcome: CloseOutcome
  by: EntryCaller
}

export interface HoldsDeps {
  commits: Commits
  holdStore: HoldStore<HoldDocument>
  applied: AppliedStore
  audit: Audit
  /** The wall time by which overrides are judged, and entries dated. */
  wallTime: () => number
}

/**
 * Entries of one datapoint that wait for the equipment. A holder may wait for its limits for a day, and every entry is
 * written again with each change of the hold: more of them are sent as they are, without a value read back.
 */
const MAX_UNSETTLED = 32

interface State extends HoldsDeps {
  holds: StagedMap<string, Hold>
  overrides: AppliedOverrides
}

export function createHolds(deps: HoldsDeps): Holds {
  const { commits, holdStore } = deps
  const stored = holdStore.load().map(({ datapointId, document }) => [datapointId, fromDocument(document)] as const)
  const state: State = { ...deps, holds: commits.stagedMap(stored), overrides: createAppliedOverrides(deps) }
  return {
    get: (datapointId) => state.holds.get(datapointId),
    all: () => state.holds.kept,
    decide: (to, place, by, claim, reason) => decideHold(state, to, place, { by, claim, reason }),
    closeOverride: (to, place, claim, reason) => closeOverride(state, to, place, { claim, reason }),
    capture: (to, place, plain) => capturePlain(state, to, place, plain),
    done: (to, place, seen, readBack) => recordDone(state, to, place, { seen, readBack }),
    released: (to, place, seen, how) => recordRelease(state, to, place, { seen, ...how }),
    cameBack: (to, place, seen) => recordReturn(state, to, place, seen),
    forgetRestored(to, datapointId) {
      if (state.holds.get(datapointId)?.restored) keep(state, to, datapointId, undefined)
    },
    failed: (to, place, seen, failure) => recordFailure(state, to, place, { seen, ...failure }),
    close: (to, datapointId, place, how) => closeByHand(state, to, datapointId, { place, ...how }),
    isApplied: (overrideId) => state.overrides.isOpen(overrideId),
    drop: (to, datapointId) => dropHold(state, to, datapointId),
  }
}

function decideHold(
  state: State,
  to: Change,
  place: Place,
  { by, claim, reason }: { by: HoldingWriter; claim: Claim | undefined; reason: Reason },
): void {
  const { id, limits } = place.datapoint
  const last = state.holds.get(id) ?? FREE
  // A restored datapoint is read again: a person may have changed it since.
  const before = last.restored ? FREE : last
  const { claims, change } = decide(before, by, claim)
  if (!change) {
    if (!sameClaim(claims[by], before.claims[by])) keep(state, to, id, { ...before, claims })
    return
  }

  // The new decision replaces a write that is still pending, so no answer to that one will come.
  settle(state, to, place, { hold: before, readBack: null })
  const { released, applied } = change
  const untouched = before.plain === undefined && !before.known
  const { known, shows, left, setpoints } = before
  const { recent } = last
  const kept = {
    plain: before.plain,
    ...(known && { known }),
    ...(shows !== undefined && { shows }),
    ...(left !== undefined && { left }),
    ...(setpoints && { setpoints }),
    ...(recent && { recent }),
  }
  const plain = plainValue(before, place)
  const why = released?.claim.by === by ? reason : 'superseded'
  const given = applied ? setpointOf(applied, plain, limits) : untouched ? null : plain
  const unsettled = released ? releasedEntry(state, to, place, { released, value: given, reason: why }) : []
  if (applied) {
    const holder: Holder = {
      claim: applied,
      valueBefore:
        state.overrides.valueBefore(applied) ??
        (released ? setpointOf(released.claim, plain, limits) : valueBefore(before, place)),
      ...(released && { tookOver: true }),
      ...followed(before),
    }
    unsettled.push(...appliedEntry(state, to, place, { holder, value: given }))
    keep(state, to, id, {
      ...FREE,
      claims,
      holder,
      ...kept,
      setpoints: withSetpoint(setpoints, rawOf(place, given)),
      unsettled,
    })
  } else if (released && !untouched) {
    const releasing = { holder: released, ...endOf(why === 'suspended' ? 'restart' : why) }
    keep(state, to, id, { ...FREE, ...kept, unsettled, releasing })
  } else {
    // Nothing was ever written, so there is nothing to restore.
    for (const one of unsettled) state.audit.add(to, one)
    keep(state, to, id, undefined)
  }
}

function closeOverride(
  state: State,
  to: Change,
  place: Place,
  { claim, reason }: { claim: Claim; reason: ClosingReason },
): void {
  const valueBefore = state.overrides.valueBefore(claim) ?? null
  state.overrides.close(to, claim)
  const closing = entryOf(state, place, { claim, valueBefore }, { phase: 'released', ...endOf(reason), value: null })
  const { id } = place.datapoint
  const before = state.holds.get(id)
  const waiting = before?.unsettled.length ?? 0
  // Queued behind entries that wait for the equipment, so that the entries of one datapoint stay in order.
  if (before && waiting > 0 && waiting < MAX_UNSETTLED) {
    keep(state, to, id, { ...before, unsettled: [...before.unsettled, closing] })
    return
  }
  // A release is not over because many others wait for it.
  if (before?.holder && waiting > 0) {
    settle(state, to, place, { hold: before, readBack: null })
    keep(state, to, id, { ...before, unsettled: [] })
  }
  state.audit.add(to, closing)
}

function capturePlain(state: State, to: Change, place: Place, plain: Plain): void {
  const id = place.datapoint.id
  const before = state.holds.get(id)
  if (!before || before.plain || !(before.holder || before.known)) return
  const captured = { ...before, plain }
  // What another controller said of the value before stays in the audit, not what is restored in its place.
  if (!before.holder || before.known) {
    keep(state, to, id, captured)
    return
  }
  // The live value recorded with the claim may have been stale.
  const known = before.holder.tookOver ? null : valueBefore(captured, place)
  keep(state, to, id, {
    ...captured,
    holder: { ...before.holder, valueBefore: known ?? before.holder.valueBefore },
  })
}

function recordDone(
  state: State,
  to: Change,
  place: Place,
  { seen, readBack }: { seen: Hold; readBack: ReportedValue },
): void {
  const { id, limits } = place.datapoint
  const before = state.holds.get(id)
  const holder = before?.holder
  if (!before || !holder || holder !== seen.holder) return
  settle(state, to, place, { hold: before, readBack })
  const value = setpointOf(holder.claim, plainValue(before, place), limits)
  const isLimited = before.given !== undefined && before.given !== value
  if (isLimited) {
    state.audit.add(to, entryOf(state, place, holder, { phase: 'limited', reason: 'window', value, readBack }))
  }
  const { shows: _, ...confirmed } = before
  const isKnown = before.reached && before.given === value && before.shows === undefined
  if (before.unsettled.length === 0 && isKnown) return
  const setpoints = withSetpoint(before.setpoints, rawOf(place, value))
  keep(state, to, id, { ...confirmed, unsettled: [], reached: true, given: value, setpoints })
}

function recordRelease(
  state: State,
  to: Change,
  place: Place,
  { seen, readBack, differs, setpoints }: { seen: Hold } & Released,
): void {
  const { id } = place.datapoint
  const before = state.holds.get(id)
  if (!before || before.holder || before.restored || before.releasing !== seen.releasing) return
  const how: Partial<PendingEntry> = differs ? { reason: 'differs' } : {}
  settle(state, to, place, { hold: before, readBack, how })
  const { plain, releasing, reported } = before
  const isWatched = setpoints.length > 0 && plain !== undefined
  const watched: Hold = { ...FREE, plain, releasing, reported, restored: true }
  keep(state, to, id, isWatched ? { ...watched, recent: { setpoints, plain } } : undefined)
}

function recordReturn(
  state: State,
  to: Change,
  place: Place,
  { readBack, plain }: { readBack: ReportedValue; plain: Plain | undefined },
): void {
  const { id } = place.datapoint
  const before = state.holds.get(id)
  if (!before?.restored) return
  const { restored: _, releasing, ...rest } = before
  const again: Hold = { ...rest, releasing, plain: plain ?? before.plain }
  const isReported = before.reported.includes('not-taken')
  if (releasing && !isReported) {
    const happened = {
      phase: 'not-taken',
      reason: releasing.reason,
      value: plainValue(again, place),
      readBack,
    } as const
    state.audit.add(to, entryOf(state, place, releasing.holder, happened))
  }
  keep(state, to, id, isReported ? again : { ...again, reported: [...before.reported, 'not-taken'] })
}

function recordFailure(
  state: State,
  to: Change,
  place: Place,
  { seen, trouble, readBack, shows }: { seen: Hold } & Failed,
): void {
  const id = place.datapoint.id
  const before = state.holds.get(id)
  const holder = before?.holder ?? before?.releasing?.holder
  if (!before || !holder || before.holder !== seen.holder) return
  const isReported = before.reported.includes(trouble)
  const isSame = shows === undefined || shows === before.shows
  // A release has its entry when a reading shows it, not before.
  const waits = before.holder ? [] : before.unsettled
  if (isReported && isSame && before.unsettled.length === waits.length) return
  if (before.holder) settle(state, to, place, { hold: before, readBack })
  const plain = plainValue(before, place)
  const value = before.holder ? setpointOf(holder.claim, plain, place.datapoint.limits) : plain
  const { reason, cancelledBy }: End = before.releasing ?? { reason: 'window' }
  const happened = { phase: trouble, reason, value, readBack, ...(cancelledBy && { cancelledBy }) }
  if (!isReported) state.audit.add(to, entryOf(state, place, holder, happened))
  const reported = isReported ? before.reported : [...before.reported, trouble]
  keep(state, to, id, { ...before, unsettled: waits, reported, ...(shows !== undefined && { shows }) })
}

function closeByHand(
  state: State,
  to: Change,
  datapointId: string,
  { place, outcome, by }: { place: Place | undefined } & ClosedByHand,
): ReportedValue {
  const hold = state.holds.get(datapointId)
  const name = place?.datapoint.name ?? shown(datapointId)
  if (!hold || hold.restored)
    throw new Failure('rejected', `datapoint ${name} is not held, so there is nothing to close`)
  if (hold.holder) {
    throw new Failure(
      'rejected',
      `datapoint ${name} is held by a writer; cancel its overrides first, then close the hold`,
    )
  }
  const readBack = place ? readingValue(place.connection.lastReading(datapointId), place.datapoint) : null
  const how = { reason: outcome, cancelledBy: by }
  if (place) settle(state, to, place, { hold, readBack, how })
  else for (const waiting of hold.unsettled) state.audit.add(to, { ...waiting, ...how })
  keep(state, to, datapointId, undefined)
  return readBack
}

function dropHold(state: State, to: Change, datapointId: string): void {
  const { unsettled, holder } = state.holds.get(datapointId) ?? FREE
  for (const waiting of unsettled) state.audit.add(to, waiting)
  if (holder) state.overrides.close(to, holder.claim)
  keep(state, to, datapointId, undefined)
}

function keep({ holds, holdStore }: State, to: Change, datapointId: string, hold: Hold | undefined): void {
  holds.set(datapointId, hold)
  if (hold) holdStore.put(to, datapointId, toDocument(hold))
  else holdStore.remove(to, datapointId)
}

/** Sends the entries that wait for the equipment, with what is known by now. `how` corrects the entry of a release. */
function settle(
  { audit, overrides, wallTime }: State,
  to: Change,
  place: Place,
  { hold, readBack, how }: { hold: Hold; readBack: ReportedValue; how?: Partial<PendingEntry> },
): void {
  const { holder, plain, unsettled, releasing } = hold
  for (const waiting of unsettled) {
    const applied = waiting.phase === 'applied' && holder
    // An offset to a plain value that was never read is unknown. A guess would stay in the audit.
    const unknown = applied && !plain && 'offset' in holder.claim.want && { value: null }
    const known = applied &&
      plain && {
        valueBefore: holder.valueBefore,
        value: setpointOf(holder.claim, plainValue(hold, place), place.datapoint.limits),
      }
    if (known) overrides.correct(to, holder)
    const isRelease = waiting.phase === 'released'
    const isOwn = isRelease && releasing && waiting.overrideId === (releasing.holder.claim.overrideId ?? null)
    // A release happens when a reading shows it. An override that did not hold the datapoint wrote nothing.
    if (isOwn) audit.add(to, { ...waiting, at: formatTimestamp(wallTime()), ...how, readBack })
    else if (isRelease && waiting.value === null) audit.add(to, waiting)
    else audit.add(to, { ...waiting, ...unknown, ...known, readBack })
  }
}

/** Returns the entry of the holder that releases the datapoint; none while its override is only superseded. */
function releasedEntry(
  state: State,
  to: Change,
  place: Place,
  { released, value, reason }: { released: Holder; value: ReportedValue; reason: Reason },
): PendingEntry[] {
  const isSuperseded = released.claim.overrideId !== undefined && reason === 'superseded'
  if (isSuperseded || reason === 'suspended') return []
  state.overrides.close(to, released.claim)
  return [entryOf(state, place, released, { phase: 'released', ...endOf(reason), value })]
}

/** Returns the entry of the next holder; none for an override that has held the datapoint before. */
function appliedEntry(
  state: State,
  to: Change,
  place: Place,
  { holder, value }: { holder: Holder; value: ReportedValue },
): PendingEntry[] {
  if (!state.overrides.open(to, holder)) return []
  return [entryOf(state, place, holder, { phase: 'applied', reason: 'window', value })]
}

function entryOf(
  { audit, wallTime }: State,
  place: Place,
  { claim, valueBefore }: Holder,
  happened: End & { phase: ReportPhase; value: ReportedValue; readBack?: ReportedValue },
): PendingEntry {
  return audit.entry({
    code: WRITERS[claim.by].auditCode,
    at: formatTimestamp(wallTime()),
    technicalSystemId: place.systemId,
    connectionId: place.connection.config.id,
    datapointId: place.datapoint.id,
    overrideId: claim.overrideId ?? null,
    reqId: claim.reqId ?? null,
    phase: happened.phase,
    reason: happened.reason,
    valueBefore,
    value: happened.value,
    readBack: happened.readBack ?? null,
    placedBy: claim.placedBy ?? null,
    ...(happened.cancelledBy && { cancelledBy: happened.cancelledBy }),
  })
}
