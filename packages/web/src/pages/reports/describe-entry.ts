import type { ReportEntry } from '@plantroom/contract/reports'
import { shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { began, callers, changes, over, reasons, sources } from '../../texts/reports.ts'

/** Returns why an entry was written. */
export function describeReason({ phase, reason, code, valueBefore, value }: ReportEntry): string {
  if (reason === 'replaced') return reasons.replaced
  if (phase === 'applied') return began[code]
  if (phase === 'limited') return reasons.limited
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

/** Reports whether a person closed the hold instead of the controller releasing it. */
const isClosedByHand = ({ phase, reason }: Pick<ReportEntry, 'phase' | 'reason'>) =>
  phase === 'released' && (reason === 'restored-by-hand' || reason === 'abandoned')

/**
 * Returns who closed the hold, who cancelled the override or, where nobody did, who placed it, with the reason that they
 * gave.
 */
export function describeCaller(entry: ReportEntry): string | undefined {
  const { placedBy, cancelledBy } = entry
  const texts = callers[!cancelledBy ? 'placed' : isClosedByHand(entry) ? 'closed' : 'cancelled']
  const by = cancelledBy ?? placedBy
  const name = by?.name || by?.id
  const reason = by?.reason
  // A key learns why its override ended, and not who ended it.
  if (!name) return reason ? format(texts.because, { reason }) : undefined
  return reason ? format(texts.byBecause, { name, reason }) : format(texts.by, { name })
}

type Values = Pick<ReportEntry, 'phase' | 'reason' | 'valueBefore' | 'value' | 'readBack'>

/** Returns the change of the value. `valueBefore` is the value from before the hold, also in a release. */
export function describeChange({ phase, reason, valueBefore, value }: Values, unit?: string | undefined): string {
  const before = known(valueBefore, unit)
  const given = known(value, unit)
  if (phase === 'applied') return format(changes.applied, { before, value: given })
  if (phase === 'limited') return format(changes.givenOn, { value: given, before })
  if (phase !== 'released') return format(changes.wanted, { value: given, before })
  if (isClosedByHand({ phase, reason })) return changes[reason === 'abandoned' ? 'abandoned' : 'byHand']
  if (value === null) return changes.nothingWritten
  if (reason === 'differs') return format(changes.wrote, { value: given })
  // The next writer may hold the same value as before: that is not a return.
  return given === before && reason !== 'superseded'
    ? format(changes.backTo, { value: given })
    : format(changes.givenOn, { value: given, before })
}

/** Returns the value read back, if it differs from the value written; what was read last, if a person closed the hold. */
export function describeReadBack(entry: Values, unit?: string | undefined): string | undefined {
  const { value, readBack } = entry
  if (readBack === null) return undefined
  if (isClosedByHand(entry)) return format(changes.lastRead, { value: shownValue(readBack, unit) })
  if (shownValue(readBack) === shownValue(value)) return undefined
  return format(changes.readBack, { value: shownValue(readBack, unit) })
}

/** Returns what the equipment follows instead of the controller. */
export function describeInCharge({ inCharge }: Pick<ReportEntry, 'inCharge'>, unit?: string): string | undefined {
  if (!inCharge) return undefined
  const { priority, outranks } = inCharge
  const texts = outranks ? sources.outranks : sources.follows
  if (inCharge.value === null) return format(texts.alone, { priority })
  return format(texts.withValue, { priority, value: shownValue(inCharge.value, unit) })
}

const known = (value: ReportEntry['value'], unit: string | undefined) =>
  value === null ? changes.notKnown : shownValue(value, unit)
