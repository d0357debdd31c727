import type { Clock } from '@plantroom/base/clock'
import type { ReportCode, ReportedValue, ReportPhase, ReportReason } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Place } from '../connections/connections.ts'
import { toExact } from '../connections/scaling.ts'
import type { Audit, PendingEntry } from '../reports/audit.ts'
import type { AppliedStore } from '../store/applied-store.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { HoldStore } from '../store/hold-store.ts'
import { type Claim, type Claimant, sameClaim } from './claims.ts'
import {
  type Control,
  type ControlDocument,
  decide,
  FREE,
  fromDocument,
  type Holder,
  type Plain,
  type Reason,
  type Trouble,
  toDocument,
} from './control.ts'

const CODE: Record<Claimant, ReportCode> = { 'demand-response': 4005, 'peak-shaving': 4000, deviation: 4001 }

/**
 * Which writer holds which datapoint, in the journal and in the audit alike: every step is on disk with its entries.
 *
 * An override has one `applied` entry when it first holds the datapoint and one `released` entry when it is over,
 * however often a later override outranks it in between. Peak shaving and schedules have both for each time they hold.
 */
export interface Controls {
  get(datapointId: string): Control | undefined
  all(): Iterable<readonly [datapointId: string, Control]>
  /** States or withdraws a claim. `reason` says why the writer's earlier claim goes. */
  decide(to: Change, place: Place, by: Claimant, claim: Claim | undefined, reason: Reason): void
  /** Closes the story of an override that is over while it does not hold the datapoint. */
  closed(to: Change, place: Place, claim: Claim, reason: ReportReason): void
  /** Remembers what the equipment held before any writer wrote to it. */
  capture(to: Change, place: Place, plain: Plain): void
  /** Records that the equipment does what `seen` asks for, unless something else was decided meanwhile. */
  done(to: Change, place: Place, seen: Control, readBack: ReportedValue): void
  /** Records that the equipment does not do what `seen` asks for. Reported once, however often it happens. */
  failed(to: Change, place: Place, seen: Control, trouble: Trouble, readBack: ReportedValue): void
  /** Forgets a datapoint that is no longer commissioned. */
  drop(to: Change, datapointId: string): void
}

