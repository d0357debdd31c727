import type { Clock } from '@plantroom/base/clock'
import type { ReportCode, ReportEntry, ReportedValue, ReportPhase, ReportReason } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Raw } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { toExact } from '../connections/scaling.ts'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { HoldStore } from '../store/hold-store.ts'
import { type Claim, type Claimant, sameSetpoint } from './claims.ts'
import {
  type Control,
  type ControlDocument,
  decide,
  FREE,
  fromDocument,
  type Holder,
  type Trouble,
  toDocument,
} from './control.ts'

const CODE: Record<Claimant, ReportCode> = { 'demand-response': 4005, 'peak-shaving': 4000, deviation: 4001 }

/** Who holds which datapoint, in the journal and in the audit alike: every step is on disk with its entries. */
export interface Controls {
  get(datapointId: string): Control | undefined
  all(): Iterable<readonly [datapointId: string, Control]>
  /** A claimant's word. `reason` says why its claim goes. */
  decide(to: Change, place: Place, by: Claimant, claim: Claim | undefined, reason: ReportReason): void
  /** A claim that was never stated will not be. */
  calledOff(to: Change, place: Place, claim: Claim): void
  /** The equipment was asked what it was at before anybody wrote to it. */
  capture(to: Change, place: Place, raw: Raw | null): void
  /** What `seen` asks for has been done; `seen` is over when something else was decided meanwhile. */
  done(to: Change, place: Place, seen: Control, readBack: ReportedValue): void
  /** What `seen` asks for could not be done, or was not kept by the equipment. Told once, however often it happens. */
  failed(to: Change, place: Place, seen: Control, trouble: Trouble, readBack: ReportedValue): void
  /** Forgets a datapoint that is no longer commissioned: nobody can ask the equipment any more. */
  drop(to: Change, datapointId: string): void
}

export function createControls(deps: {
  commits: Commits
  holds: HoldStore<ControlDocument>
  audit: Audit
  clock: Clock
}): Controls {
  const { commits, holds, audit, clock } = deps
  const stored = holds.load()
  const waiting = audit.takeUp(stored.flatMap(({ document }) => document.unsettled))
  const controls = commits.stagedMap<string, Control>(
    stored.map(({ datapointId, document }) => [datapointId, fromDocument(document, (seq) => waiting.get(seq))]),
  )

  function keep(to: Change, datapointId: string, control: Control | undefined): void {
    controls.set(datapointId, control)
    if (control) holds.put(to, datapointId, toDocument(control))
    else holds.remove(to, datapointId)
  }

  function report(
    to: Change,
    place: Place,
    { claim, valueBefore }: Holder,
    said: { phase: ReportPhase; reason: ReportReason; value: ReportedValue; readBack?: ReportedValue },
    settled: boolean,
  ): ReportEntry {
    return audit.add(
      to,
      {
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
      },
      settled,
    )
  }

  /** Sends what waits for the equipment, as what is known by now. */
  function settle(to: Change, place: Place, control: Control, readBack: ReportedValue): void {
    const { holder, plain, unsettled } = control
    for (const entry of unsettled) {
      const applied = entry.phase === 'applied' && holder
      // What an offset comes to is not known before the equipment was asked: a guess would stay in the audit for ever.
      const unknown = applied && !plain && 'offset' in holder.claim.want && { value: null }
      const known = applied &&
        plain && {
          valueBefore: holder.valueBefore,
          value: wanted(holder.claim, plainValue(control, place)),
        }
      audit.settle(to, { ...entry, ...unknown, ...known, readBack })
    }
  }

  return {
    get: (datapointId) => controls.get(datapointId),
    all: () => controls.kept,

    decide(to, place, by, claim, reason) {
      const id = place.datapoint.id
      const before = controls.get(id) ?? FREE
      const { claims, change } = decide(before, by, claim)
      if (!change) {
        if (!sameSetpoint(claims[by], before.claims[by])) keep(to, id, { ...before, claims })
        return
      }

      // Whatever was still to be written for those before is overtaken: nobody will ask the equipment about it.
      settle(to, place, before, null)
      const { released, applied } = change
      const untouched = before.plain === undefined
      const plain = plainValue(before, place)
      const unsettled: ReportEntry[] = []
      const why = released?.claim.by === by ? reason : 'superseded'
      if (released) {
        const toWrite = applied !== undefined || !untouched
        const value = applied ? wanted(applied, plain) : untouched ? null : plain
        const entry = report(to, place, released, { phase: 'released', reason: why, value }, !toWrite)
        if (toWrite) unsettled.push(entry)
      }
      if (applied) {
        const holder = { claim: applied, valueBefore: released ? wanted(released.claim, plain) : plain }
        const value = wanted(applied, plain)
        unsettled.push(report(to, place, holder, { phase: 'applied', reason: 'window', value }, false))
        keep(to, id, { ...FREE, claims, holder, plain: before.plain, unsettled })
      } else if (released && !untouched) {
        keep(to, id, { ...FREE, plain: before.plain, unsettled, handingBack: { holder: released, reason: why } })
      } else keep(to, id, undefined)
    },

    calledOff(to, place, claim) {
      const never = { claim, valueBefore: null }
      report(to, place, never, { phase: 'released', reason: 'cancelled', value: null }, true)
    },

    capture(to, place, raw) {
      const id = place.datapoint.id
      const before = controls.get(id)
      if (!before?.holder || before.plain) return
      const captured = { ...before, plain: { raw } }
      // The live value that was noted when the claim came may have been an old one. A holder that took over from
      // another, before anything was written, keeps what that one wanted as its value before.
      const tookOver = before.unsettled.some(({ phase }) => phase === 'released')
      const known = tookOver ? null : plainValue(captured, place)
      const valueBefore = known ?? before.holder.valueBefore
      keep(to, id, { ...captured, holder: { claim: before.holder.claim, valueBefore } })
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
      if (!told) report(to, place, holder, { phase: trouble, reason, value, readBack }, true)
      keep(to, id, { ...before, unsettled: [], told: told ? before.told : [...before.told, trouble] })
    },

    drop(to, datapointId) {
      // Left waiting, they would keep back whatever is reported after them.
      for (const entry of controls.get(datapointId)?.unsettled ?? []) audit.settle(to, entry)
      keep(to, datapointId, undefined)
    },
  }
}

/** The plain value in engineering units; as long as the equipment was not asked, the live value is the best guess. */
export function plainValue(control: Control, { connection, datapoint }: Place): ReportedValue {
  if (!control.plain) return connection.current(datapoint.id).value
  return control.plain.raw === null ? null : toExact(control.plain.raw, datapoint.scaler)
}

/** What a claim comes to, in engineering units; `null` for an offset to something that is not known. */
export function wanted({ want }: Claim, plain: ReportedValue): number | null {
  if ('value' in want) return want.value
  return plain === null ? null : Number(plain) + want.offset
}
