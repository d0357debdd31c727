import { QUARTER_MS } from './ceiling.ts'
import type { LoadSeen, LoadState, ModulatingLoad, RegulatorState, Seen, SwitchingLoad } from './regulator-state.ts'

/** After this quarter of an hour, a storage must be able to do for another one what is planned with it. */
const QUARTER_SECONDS = QUARTER_MS / 1000

type Switching = LoadSeen & SwitchingLoad
type Modulating = LoadSeen & ModulatingLoad & { /** The least that it can draw on average. */ leastKw: number }

/** The loads while a step of the regulator moves them. */
export interface Draft {
  readonly seen: Seen
  readonly now: number
  /** In the order of priority. */
  readonly modulating: readonly Modulating[]
  readonly switching: readonly Switching[]
  readonly before: RegulatorState['loads']
  readonly states: Map<string, LoadState>
  /** By how much the loads will draw more than before, or less. */
  movedKw: number
  /** What loads are asked to supply in addition. */
  readonly asked: { ids: Set<string>; kw: number }
}

export function createDraft(before: RegulatorState, seen: Seen, now: number): Draft {
  const states = new Map<string, LoadState>()
  for (const { id, isPassedOver } of seen.loads) {
    const known = before.loads.get(id) ?? { atMostKw: Number.POSITIVE_INFINITY, since: now, relapses: -1 }
    states.set(id, isPassedOver ? { ...known, since: now } : known)
  }
  const movable = seen.loads.filter(({ isPassedOver }) => !isPassedOver).toSorted((a, b) => a.priority - b.priority)
  const modulating = movable.flatMap((load) => (load.kind === 'modulating' ? [withinStorage(load, seen.ceiling)] : []))
  return {
    seen: { ...seen, meter: seen.meter && { ...seen.meter, kw: seen.meter.kw + missingKw(modulating, states) } },
    now,
    modulating,
    switching: movable.filter((load) => load.kind === 'switching'),
    before: before.loads,
    states,
    movedKw: 0,
    asked: { ids: new Set(), kw: 0 },
  }
}

export const stateOf = ({ states }: Draft, { id }: LoadSeen) => states.get(id) as LoadState
/** It did not follow a while ago: nothing is planned with what it could supply. */
const isDoubted = (draft: Draft, load: Modulating) => (stateOf(draft, load).doubtedUntil ?? 0) > draft.now
export const isStopped = (draft: Draft, load: Switching) => stateOf(draft, load).atMostKw === 0
const askedKw = ({ id, wantedKw }: LoadSeen, states: RegulatorState['loads']) =>
  Math.min(wantedKw, states.get(id)?.atMostKw ?? Number.POSITIVE_INFINITY)
/** What it draws, or can draw on average where that is more. */
const drawnKw = ({ states }: Draft, load: Modulating) => Math.max(load.leastKw, askedKw(load, states))

/**
 * Limits a load to what its storage can supply, and take up, until this quarter of an hour ends and in the next one: others move
 * before it is empty.
 */
function withinStorage(load: LoadSeen & ModulatingLoad, ceiling: Seen['ceiling']): Modulating {
  const { stored, minKw, wantedKw } = load
  if (!stored) return { ...load, leastKw: minKw }
  const hours = ((isAveraged(ceiling) ? ceiling.leftSeconds : QUARTER_SECONDS) + QUARTER_SECONDS) / 3600
  return {
    ...load,
    leastKw: Math.max(minKw, -stored.supplyKwh / hours),
    wantedKw: Math.min(wantedKw, stored.drawKwh / hours),
  }
}

export const isAveraged = ({ allowedKw, peakKw }: Seen['ceiling']) => peakKw > allowedKw

/** What loads supply at present, and cannot on average. */
const missingKw = (modulating: readonly Modulating[], states: Draft['states']) =>
  modulating.reduce((sum, load) => sum + Math.max(0, load.leastKw - askedKw(load, states)), 0)

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
    left = Math.max(0, left - saved(draft, load, drawn))
  }
  return left
}

/** Lets storages supply this much more of what is kept for later, as far as they can. Returns how much that is. */
export function drain(draft: Draft, kw: number): number {
  let left = Math.max(0, kw)
  for (const load of draft.modulating) {
    const { stored, minKw, leastKw } = load
    if (left === 0 || !stored || stored.supplyKwh <= 0) continue
    const supplied = Math.min(left, drawnKw(draft, load) - minKw)
    const atMostKw = Math.max(minKw, rounded(load, drawnKw(draft, load) - supplied))
    // What it has been asked for already has its effect.
    draft.movedKw += atMostKw - Math.min(leastKw, askedKw(load, draft.before))
    draft.states.set(load.id, { ...stateOf(draft, load), atMostKw })
    left -= supplied
  }
  return Math.max(0, kw) - left
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
    draft.modulating.reduce((sum, load) => {
      const leastKw = isDoubted(draft, load) ? Math.max(0, least(load)) : least(load)
      return sum + Math.max(0, drawnKw(draft, load) - leastKw)
    }, 0)
  return { drawn: above(({ leastKw }) => Math.max(0, leastKw)), inAll: above(({ leastKw }) => leastKw) }
}

/** Returns what was saved since a load drew this. What one in doubt is asked to supply is no saving. */
function saved(draft: Draft, load: Modulating, beforeKw: number): number {
  const least = isDoubted(draft, load) ? 0 : Number.NEGATIVE_INFINITY
  return Math.max(least, beforeKw) - Math.max(least, drawnKw(draft, load))
}

function rounded({ minKw, maxKw }: Modulating, kw: number): number {
  const step = (maxKw - minKw) * RESOLUTION
  // A load without a range cannot be moved, and must not make a number of nothing of what others have to save.
  return step > 0 ? minKw + Math.floor((kw - minKw) / step + 1e-6) * step : minKw
}

function bind(draft: Draft, load: Modulating, kw: number): void {
  const before = drawnKw(draft, load)
  draft.states.set(load.id, {
    ...stateOf(draft, load),
    atMostKw: Math.min(Math.max(rounded(load, kw), load.leastKw), load.maxKw),
  })
  const after = drawnKw(draft, load)
  draft.movedKw += after > before ? after - before : -saved(draft, load, before)
  const supplied = Math.min(0, before) - Math.min(0, after)
  // Of one whose energy is known, it is known whether it can follow.
  if (supplied <= 0 || load.stored) return
  draft.asked.ids.add(load.id)
  draft.asked.kw += supplied
}
