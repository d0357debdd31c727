import type { ReportEntry } from '@plantroom/contract/reports'
import { shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { began, callers, changes, over, reasons } from '../../texts/reports.ts'

/** Returns why an entry was written. */
export function describeReason({ phase, reason, code, valueBefore, value }: ReportEntry): string {
  if (reason === 'replaced') return reasons.replaced
  if (phase === 'applied') return began[code]
  if (phase !== 'released') return reason === 'window' ? reasons.whileHeld : reasons.whileReleasing
  switch (reason) {
    case 'ended':
      return over[code]
    case 'cancelled':
      return valueBefore === null && value === null ? reasons.cancelledBefore : reasons.cancelled
    case 'superseded':
      // A superseded override is not released until its end: this one ended while a later one was active.
      return code === 4005 ? reasons.outranked : reasons.superseded
    default:
      return reasons[reason]
  }
}

/** Returns who cancelled the override or, where nobody did, who placed it, with the reason that they gave. */
export function describeCaller({ placedBy, cancelledBy }: ReportEntry): string | undefined {
  const by = cancelledBy ?? placedBy
  const name = by?.name ?? by?.id
  const reason = by?.reason
  if (!name) return cancelledBy && reason ? format(callers.cancelledBecause, { reason }) : undefined
  if (!reason) return format(cancelledBy ? callers.cancelledBy : callers.placedBy, { name })
  return format(cancelledBy ? callers.cancelledByBecause : callers.placedByBecause, { name, reason })
}

type Values = Pick<ReportEntry, 'phase' | 'reason' | 'valueBefore' | 'value' | 'readBack'>

/** Returns the change of the value. `valueBefore` is the value from before the hold, also in a release. */
export function describeChange({ phase, reason, valueBefore, value }: Values, unit?: string | undefined): string {
  const before = known(valueBefore, unit)
  const given = known(value, unit)
  if (phase === 'applied') return format(changes.applied, { before, value: given })
  if (phase !== 'released') return format(changes.wanted, { value: given, before })
  if (value === null) return changes.nothingWritten
  // The next writer may hold the same value as before: that is not a return.
  return given === before && reason !== 'superseded'
    ? format(changes.backTo, { value: given })
    : format(changes.givenOn, { value: given, before })
}

/** Returns the value read back, if it differs from the value written. */
export function describeReadBack({ value, readBack }: Values, unit?: string | undefined): string | undefined {
  if (readBack === null || shownValue(readBack) === shownValue(value)) return undefined
  return format(changes.readBack, { value: shownValue(readBack, unit) })
}

const known = (value: ReportEntry['value'], unit: string | undefined) =>
  value === null ? changes.notKnown : shownValue(value, unit)
