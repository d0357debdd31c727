import {
  type DispatchCounts,
  type DispatchOutcome,
  type FleetDispatch,
  OUTCOMES,
  type Outcome,
} from '@plantroom/contract/fleet'
import { duration } from '../../parts/time.ts'
import { joinFacts, shownValue } from '../../parts/value.ts'
import { dispatches as texts } from '../../texts/dispatches.ts'
import { format } from '../../texts/format.ts'

/** Good news first. */
const IN_ORDER: readonly Outcome[] = ['accepted', 'pending', 'expired', 'offline', 'refused', 'cancelled']

/** What a dispatch asks of the datapoints together or of each of them. */
export function describeSetpoint({ value, totalKw }: Pick<FleetDispatch, 'value' | 'totalKw'>): string {
  return totalKw === null
    ? format(texts.value, { value: shownValue(value) })
    : format(texts.total, { value: shownValue(totalKw) })
}

/** The setpoint of one datapoint, with its unit where it has one. */
export function describeTarget({ value, unit }: Pick<DispatchOutcome, 'value' | 'unit'>): string {
  return unit === null ? shownValue(value) : format(texts.amount, { value: shownValue(value), unit })
}

/** How many datapoints have each outcome, without those that none has: `12 accepted · 1 refused`. */
export function describeCounts(counts: DispatchCounts): string {
  return joinFacts(
    IN_ORDER.map(
      (outcome) =>
        counts[outcome] > 0 &&
        format(texts.count, { count: counts[outcome], outcome: texts.outcomes[outcome].toLocaleLowerCase() }),
    ),
  )
}

export const COLORS: Readonly<Record<Outcome, string>> = {
  accepted: 'green',
  pending: 'blue',
  refused: 'red',
  offline: 'yellow',
  expired: 'orange',
  cancelled: 'gray',
}

/** The shares of the outcomes, for a bar. */
export function sharesOf(counts: DispatchCounts): { outcome: Outcome; percent: number }[] {
  const total = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
  return IN_ORDER.filter((outcome) => counts[outcome] > 0).map((outcome) => ({
    outcome,
    percent: (counts[outcome] / total) * 100,
  }))
}

/** Reports whether cancelling would still do something: before the end of its window. */
export const canCancel = ({ state, to }: Pick<FleetDispatch, 'state' | 'to'>, now: number): boolean =>
  state !== 'cancelled' && Date.parse(to) > now

/** Reports whether its numbers may still change. */
export const isMoving = ({ state, releasing }: Pick<FleetDispatch, 'state' | 'releasing'>): boolean =>
  state === 'running' || releasing > 0

export const describeStagger = (seconds: number): string => duration(seconds * 1000)