export function createControls(deps: {
  commits: Commits
  holds: HoldStore<ControlDocument>
  applied: AppliedStore
  audit: Audit
  clock: Clock
}): Controls {
  const { commits, holds, audit, clock } = deps
  const controls = commits.stagedMap<string, Control>(
    holds.load().map(({ datapointId, document }) => [datapointId, fromDocument(document)]),
  )
  const stories = createStories(deps)

  function keep(to: Change, datapointId: string, control: Control | undefined): void {
    controls.set(datapointId, control)
    if (control) holds.put(to, datapointId, toDocument(control))
    else holds.remove(to, datapointId)
  }

  function entry(
    place: Place,
    { claim, valueBefore }: Holder,
    said: { phase: ReportPhase; reason: ReportReason; value: ReportedValue; readBack?: ReportedValue },
  ): PendingEntry {
    return audit.entry({
      code: CODE[claim.by],
      at: formatTimestamp(clock.now()),
      technicalSystemId: place.systemId,
      connectionId: place.connection.config.id,
      datapointId: place.datapoint.id,
      overrideId: claim.overrideId ?? null,
      reqId: claim.reqId ?? null,
      phase: said.phase,
      reason: said.reason,
      valueBefore,
      value: said.value,
      readBack: said.readBack ?? null,
    })
  }

  /** Sends what waits for the equipment, with what is known by now. */
  function settle(to: Change, place: Place, control: Control, readBack: ReportedValue): void {
    const { holder, plain, unsettled } = control
    for (const waiting of unsettled) {
      const applied = waiting.phase === 'applied' && holder
      // An offset to a plain value that was not read yet is not known: a guess would stay in the audit.
      const unknown = applied && !plain && 'offset' in holder.claim.want && { value: null }
      const known = applied &&
        plain && {
          valueBefore: holder.valueBefore,
          value: wanted(holder.claim, plainValue(control, place)),
        }
      if (known) stories.correct(to, holder)
      // An override that did not hold the datapoint gave it nothing to read back.
      const read = waiting.phase === 'released' && waiting.value === null ? null : readBack
      audit.add(to, { ...waiting, ...unknown, ...known, readBack: read })
    }
  }

  /** The entry of the holder that lets go; none while its override goes on without holding. */
  function releasedEntry(
    to: Change,
    place: Place,
    { released, value, reason }: { released: Holder; value: ReportedValue; reason: Reason },
  ): PendingEntry[] {
    const outranked = released.claim.overrideId !== undefined && reason === 'superseded'
    if (outranked || reason === 'suspended') return []
    stories.close(to, released.claim)
    return [entry(place, released, { phase: 'released', reason, value })]
  }

  /** The entry of the next holder; none for an override that held the datapoint before. */
  function appliedEntry(to: Change, place: Place, holder: Holder, value: ReportedValue): PendingEntry[] {
    if (!stories.open(to, holder)) return []
    return [entry(place, holder, { phase: 'applied', reason: 'window', value })]
  }

  return {
    get: (datapointId) => controls.get(datapointId),
    all: () => controls.kept,

    decide(to, place, by, claim, reason) {
      const id = place.datapoint.id
      const before = controls.get(id) ?? FREE
      const { claims, change } = decide(before, by, claim)
      if (!change) {
        if (!sameClaim(claims[by], before.claims[by])) keep(to, id, { ...before, claims })
        return
      }

      // Whatever was still to be written is overtaken: the equipment will not be asked about it any more.
      settle(to, place, before, null)
      const { released, applied } = change
      const untouched = before.plain === undefined
      const plain = plainValue(before, place)
      const why = released?.claim.by === by ? reason : 'superseded'
      const given = applied ? wanted(applied, plain) : untouched ? null : plain
      const unsettled = released ? releasedEntry(to, place, { released, value: given, reason: why }) : []
      if (applied) {
        const valueBefore = stories.valueBefore(applied) ?? (released ? wanted(released.claim, plain) : plain)
        const holder: Holder = { claim: applied, valueBefore, ...(released && { tookOver: true }) }
        unsettled.push(...appliedEntry(to, place, holder, given))
        keep(to, id, { ...FREE, claims, holder, plain: before.plain, unsettled })
      } else if (released && !untouched) {
        const handingBack = { holder: released, reason: why === 'suspended' ? ('restart' as const) : why }
        keep(to, id, { ...FREE, plain: before.plain, unsettled, handingBack })
      } else {
        // Nothing was ever written, so there is nothing to restore.
        for (const one of unsettled) audit.add(to, one)
        keep(to, id, undefined)
      }
    },

    closed(to, place, claim, reason) {
      const valueBefore = stories.valueBefore(claim) ?? null
      stories.close(to, claim)
      const closing = entry(place, { claim, valueBefore }, { phase: 'released', reason, value: null })
      const before = controls.get(place.datapoint.id)
      // Behind what waits for the equipment: the entries of one datapoint stay in order.
      if (!before || before.unsettled.length === 0) audit.add(to, closing)
      else keep(to, place.datapoint.id, { ...before, unsettled: [...before.unsettled, closing] })
    },

    capture(to, place, plain) {
      const id = place.datapoint.id
      const before = controls.get(id)
      if (!before?.holder || before.plain) return
      const captured = { ...before, plain }
      // The live value that was noted when the claim came may have been stale.
      const known = before.holder.tookOver ? null : plainValue(captured, place)
      const valueBefore = known ?? before.holder.valueBefore
      keep(to, id, { ...captured, holder: { ...before.holder, valueBefore } })
    },

    done(to, place, seen, readBack) {
      const id = place.datapoint.id
      const before = controls.get(id)
      if (!before || before.holder !== seen.holder) return
      settle(to, place, before, readBack)
      if (!before.holder) keep(to, id, undefined)
      else if (before.unsettled.length > 0) keep(to, id, { ...before, unsettled: [] })
    },

    failed(to, place, seen, trouble, readBack) {
      const id = place.datapoint.id
      const before = controls.get(id)
      const holder = before?.holder ?? before?.handingBack?.holder
      if (!before || !holder || before.holder !== seen.holder) return
      const told = before.told.includes(trouble)
      if (told && before.unsettled.length === 0) return
      settle(to, place, before, readBack)
      const plain = plainValue(before, place)
      const value = before.holder ? wanted(holder.claim, plain) : plain
      const reason = before.handingBack?.reason ?? 'window'
      if (!told) audit.add(to, entry(place, holder, { phase: trouble, reason, value, readBack }))
      keep(to, id, { ...before, unsettled: [], told: told ? before.told : [...before.told, trouble] })
    },

    drop(to, datapointId) {
      const { unsettled, holder } = controls.get(datapointId) ?? FREE
      for (const waiting of unsettled) audit.add(to, waiting)
      if (holder) stories.close(to, holder.claim)
      keep(to, datapointId, undefined)
    },
  }
}

/** Which overrides have an `applied` entry and no `released` one yet. Writers without an id have no story. */
function createStories({ commits, applied }: { commits: Commits; applied: AppliedStore }) {
  const open = commits.stagedMap<string, { valueBefore: ReportedValue }>(
    applied.load().map(([overrideId, valueBefore]) => [overrideId, { valueBefore }]),
  )

  function put(to: Change, overrideId: string, valueBefore: ReportedValue): void {
    open.set(overrideId, { valueBefore })
    applied.put(to, overrideId, valueBefore)
  }

  return {
    /** Returns false when the override's story is open already. */
    open(to: Change, { claim: { overrideId }, valueBefore }: Holder): boolean {
      if (overrideId === undefined) return true
      if (open.get(overrideId)) return false
      put(to, overrideId, valueBefore)
      return true
    },
    /** The value before is known better by now. */
    correct(to: Change, { claim: { overrideId }, valueBefore }: Holder): void {
      if (overrideId === undefined || open.get(overrideId)?.valueBefore === valueBefore) return
      put(to, overrideId, valueBefore)
    },
    valueBefore: ({ overrideId }: Claim) => (overrideId === undefined ? undefined : open.get(overrideId)?.valueBefore),
    close(to: Change, { overrideId }: Claim): void {
      if (overrideId === undefined || !open.get(overrideId)) return
      open.set(overrideId, undefined)
      applied.remove(to, overrideId)
    },
  }
}

/** The plain value in engineering units; until the equipment was read, the live value is the best guess. */
export function plainValue(control: Control, { connection, datapoint }: Place): ReportedValue {
  if (!control.plain) return connection.current(datapoint.id).value
  return control.plain.raw === null ? null : toExact(control.plain.raw, datapoint.scaler)
}

/** What a claim comes to, in engineering units; `null` for an offset to a value that is not known. */
export function wanted({ want }: Claim, plain: ReportedValue): number | null {
  if ('value' in want) return want.value
  return plain === null ? null : Number(plain) + want.offset
}
