import type { ReportedValue } from '@plantroom/contract/reports'
import type { Place } from '../connections/connections.ts'
import type { Change } from '../store/commits.ts'
import { createAppliedOverrides } from './applied-overrides.ts'
import { allowedAt, plainValue, rawOf, valueBefore } from './equipment.ts'
import {
  type Claim,
  type Claimant,
  type ClosingReason,
  decide,
  endOf,
  FREE,
  followed,
  type Hold,
  type Holder,
  type Plain,
  type Reason,
  type SentRelease,
  sameClaim,
  setpointOf,
  withSetpoint,
} from './hold.ts'
import { fromDocument } from './hold-document.ts'
import { appliedEntry, entryOf, releasedEntry, settle } from './hold-entries.ts'
import {
  type ClosedByHand,
  closeByHand,
  type Failed,
  type Released,
  recordDone,
  recordFailure,
  recordRelease,
  recordReturn,
  recordSent,
} from './hold-outcomes.ts'
import { type HoldsDeps, type HoldsState, keep } from './hold-state.ts'

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
  decide(to: Change, place: Place, by: Claimant, claim: Claim | undefined, reason: Reason): void
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
  /** Records what the release that `seen` asks for has sent, unless something else has been decided since. */
  sent(to: Change, place: Place, seen: Hold, sent: SentRelease): void
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

/**
 * Entries of one datapoint that wait for the equipment. A holder may wait for its limits for a day, and every entry is
 * written again with each change of the hold: more of them are sent as they are, without a value read back.
 */
const MAX_UNSETTLED = 32

export function createHolds(deps: HoldsDeps): Holds {
  const { commits, holdStore } = deps
  const stored = holdStore.load().map(({ datapointId, document }) => [datapointId, fromDocument(document)] as const)
  const state: HoldsState = { ...deps, holds: commits.stagedMap(stored), overrides: createAppliedOverrides(deps) }
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
    sent: (to, place, seen, sent) => recordSent(state, to, place, { seen, sent }),
    failed: (to, place, seen, failure) => recordFailure(state, to, place, { seen, ...failure }),
    close: (to, datapointId, place, how) => closeByHand(state, to, datapointId, { place, ...how }),
    isApplied: (overrideId) => state.overrides.isOpen(overrideId),
    drop: (to, datapointId) => dropHold(state, to, datapointId),
  }
}

function decideHold(
  state: HoldsState,
  to: Change,
  place: Place,
  { by, claim, reason }: { by: Claimant; claim: Claim | undefined; reason: Reason },
): void {
  const { id } = place.datapoint
  const allowed = allowedAt(place)
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
  const given = applied ? setpointOf(applied, plain, allowed) : untouched ? null : plain
  const unsettled = released ? releasedEntry(state, to, place, { released, value: given, reason: why }) : []
  if (applied) {
    const holder: Holder = {
      claim: applied,
      valueBefore:
        state.overrides.valueBefore(applied) ??
        (released ? setpointOf(released.claim, plain, allowed) : valueBefore(before, place)),
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
    // Nothing was ever written, so there is nothing to restore. The release before it is still being watched.
    for (const one of unsettled) state.audit.add(to, one)
    keep(state, to, id, recent && { ...FREE, plain: recent.plain, restored: true, recent })
  }
}

function closeOverride(
  state: HoldsState,
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

function capturePlain(state: HoldsState, to: Change, place: Place, plain: Plain): void {
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

function dropHold(state: HoldsState, to: Change, datapointId: string): void {
  const { unsettled, holder } = state.holds.get(datapointId) ?? FREE
  for (const waiting of unsettled) state.audit.add(to, waiting)
  if (holder) state.overrides.close(to, holder.claim)
  keep(state, to, datapointId, undefined)
}
