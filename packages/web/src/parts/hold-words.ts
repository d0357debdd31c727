import type { Hold, PlacedOverride } from '@plantroom/contract/control-state'
import type { Writer } from '@plantroom/contract/writers'
import { holds as texts } from '../texts/holds.ts'
import { duration, plannedTime } from './time.ts'
import { shownValue } from './value.ts'

export type NamedOverride = PlacedOverride & { placedByName?: string | null }

/** By whose clocks, and when it is. */
export interface When {
  timeZone: string
  now: number
}

/** Such as `Demand response`. */
export const writerName = (by: Writer): string => texts.writer[by]

/** The window that a datapoint is held by; `undefined` where no window holds it. */
export function activeOverride<Held extends PlacedOverride>(hold: Hold, overrides: readonly Held[]): Held | undefined {
  return hold.overrideId === null ? undefined : overrides.find(({ id }) => id === hold.overrideId)
}

/** Such as `Demand response, placed by Grid partner`. */
export function holderSentence(hold: Hold, overrides: readonly NamedOverride[]): string {
  return [writerName(hold.by), placedBySentence(activeOverride(hold, overrides))].filter(Boolean).join(', ')
}

/** Such as `placed by Grid partner`; empty where that is not known. */
export function placedBySentence(window: NamedOverride | undefined): string {
  return window?.placedByName ? texts.placedBy(window.placedByName) : ''
}

/** Such as `until 18:00 EET (in 2 h 05 min)`; empty while it is being handed back. */
export function untilSentence(hold: Hold, { timeZone, now }: When): string {
  if (hold.by === 'plain') return ''
  if (hold.until !== null) {
    const time = plannedTime(hold.until, timeZone, now)
    const left = Date.parse(hold.until) - now
    return left > 0 ? texts.until(time, duration(left)) : texts.untilAnyMoment(time)
  }
  if (hold.by === 'peak-shaving') return texts.untilBelowLimit
  return hold.by === 'deviation' ? texts.untilScheduleEnds : texts.untilReleased
}

/** Such as `then back to 21.5`, `then peak shaving holds it at 5`; empty while it is being handed back. */
export function nextSentence({ by, next }: Pick<Hold, 'by' | 'next'>): string {
  if (by === 'plain') return ''
  if (next.by === 'plain') return next.value === null ? texts.thenLeft : texts.thenBackTo(shownValue(next.value))
  const subject = texts.subject[next.by]
  return next.value === null ? texts.thenHeldUnknown(subject) : texts.thenHeld(subject, shownValue(next.value))
}

/** What the equipment did not do, and why where that is known; empty without trouble. */
export function troubleSentence({ trouble, troubleReason }: Pick<Hold, 'trouble' | 'troubleReason'>): string {
  if (trouble === null) return ''
  return troubleReason ? `${texts.trouble[trouble]} (${troubleReason})` : texts.trouble[trouble]
}

/**
 * All of it at once, such as `Supply setpoint is held at 18 by demand response, placed by Grid partner, until 18:00 EET
 * (in 2 h 05 min), then back to 21.5.`
 */
export function holdSentence(
  hold: Hold,
  overrides: readonly NamedOverride[],
  { name = texts.it, ...when }: When & { name?: string | undefined },
): string {
  const trouble = troubleSentence(hold)
  const said = hold.by === 'plain' ? handedBack(hold) : held(hold, hold.by, overrides, when)
  return `${name} ${said}.${trouble && ` ${trouble}`}`
}

function held(hold: Hold, by: Exclude<Writer, 'plain'>, overrides: readonly NamedOverride[], when: When): string {
  const at = hold.value === null ? texts.held : texts.heldAt(shownValue(hold.value))
  const who = `${at} ${texts.by(texts.subject[by])}`
  const rest = [placedBySentence(activeOverride(hold, overrides)), untilSentence(hold, when), nextSentence(hold)]
  return [who, ...rest].filter(Boolean).join(', ')
}

function handedBack({ value }: Hold): string {
  return value === null ? texts.handedBackUnknown : texts.handedBack(shownValue(value))
}

/** When a window holds or will, such as `from 17:00 EET to 18:00 EET`. */
export function windowTimes({ from, to }: Pick<PlacedOverride, 'from' | 'to'>, { timeZone, now }: When): string {
  return texts.windowFrom(plannedTime(from, timeZone, now), plannedTime(to, timeZone, now))
}

/** The window whose time comes first of those that wait for it. */
export function nextQueued<Held extends PlacedOverride>(overrides: readonly Held[]): Held | undefined {
  return overrides
    .filter(({ state }) => state === 'queued')
    .reduce<Held | undefined>((first, each) => (first && first.from <= each.from ? first : each), undefined)
}
