import type { ReportedValue, ReportPhase } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { WRITERS } from '@plantroom/contract/writers'
import type { Place } from '../connections/connections.ts'
import type { Audit, PendingEntry } from '../reports/audit.ts'
import type { Change } from '../store/commits.ts'
import type { AppliedOverrides } from './applied-overrides.ts'
import { allowedAt, plainValue } from './equipment.ts'
import { type End, endOf, type Hold, type Holder, type Reason, setpointOf, writerOf } from './hold.ts'

/** What the entries of a hold are made with. */
interface EntryDeps {
  audit: Audit
  overrides: AppliedOverrides
  /** The wall time by which overrides are judged, and entries dated. */
  wallTime: () => number
}

/** Sends the entries that wait for the equipment, with what is known by now. `how` corrects the entry of a release. */
export function settle(
  { audit, overrides, wallTime }: EntryDeps,
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
        value: setpointOf(holder.claim, plainValue(hold, place), allowedAt(place)),
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
export function releasedEntry(
  state: EntryDeps,
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
export function appliedEntry(
  state: EntryDeps,
  to: Change,
  place: Place,
  { holder, value }: { holder: Holder; value: ReportedValue },
): PendingEntry[] {
  if (!state.overrides.open(to, holder)) return []
  return [entryOf(state, place, holder, { phase: 'applied', reason: 'window', value })]
}

/** Makes an entry about a holder, dated now. */
export function entryOf(
  { audit, wallTime }: Pick<EntryDeps, 'audit' | 'wallTime'>,
  place: Place,
  { claim, valueBefore }: Holder,
  happened: End & { phase: ReportPhase; value: ReportedValue; readBack?: ReportedValue },
): PendingEntry {
  return audit.entry({
    code: WRITERS[writerOf(claim)].auditCode,
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
