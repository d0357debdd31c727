import type { Hold, LiveDevice, PlacedOverride } from '@plantroom/contract/control-state'
import type { Failsafe } from '@plantroom/contract/datapoint'
import type { ReportedValue } from '@plantroom/contract/reports'
import type { Writer } from '@plantroom/contract/writers'
import { format } from '../texts/format.ts'
import { holds as texts, unanswered } from '../texts/holds.ts'
import { duration, plannedTime } from './time.ts'
import { shownValue } from './value.ts'

/** An override as the live stream has it: without ids and names for people who do not manage the site. */
export type NamedOverride = LiveDevice['overrides'][number]

/** The time zone of the site and the current time. */
export interface When {
  timeZone: string
  now: number
}

/** Who does not answer, so that a state is not live. */
export type Silent = 'controller' | 'service'

/** Returns the name of a writer, like `Demand response`. */
export const writerName = (by: Writer): string => texts.writer[by]

/** Reports whether the release of a hold waits for its controller. */
export const releaseWaits = (hold: Hold | undefined, device: Pick<LiveDevice, 'pendingReleases'> | undefined) =>
  device?.pendingReleases?.some(({ overrideId }) => overrideId === hold?.overrideId) ?? false

/** Finds the override that holds a datapoint; `undefined` when another writer does. */
export function activeOverride<Listed extends Pick<NamedOverride, 'id' | 'datapointId' | 'state'>>(
  hold: Hold,
  overrides: readonly Listed[],
): Listed | undefined {
  if (hold.by !== 'demand-response') return undefined
  const { overrideId, datapointId } = hold
  if (overrideId !== null) return overrides.find(({ id }) => id === overrideId)
  return overrides.find((each) => each.id === null && each.state === 'active' && each.datapointId === datapointId)
}

/** A key for a list of overrides of one datapoint, of which some have no id. */
export const overrideKey = ({ id, from, to, value, state }: NamedOverride) => id ?? `${state} ${from} ${to} ${value}`

/** Returns who holds a datapoint, like `Demand response, placed by Grid partner`; what happens to it where nobody does. */
export function describeHolder(hold: Hold, overrides: readonly NamedOverride[]): string {
  if (hold.by === 'plain') return stateName(hold)
  const name = activeOverride(hold, overrides)?.placedByName
  const writer = writerName(hold.by)
  return name ? format(texts.holder, { writer, name }) : writer
}

/** Returns `Placed by Grid partner`, or an empty text when that is unknown. */
export function describePlacedBy(override: NamedOverride | undefined): string {
  return override?.placedByName ? format(texts.placedBy, { name: override.placedByName }) : ''
}

/** A live controller ends a hold within seconds. */
const OVERDUE_MS = 30_000

/**
 * Returns the end of a hold, like `Until 18:00 EET (2 h 05 min left)`; empty while it is being released. Without a live
 * state nothing counts down, and an end that has passed is not confirmed.
 */
export function describeUntil(hold: Hold, { timeZone, now }: When, isLive = true): string {
  if (hold.by === 'plain') return ''
  if (hold.until !== null) {
    const time = plannedTime(hold.until, timeZone, now)
    const left = Date.parse(hold.until) - now
    if (!isLive) return left > 0 ? format(texts.untilTime, { time }) : format(texts.untilPassed, { time })
    if (left > 0) return format(texts.until, { time, left: duration(left) })
    return format(left > -OVERDUE_MS ? texts.untilAnyMoment : texts.untilOverdue, { time })
  }
  if (hold.by === 'peak-shaving') return texts.untilBelowLimit
  return hold.by === 'deviation' ? texts.untilScheduleEnds : texts.untilReleased
}

