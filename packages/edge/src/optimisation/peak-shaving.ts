import type { PeakShaving, PeakShavingLoad } from '@plantroom/contract/datapoint'
import type { MeterReading } from './claim-sink.ts'

/** What the conductor remembers from cycle to cycle. Times are monotonic milliseconds. */
export interface ConductorState {
  /** The loads that are shed, the one that was shed last at the end. */
  shed: readonly string[]
  /** Of every load: since when it is as it is. */
  since: ReadonlyMap<string, number>
  /** When a load was last shed or recovered. */
  changedAt?: number
}

/** What the conductor goes by in one cycle. */
export interface Seen {
  settings: PeakShaving
  /** The limit in force; `null` when none is known. */
  limitKw: number | null
  meter: MeterReading | undefined
  /** The loads that demand response holds. */
  held: ReadonlySet<string>
}

export interface Change {
  kind: 'shed' | 'recover'
  load: PeakShavingLoad
}

export type IdleReason = 'no limit is known' | 'the meter cannot be read' | 'the reading of the meter is too old'

const STALE_CYCLES = 3
/** A meter that is polled once a minute is not stale between two polls. */
const STALE_AT_LEAST_MS = 90_000

export const NOTHING_SHED: ConductorState = { shed: [], since: new Map() }

/**
 * The state for these loads: those that were there before keep theirs, those that are gone are forgotten. A new one
 * is shed where its claim stands so already; its minimum times count from now.
 */
export function takeOver(
  before: ConductorState,
  loads: readonly PeakShavingLoad[],
  standsShed: (datapointId: string) => boolean,
  now: number,
): ConductorState {
  const since = new Map(loads.map(({ datapointId: id }) => [id, before.since.get(id) ?? now]))
  const kept = before.shed.filter((id) => since.has(id))
  // In which order they were shed is forgotten: by their priority is how it would have been.
  const added = byPriority(loads).flatMap(({ datapointId: id }) =>
    !before.since.has(id) && standsShed(id) ? [id] : [],
  )
  return { ...before, shed: [...new Set([...kept, ...added])], since }
}

/** One limit for all day, or that of the hour; `null` when none is known. */
export function limitInForce(limitKw: PeakShaving['limitKw'], hour: number | undefined): number | null {
  if (limitKw === null || typeof limitKw === 'number') return limitKw
  return hour === undefined ? null : (limitKw[hour] ?? null)
}

/**
 * One cycle: at most one change, none where nothing sure is known (`idle` says why).
 * Pure: the caller states the claims of the new state.
 */
export function conduct(
  before: ConductorState,
  seen: Seen,
  now: number,
): { state: ConductorState; changes: readonly Change[]; idle?: IdleReason } {
  const state = { ...before, since: restartTimesOfHeld(before.since, seen.held, now) }
  const idle = reasonToStandIdle(seen)
  if (idle) return { state, changes: [], idle }
  const change = nextChange(state, seen, now)
  if (!change) return { state, changes: [] }
  const id = change.load.datapointId
  const shed = change.kind === 'shed' ? [...state.shed, id] : state.shed.filter((other) => other !== id)
  return { state: { shed, since: new Map(state.since).set(id, now), changedAt: now }, changes: [change] }
}

/** What each load is to be held at: its shed value, or nothing. */
export function wantsOf(
  loads: readonly PeakShavingLoad[],
  state: ConductorState,
): ReadonlyMap<string, { value: number } | undefined> {
  const shed = new Set(state.shed)
  return new Map(
    loads.map(({ datapointId, shedValue }) => [datapointId, shed.has(datapointId) ? { value: shedValue } : undefined]),
  )
}

// Nobody here knows what demand response did with the load: it counts as switched until it is let go.
function restartTimesOfHeld(
  since: ReadonlyMap<string, number>,
  held: ReadonlySet<string>,
  now: number,
): ReadonlyMap<string, number> {
  if (held.size === 0) return since
  return new Map([...since].map(([id, at]) => [id, held.has(id) ? now : at]))
}

function reasonToStandIdle({ settings, limitKw, meter }: Seen): IdleReason | undefined {
  if (limitKw === null || !Number.isFinite(limitKw)) return 'no limit is known'
  if (!meter || !Number.isFinite(meter.value)) return 'the meter cannot be read'
  const staleMs = Math.max(STALE_CYCLES * settings.cycleSeconds * 1000, STALE_AT_LEAST_MS)
  return meter.ageMs > staleMs ? 'the reading of the meter is too old' : undefined
}

function nextChange(state: ConductorState, seen: Seen, now: number): Change | undefined {
  const { settings, limitKw, meter } = seen
  if (limitKw === null || !meter) return undefined
  // A reading of before the last change does not show what it did: acting on it again would shed two loads for one excess.
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
    // Only the last one: to pass over a load that must stay off would turn the order of priority round.
    const last = state.shed.findLast((id) => !seen.held.has(id))
    const load = settings.loads.find(({ datapointId }) => datapointId === last)
    return load && lasted(load, load.minOffSeconds) ? { kind: 'recover', load } : undefined
  }
  return undefined
}

/** The one to be shed first at the front; those of the same priority as they are listed. */
function byPriority(loads: readonly PeakShavingLoad[]): PeakShavingLoad[] {
  return loads.toSorted((a, b) => a.priority - b.priority)
}
