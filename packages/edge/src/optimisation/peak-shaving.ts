import type { PeakShaving, PeakShavingLoad } from '@plantroom/contract/datapoint'
import type { LoadState, RegulatorState, Seen } from './regulator-state.ts'

/** A reading that is too high sheds a load at once: `cycleSeconds` is the patience that people have chosen. */
const PATIENCE = 1

/**
 * Returns the state for these loads. Known loads keep theirs and removed ones are forgotten. A new load counts as shed
 * where peak shaving already claims it; its minimum times count from now.
 */
export function takeOver(
  before: RegulatorState,
  loads: readonly PeakShavingLoad[],
  isShed: (datapointId: string) => boolean,
  now: number,
): RegulatorState {
  const states = loads.map(({ datapointId: id }): [string, LoadState] => {
    const taken = isShed(id) ? { atMostKw: 0, relapses: 0 } : { atMostKw: Number.POSITIVE_INFINITY, relapses: -1 }
    return [id, before.loads.get(id) ?? { ...taken, since: now }]
  })
  return { ...before, loads: new Map(states) }
}

/** Returns the limit for the whole day or for the hour; `null` when none is known. */
export function limitInForce(limitKw: PeakShaving['limitKw'], hour: number | undefined): number | null {
  const kw = typeof limitKw === 'object' ? (limitKw?.[hour ?? Number.NaN] ?? null) : limitKw
  return Number.isFinite(kw) ? kw : null
}

/** Describes a site to the regulator: the limit never ends, and what the loads draw is unknown, so they move one at a time. */
export function seenOf(
  { loads, hysteresisKw }: PeakShaving,
  about: { limitKw: number | null; meter: Seen['meter']; held: ReadonlySet<string> },
): Seen {
  const kw = about.limitKw ?? 0
  return {
    loads: loads.map(({ datapointId: id, priority, minOnSeconds, minOffSeconds }) => ({
      ...{ id, kind: 'switching', priority, minOnSeconds, minOffSeconds },
      ...{ wantedKw: Number.POSITIVE_INFINITY, isHeld: false },
      // Demand response may switch it at any time.
      isPassedOver: about.held.has(id),
    })),
    meter: about.limitKw === null ? undefined : about.meter,
    ceiling: { allowedKw: kw, peakKw: kw, laterKw: kw, leftSeconds: Number.POSITIVE_INFINITY },
    hysteresisKw,
    patience: PATIENCE,
  }
}

/** Returns what to claim for each load: its shed value, or nothing. */
export function wantsOf(
  loads: readonly PeakShavingLoad[],
  state: RegulatorState,
): ReadonlyMap<string, { value: number } | undefined> {
  return new Map(
    loads.map(({ datapointId, shedValue }) => [
      datapointId,
      state.loads.get(datapointId)?.atMostKw === 0 ? { value: shedValue } : undefined,
    ]),
  )
}
