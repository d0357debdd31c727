import type { LoadSeen, LoadState, ModulatingLoad, RegulatorState, Seen, SwitchingLoad } from './regulator-state.ts'

type Switching = LoadSeen & SwitchingLoad
type Modulating = LoadSeen & ModulatingLoad

/** The loads while a step of the regulator moves them. */
export interface Draft {
  readonly seen: Seen
  readonly now: number
  /** In the order of priority. */
  readonly modulating: readonly Modulating[]
  readonly switching: readonly Switching[]
  readonly states: Map<string, LoadState>
  /** By how much the loads will draw more than before, or less. */
  movedKw: number
}

export function createDraft(before: RegulatorState, seen: Seen, now: number): Draft {
  const states = new Map<string, LoadState>()
  for (const { id, isPassedOver } of seen.loads) {
    const known = before.loads.get(id) ?? { atMostKw: Number.POSITIVE_INFINITY, since: now, relapses: -1 }
    states.set(id, isPassedOver ? { ...known, since: now } : known)
  }
  const movable = seen.loads.filter(({ isPassedOver }) => !isPassedOver).toSorted((a, b) => a.priority - b.priority)
  return {
    seen,
    now,
    modulating: movable.filter((load) => load.kind === 'modulating'),
    switching: movable.filter((load) => load.kind === 'switching'),
    states,
    movedKw: 0,
  }
}

export const stateOf = ({ states }: Draft, { id }: LoadSeen) => states.get(id) as LoadState
export const isStopped = (draft: Draft, load: Switching) => stateOf(draft, load).atMostKw === 0
const drawnKw = (draft: Draft, load: Modulating) => Math.min(load.wantedKw, stateOf(draft, load).atMostKw)

/** Returns what is drawn by everything that is not moved, when each load draws what it wants and may. */
export function othersKw(
  loads: readonly LoadSeen[],
  { states, kw }: { states: ReadonlyMap<string, LoadState>; kw: number },
): number {
  const drawn = loads
    .filter(({ isPassedOver }) => !isPassedOver)
    .map(({ id, kind, wantedKw }) => {
      const atMostKw = states.get(id)?.atMostKw ?? Number.POSITIVE_INFINITY
      return kind === 'switching' && atMostKw === 0 ? 0 : Math.min(wantedKw, atMostKw)
    })
  return kw - drawn.reduce((sum, one) => sum + one, 0)
}

/** The part of the room that modulating loads get at a time. */
const PART_OF_ROOM = 0.5
/** Bounds are multiples of this part of a load's range, so that noise of the meter changes little. */
const RESOLUTION = 1 / 1_000

/** Lowers modulating loads by this much, as far as they go. Returns how much is left. */
export function lower(draft: Draft, kw: number): number {
  let left = kw
  for (const load of draft.modulating) {
    const drawn = drawnKw(draft, load)
    // Also where nothing is left to save: it must not take what others give.
    bind(draft, load, drawn - left)
    left = Math.max(0, left - (drawn - drawnKw(draft, load)))
  }
  return left
}

/** Gives modulating loads part of this room, the most important one first. */
export function raise(draft: Draft, room: number): void {
  let left = room * PART_OF_ROOM
  for (const load of draft.modulating.toReversed()) {
    const drawn = drawnKw(draft, load)
    bind(draft, load, drawn + left)
    left -= drawnKw(draft, load) - drawn
  }
}

/** Returns by how much the modulating loads can still be lowered: what they draw, and with what they could supply. */
export function spareKw(draft: Draft): { drawn: number; inAll: number } {
  const above = (least: (load: Modulating) => number) =>
    draft.modulating.reduce((sum, load) => sum + Math.max(0, drawnKw(draft, load) - least(load)), 0)
  return { drawn: above(({ minKw }) => Math.max(0, minKw)), inAll: above(({ minKw }) => minKw) }
}

function bind(draft: Draft, load: Modulating, kw: number): void {
  const step = (load.maxKw - load.minKw) * RESOLUTION
  // A load without a range cannot be moved, and must not make a number of nothing of what others have to save.
  const rounded = step > 0 ? load.minKw + Math.floor((kw - load.minKw) / step + 1e-6) * step : load.minKw
  const before = drawnKw(draft, load)
  draft.states.set(load.id, { ...stateOf(draft, load), atMostKw: Math.min(Math.max(rounded, load.minKw), load.maxKw) })
  draft.movedKw += drawnKw(draft, load) - before
}
