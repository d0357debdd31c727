import type { ReportEntry } from '@plantroom/contract/reports'
import { shownValue } from '../../parts/value.ts'
import { began, changes, over, reasons } from '../../texts/reports.ts'

/** Why it happened. */
export function reasonText({ phase, reason, code, valueBefore, value }: ReportEntry): string {
  if (phase === 'applied') return began[code]
  if (phase !== 'released') return reason === 'window' ? reasons.whileHeld : reasons.whileHandedBack
  switch (reason) {
    case 'ended':
      return over[code]
    case 'cancelled':
      return valueBefore === null && value === null ? reasons.cancelledBefore : reasons.cancelled
    case 'superseded':
      // An override that was only outranked for a while is not over: this one ended while a later one held the datapoint.
      return code === 4005 ? reasons.outranked : reasons.superseded
    default:
      return reasons[reason]
  }
}

type Values = Pick<ReportEntry, 'phase' | 'reason' | 'valueBefore' | 'value' | 'readBack'>

/** What became of the value. `valueBefore` is what was there before the writer took over, also where it lets go. */
export function changeText({ phase, reason, valueBefore, value }: Values): string {
  const before = known(valueBefore)
  const given = known(value)
  if (phase === 'applied') return changes.applied(before, given)
  if (phase !== 'released') return changes.wanted(given, before)
  if (value === null) return changes.nothingWritten
  // Whoever took over may want just what was there before: that is not back.
  return given === before && reason !== 'superseded' ? changes.backTo(given) : changes.givenOn(given, before)
}

/** What the equipment said, where that is not what it was given. */
export function readBackText({ value, readBack }: Values): string | undefined {
  if (readBack === null || shownValue(readBack) === shownValue(value)) return undefined
  return changes.readBack(shownValue(readBack))
}

const known = (value: ReportEntry['value']) => (value === null ? changes.notKnown : shownValue(value))
