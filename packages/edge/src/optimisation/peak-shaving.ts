import type { PeakShaving, PeakShavingLoad } from '@plantroom/contract/datapoint'
import type { MeterReading } from './meter.ts'

/** What the conductor remembers from cycle to cycle. Times are monotonic milliseconds. */
export interface ConductorState {
  /** The shed loads, in the order in which they were shed. */
  shed: readonly string[]
  /** When each load was last shed or recovered. */
  since: ReadonlyMap<string, number>
  /** When a load was last shed or recovered. */
  changedAt?: number
}

/** The input of one cycle. */
export interface Seen {
  settings: PeakShaving
  /** The limit in force; `null` when none is known. */
  limitKw: number | null
  meter: MeterReading | undefined
  /** The loads held by demand response. */
  held: ReadonlySet<string>
}

export interface Change {
  kind: 'shed' | 'recover'
  load: PeakShavingLoad
}

export type IdleReason = 'no limit is known' | 'the meter cannot be read' | 'the meter reading is too old'

const STALE_CYCLES = 3
/** Long enough for a meter that is polled once a minute. */
const STALE_AT_LEAST_MS = 90_000

export const NOTHING_SHED: ConductorState = { shed: [], since: new Map() }

/**
 * Returns the state for these loads. Known loads keep theirs and removed ones are forgotten. A new load counts as shed
 * where peak shaving already claims it; its minimum times count from now.
 */
export function takeOver(
  before: ConductorState,
  loads: readonly PeakShavingLoad[],
  isShed: (datapointId: string) => boolean,
  now: number,
): ConductorState {
  const since = new Map(loads.map(({ datapointId: id }) => [id, before.since.get(id) ?? now]))
  const kept = before.shed.filter((id) => since.has(id))
  // The order in which they were shed is lost. Their priority gives the likely one.
  const added = byPriority(loads).flatMap(({ datapointId: id }) => (!before.since.has(id) && isShed(id) ? [id] : []))
  return { ...before, shed: [...new Set([...kept, ...added])], since }
}

/** Returns the limit for the whole day or for the hour; `null` when none is known. */
export function limitInForce(limitKw: PeakShaving['limitKw'], hour: number | undefined): number | null {
  if (limitKw === null || typeof limitKw === 'number') return limitKw
  return hour === undefined ? null : (limitKw[hour] ?? null)
}

/**
 * Runs one cycle: sheds or recovers at most one load, and none while the limit or the meter is unknown (`idle` says
 * why). Pure: the caller states the claims of the new state.
 */
export function conduct(
  before: ConductorState,
  seen: Seen,
  now: number,
): { state: ConductorState; changes: readonly Change[]; idle?: IdleReason } {
  const state = { ...before, since: restartTimesOfHeldLoads(before.since, seen.held, now) }
  const idle = idleReason(seen)
  if (idle) return { state, changes: [], idle }
  const change = nextChange(state, seen, now)
  if (!change) return { state, changes: [] }
  const id = change.load.datapointId
  const shed = change.kind === 'shed' ? [...state.shed, id] : state.shed.filter((other) => other !== id)
  return { state: { shed, since: new Map(state.since).set(id, now), changedAt: now }, changes: [change] }
}

/** Returns what to claim for each load: its shed value, or nothing. */
export function wantsOf(
  loads: readonly PeakShavingLoad[],
  state: ConductorState,
): ReadonlyMap<string, { value: number } | undefined> {
  const shed = new Set(state.shed)
  return new Map(
    loads.map(({ datapointId, shedValue }) => [datapointId, shed.has(datapointId) ? { value: shedValue } : undefined]),
  )
}

// Demand response may switch a load at any time, so its minimum times restart until it is released.
function restartTimesOfHeldLoads(
  since: ReadonlyMap<string, number>,
  held: ReadonlySet<string>,
  now: number,
): ReadonlyMap<string, number> {
  if (held.size === 0) return since
  return new Map([...since].map(([id, at]) => [id, held.has(id) ? now : at]))
}

function idleReason({ settings, limitKw, meter }: Seen): IdleReason | undefined {
  if (limitKw === null || !Number.isFinite(limitKw)) return 'no limit is known'
  if (!meter || !Number.isFinite(meter.value)) return 'the meter cannot be read'
  const staleMs = Math.max(STALE_CYCLES * settings.cycleSeconds * 1000, STALE_AT_LEAST_MS)
  return meter.ageMs > staleMs ? 'the meter reading is too old' : undefined
}

function nextChange(state: ConductorState, seen: Seen, now: number): Change | undefined {
  const { settings, limitKw, meter } = seen
  if (limitKw === null || !meter) return undefined
  // A reading from before the last change does not show its effect. Acting on it would shed two loads for one excess.
  if (state.changedAt !== undefined && meter.ageMs >= now - state.changedAt) return undefined
  const lasted = ({ datapointId: id }: PeakShavingLoad, seconds: number) =>
    now - (state.since.get(id) ?? now) >= seconds * 1000
  if (meter.value > limitKw) {
    const shed = new Set(state.shed)
    const load = byPriority(settings.loads).find(
      (load) => !shed.has(load.datapointId) && !seen.held.has(load.datapointId) && lasted(load, load.minOnSeconds),
    )
    return load && { kind: 'shed', load }
  }
  if (meter.value < limitKw - settings.hysteresisKw) {
    // Only the last one: skipping a load that must stay off would reverse the order of priority.
    const last = state.shed.findLast((id) => !seen.held.has(id))
    const load = settings.loads.find(({ datapointId }) => datapointId === last)
    return load && lasted(load, load.minOffSeconds) ? { kind: 'recover', load } : undefined
  }
  return undefined
}

/** Sorts the loads to shed first to the front; equal priorities keep their order. */
function byPriority(loads: readonly PeakShavingLoad[]): PeakShavingLoad[] {
  return loads.toSorted((a, b) => a.priority - b.priority)
}
