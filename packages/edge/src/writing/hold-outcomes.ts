import type { CloseOutcome } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { EntryCaller, ReportedValue, SourceInCharge } from '@plantroom/contract/reports'
import { shown } from '@plantroom/contract/shown'
import { WRITERS } from '@plantroom/contract/writers'
import type { Raw } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import type { PendingEntry } from '../reports/audit.ts'
import type { Change } from '../store/commits.ts'
import { allowedAt, plainValue, rawOf, readingValue } from './equipment.ts'
import {
  type Claimant,
  type End,
  FREE,
  type Hold,
  type Plain,
  type SentRelease,
  setpointOf,
  type Trouble,
  withSetpoint,
  writerOf,
} from './hold.ts'
import { entryOf, settle } from './hold-entries.ts'
import { type HoldsState, keep } from './hold-state.ts'

export interface Released {
  readBack: ReportedValue
  /** The equipment shows neither the setpoint nor the value to restore. */
  differs: boolean
  /** The setpoints that must not come back; none where nothing can be read. */
  setpoints: readonly Raw[]
  /** What it follows, now that our value is withdrawn. */
  inCharge?: SourceInCharge | undefined
}

export interface Failed {
  trouble: Trouble
  readBack: ReportedValue
  /** What the equipment shows instead of the setpoint. */
  shows?: Raw | undefined
  /** What it follows instead. */
  inCharge?: SourceInCharge | undefined
}

export interface ClosedByHand {
  outcome: CloseOutcome
  by: EntryCaller
}

export function recordDone(
  state: HoldsState,
  to: Change,
  place: Place,
  { seen, readBack }: { seen: Hold; readBack: ReportedValue },
): void {
  const { id } = place.datapoint
  const before = state.holds.get(id)
  const holder = before?.holder
  if (!before || !holder || holder !== seen.holder) return
  settle(state, to, place, { hold: before, readBack })
  const plain = plainValue(before, place)
  const value = setpointOf(holder.claim, plain, allowedAt(place))
  const isBounded = value !== setpointOf(holder.claim, plain, { limits: place.datapoint.limits })
  const stays = isBounded && before.isBounded
  if (before.given !== undefined && before.given !== value && !stays) {
    state.audit.add(to, entryOf(state, place, holder, { phase: 'limited', reason: 'window', value, readBack }))
  }
  const { shows: _, ...confirmed } = before
  const isKnown = before.reached && before.given === value && before.shows === undefined
  if (before.unsettled.length === 0 && isKnown) return
  const { isBounded: _was, ...rest } = confirmed
  const setpoints = withSetpoint(before.setpoints, rawOf(place, value))
  const bounded = isBounded && { isBounded: true as const }
  keep(state, to, id, { ...rest, unsettled: [], reached: true, given: value, setpoints, ...bounded })
}

export function recordRelease(
  state: HoldsState,
  to: Change,
  place: Place,
  { seen, readBack, differs, setpoints, inCharge }: { seen: Hold } & Released,
): void {
  const { id } = place.datapoint
  const before = state.holds.get(id)
  if (!before || before.holder || before.restored || before.releasing !== seen.releasing) return
  const how: Partial<PendingEntry> = { ...(differs && { reason: 'differs' }), ...(inCharge && { inCharge }) }
  settle(state, to, place, { hold: before, readBack, how })
  const { plain, releasing, reported } = before
  const isWatched = setpoints.length > 0 && plain !== undefined
  const watched: Hold = { ...FREE, plain, releasing, reported, restored: true }
  keep(state, to, id, isWatched ? { ...watched, recent: { setpoints, plain } } : undefined)
}

export function recordReturn(
  state: HoldsState,
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

export function recordSent(
  state: HoldsState,
  to: Change,
  place: Place,
  { seen, sent }: { seen: Hold; sent: SentRelease },
): void {
  const { id } = place.datapoint
  const before = state.holds.get(id)
  if (!before?.releasing || before.restored || before.releasing !== seen.releasing) return
  keep(state, to, id, { ...before, sent })
}

export function recordFailure(
  state: HoldsState,
  to: Change,
  place: Place,
  { seen, trouble, readBack, shows, inCharge }: { seen: Hold } & Failed,
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
  const value = before.holder ? setpointOf(holder.claim, plain, allowedAt(place)) : plain
  const { reason, cancelledBy }: End = before.releasing ?? { reason: 'window' }
  const happened = { phase: trouble, reason, value, readBack, ...(cancelledBy && { cancelledBy }) }
  if (!isReported) state.audit.add(to, { ...entryOf(state, place, holder, happened), ...(inCharge && { inCharge }) })
  const reported = isReported ? before.reported : [...before.reported, trouble]
  keep(state, to, id, { ...before, unsettled: waits, reported, ...(shows !== undefined && { shows }) })
}

/** What ends a claim. */
const HOW_TO_END: Record<Claimant, string> = {
  'power-limit': 'release the power limit',
  'demand-response': 'cancel its overrides',
  'peak-shaving': 'remove the datapoint from peak shaving in the commissioning file',
  deviation: 'remove the slot from its schedule',
}

export function closeByHand(
  state: HoldsState,
  to: Change,
  datapointId: string,
  { place, outcome, by }: { place: Place | undefined } & ClosedByHand,
): ReportedValue {
  const hold = state.holds.get(datapointId)
  const name = place?.datapoint.name ?? shown(datapointId)
  if (!hold || hold.restored)
    throw new Failure('rejected', `datapoint ${name} is not held, so there is nothing to close`)
  if (hold.holder) {
    const { claim } = hold.holder
    throw new Failure(
      'rejected',
      `datapoint ${name} is held by ${WRITERS[writerOf(claim)].label}; ${HOW_TO_END[claim.by]} first, then close the hold`,
    )
  }
  const readBack = place ? readingValue(place.connection.lastReading(datapointId), place.datapoint) : null
  const how = { reason: outcome, cancelledBy: by }
  if (place) settle(state, to, place, { hold, readBack, how })
  else for (const waiting of hold.unsettled) state.audit.add(to, { ...waiting, ...how })
  keep(state, to, datapointId, undefined)
  return readBack
}