/** Returns what follows a hold, like `Then back to 21.5 °C`; empty while it is being released. */
export function describeNext({ by, next }: Pick<Hold, 'by' | 'next'>, unit?: string | undefined): string {
  if (by === 'plain') return ''
  const value = shownValue(next.value, unit)
  if (next.by === 'plain') return next.value === null ? texts.thenLeft : format(texts.thenBackTo, { value })
  return next.value === null ? texts.thenTakesOver[next.by] : format(texts.thenHeld[next.by], { value })
}

/**
 * Returns what the equipment is at, when that is not what it is held at: `Equipment reads 21 °C`. Empty when both are
 * the same or one is unknown.
 */
export function describeActual(hold: Pick<Hold, 'value'>, actual: ReportedValue | undefined, unit?: string): string {
  if (hold.value === null || actual === null || actual === undefined) return ''
  const value = shownValue(actual, unit)
  return value === shownValue(hold.value, unit) ? '' : format(texts.actual, { value })
}

/** Returns the name of what the controller does about a hold, like `Releasing`. */
export const stateName = ({ state }: Pick<Hold, 'state'>): string => texts.state[state]

/**
 * Returns what the equipment failed to do, with the reason if there is one; empty without trouble. Nobody knows whether
 * a controller that does not answer keeps retrying.
 */
export function describeTrouble(
  { trouble, troubleReason, state }: Pick<Hold, 'trouble' | 'troubleReason' | 'state'>,
  isLive = true,
): string {
  if (trouble === null) return ''
  const failed = troubleReason
    ? format(texts.troubleBecause[trouble], { reason: troubleReason })
    : texts.trouble[trouble]
  return isLive && trouble === 'write-failed' && state !== 'stuck' ? `${failed} ${texts.retrying}` : failed
}

/** A register that makes the equipment fall back when its controller dies. */
export type HoldFailsafe = Pick<Failsafe, 'kind' | 'seconds'>

/** Returns what is known about a hold whose controller does not answer: what happens without a link, and without power. */
export function describeUnanswered(
  hold: Hold,
  {
    actual,
    failsafe,
    unit,
  }: { actual?: ReportedValue; failsafe?: HoldFailsafe | undefined; unit?: string | undefined },
  { timeZone, now }: When,
): string {
  return `${withoutLink(hold, { timeZone, now })} ${withoutPower(hold, actual, failsafe, unit)}`
}

function withoutLink({ by, until }: Hold, { timeZone, now }: When): string {
  if (by === 'plain') return unanswered.releases
  if (until === null) return unanswered.goesOn
  if (Date.parse(until) > now) return unanswered.ends
  return format(unanswered.ended, { time: plannedTime(until, timeZone, now) })
}

function withoutPower(
  { by, value }: Hold,
  actual: ReportedValue | undefined,
  failsafe: HoldFailsafe | undefined,
  unit: string | undefined,
): string {
  if (failsafe?.kind === 'heartbeat') return unanswered.heartbeat
  if (failsafe) return format(unanswered.reversion, { time: duration(failsafe.seconds * 1000) })
  const last = actual ?? (by === 'plain' ? null : value)
  return last === null ? unanswered.stays : format(unanswered.staysAt, { value: shownValue(last, unit) })
}

/** Returns the period of an override as texts for a message. */
export function periodOf({ from, to }: Pick<PlacedOverride, 'from' | 'to'>, { timeZone, now }: When) {
  return { from: plannedTime(from, timeZone, now), to: plannedTime(to, timeZone, now) }
}

/** Returns the period of an override, like `From 17:00 EET to 18:00 EET`. */
export function describePeriod(override: Pick<PlacedOverride, 'from' | 'to'>, when: When): string {
  return format(texts.fromTo, periodOf(override, when))
}

/** Finds the queued override that starts first. */
export function nextQueued<Listed extends Pick<PlacedOverride, 'state' | 'from'>>(
  overrides: readonly Listed[],
): Listed | undefined {
  return overrides
    .filter(({ state }) => state === 'queued')
    .reduce<Listed | undefined>((first, each) => (first && first.from <= each.from ? first : each), undefined)
}
