import type { Hold } from '@plantroom/contract/control-state'
import type { DatapointValue } from '@plantroom/contract/values'
import { closeHold as texts } from '../../texts/close-hold.ts'
import { format } from '../../texts/format.ts'
import { duration, shortTime } from '../time.ts'
import { shownValue } from '../value.ts'

/** The datapoint whose hold a person closes, with what the controller said of it last. */
export interface CloseTarget {
  name: string
  unit?: string | undefined
  isWriteOnly: boolean
  /** `undefined` when the hold is over. */
  hold: Hold | undefined
  actual: DatapointValue | undefined
}

/** Reports whether a person has to help: no writer holds the datapoint, and the controller could not restore it. */
export const canClose = ({ state, trouble }: Pick<Hold, 'state' | 'trouble'>): boolean =>
  state === 'stuck' || (state === 'releasing' && trouble !== null)

/** Returns what the controller could not do. */
export function describeNotRestored({ name, unit, hold }: Pick<CloseTarget, 'name' | 'unit' | 'hold'>): string {
  const value = hold?.value ?? null
  return value === null
    ? format(texts.notKnown, { name })
    : format(texts.notRestored, { name, value: shownValue(value, unit) })
}

/** Returns what was read last and when. `controllerNow` is in the time of the controller, which dates its readings. */
export function describeLastRead(
  { unit, isWriteOnly, actual }: Pick<CloseTarget, 'unit' | 'isWriteOnly' | 'actual'>,
  { timeZone, now, controllerNow }: { timeZone: string; now: number; controllerNow: number },
): string {
  if (isWriteOnly) return texts.writeOnly
  const ageMs = controllerNow - Date.parse(actual?.timestamp ?? '')
  if (!actual || actual.value === null || Number.isNaN(ageMs)) return texts.neverRead
  const age = Math.max(0, ageMs)
  const time = shortTime(now - age, timeZone, now)
  return format(texts.lastRead, { value: shownValue(actual.value, unit), age: duration(age), time })
}
