/** A load that the regulator may move. Power that it draws is positive, and power that it supplies negative. */
export type RegulatedLoad = ModulatingLoad | SwitchingLoad

export interface ModulatingLoad {
  id: string
  kind: 'modulating'
  /** Of its kind, the load with the lowest number is moved first. */
  priority: number
  minKw: number
  maxKw: number
}

export interface SwitchingLoad {
  id: string
  kind: 'switching'
  priority: number
  /** What it draws while it runs. When missing, one load is stopped or resumed at a time. */
  ratedKw?: number
  minOnSeconds: number
  minOffSeconds: number
}

export type LoadSeen = RegulatedLoad & {
  /** What it would draw without a bound; 0 for a switching load that is off. */
  wantedKw: number
  /** Whether a writer holds it, so that it does not start by itself. */
  isHeld: boolean
  /** Set when it must not be moved. Its minimum times count from then on. */
  isPassedOver?: boolean
}

/** What the regulator remembers from one step to the next. Times are monotonic milliseconds. Immutable. */
export interface RegulatorState {
  loads: ReadonlyMap<string, LoadState>
  /** The last change, until readings show its effect. */
  acted?: { at: number /** More than this has another cause. */; expectedKw: number }
  /** How many readings in a row were too high for the modulating loads alone. */
  above: number
}

export interface LoadState {
  /** The most that it may draw. A switching load may draw anything, or nothing. */
  atMostKw: number
  /** When a switching load was last stopped or resumed. */
  since: number
  /** How often in a row it had to stop soon after it was resumed; -1 before it first stopped. */
  relapses: number
}

/** The input of one step. */
export interface Seen {
  loads: readonly LoadSeen[]
  /** A fresh reading, and the monotonic time at which it was taken. */
  meter: { kw: number; at: number }
  /** What the site may draw for the rest of this interval, how long that is, and what it may draw after that. */
  allowedKw: number
  leftSeconds: number
  laterKw: number
  /** Room that loads do not get, so that they do not come and go. */
  hysteresisKw: number
  /** How long the meter takes to show what a load does. */
  reactionSeconds: number
  /** How many readings in a row must be too high before loads are stopped. */
  patience: number
}

export interface Step {
  state: RegulatorState
  /** True when every load is moved as far as it may be, and the reading is still too high. */
  isExhausted: boolean
  /** By how much the loads will draw more than before, or less. */
  movedKw: number
}

export const NOTHING_MOVED: RegulatorState = { loads: new Map(), above: 0 }

/** The part of the room that modulating loads get at a time. */
const PART_OF_ROOM = 0.5
/** A load that has to stop this soon after it was resumed was resumed too early: it waits twice as long the next time. */
const RELAPSE_SECONDS = 1_800
const LONGEST_OFF_SECONDS = 3_600
/** Bounds are multiples of this part of a load's range, so that noise of the meter changes little. */
const RESOLUTION = 1 / 1_000

/**
 * Moves loads so that the next readings are at most what is allowed. Modulating loads move first and at once, then switching
 * ones stop, both in the order of priority. Room is given back in reverse order, and only on readings that show the effect of
 * the last change. Pure.
 */
export function regulate(before: RegulatorState, seen: Seen, now: number): Step {
  const draft = createDraft(before, seen, now)
  const excess = excessNow(before, seen)
  if (excess === undefined) return { state: { ...before, loads: draft.states }, isExhausted: false, movedKw: 0 }
  const left = excess > 0 ? lower(draft, excess) : 0
  const above = left > 0 ? before.above + 1 : 0
  const unmet = above >= seen.patience ? stop(draft, left) : left
  const room = -excess - seen.hysteresisKw
  if (room > 0) raise(draft, resume(draft, room))
  keepOff(draft, room)
  const { movedKw } = draft
  const acted = movedKw === 0 ? before.acted : { at: now, expectedKw: seen.meter.kw + Math.max(0, movedKw) }
  return {
    state: { loads: draft.states, above, ...(acted && { acted }) },
    isExhausted: unmet > 0 && movedKw === 0 && above >= seen.patience,
    movedKw,
  }
}

/** Returns by how much the reading is above what is allowed; `undefined` while it may not show the last change. */
function excessNow({ acted }: RegulatorState, { meter, allowedKw, reactionSeconds, hysteresisKw }: Seen) {
  const excess = meter.kw - allowedKw
  if (!acted || meter.at - acted.at >= reactionSeconds * 1000) return excess
  // What came on top of our own change is certain.
  const onTop = Math.min(meter.kw - acted.expectedKw, excess)
  return meter.at > acted.at && onTop > hysteresisKw ? onTop : undefined
}

/** The loads while a step moves them. */
interface Draft {
  seen: Seen
  now: number
  /** In the order of priority. */
  modulating: readonly (LoadSeen & ModulatingLoad)[]
  switching: readonly (LoadSeen & SwitchingLoad)[]
  states: Map<string, LoadState>
  /** By how much the loads will draw more than before, or less. */
  movedKw: number
}

function createDraft(before: RegulatorState, seen: Seen, now: number): Draft {
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

const stateOf = ({ states }: Draft, { id }: LoadSeen) => states.get(id) as LoadState
const drawnKw = (draft: Draft, load: LoadSeen) => Math.min(load.wantedKw, stateOf(draft, load).atMostKw)
const isStopped = (draft: Draft, load: LoadSeen) => stateOf(draft, load).atMostKw === 0

/** Bounds a modulating load. */
function bind(draft: Draft, load: LoadSeen & ModulatingLoad, kw: number): void {
  const step = (load.maxKw - load.minKw) * RESOLUTION
  const rounded = load.minKw + Math.floor((kw - load.minKw) / step + 1e-6) * step
  const before = drawnKw(draft, load)
  draft.states.set(load.id, { ...stateOf(draft, load), atMostKw: Math.min(Math.max(rounded, load.minKw), load.maxKw) })
  draft.movedKw += drawnKw(draft, load) - before
}

/** Lowers modulating loads by this much, as far as they go. Returns how much is left. */
function lower(draft: Draft, kw: number): number {
  let left = kw
  for (const load of draft.modulating) {
    const drawn = drawnKw(draft, load)
    // Also where nothing is left to save: it must not take what others give.
    bind(draft, load, drawn - left)
    left = Math.max(0, left - (drawn - drawnKw(draft, load)))
  }
  return left
}

/** Stops switching loads until this much is saved. Returns how much is left. */
function stop(draft: Draft, kw: number): number {
  const { now } = draft
  let left = kw
  for (const load of draft.switching) {
    const state = stateOf(draft, load)
    if (left <= 0 || isStopped(draft, load) || load.wantedKw === 0) continue
    if (now - state.since < load.minOnSeconds * 1000) continue
    const isRelapse = state.relapses >= 0 && now - state.since < RELAPSE_SECONDS * 1000
    draft.states.set(load.id, { atMostKw: 0, since: now, relapses: isRelapse ? state.relapses + 1 : 0 })
    const saved = load.ratedKw ?? left
    draft.movedKw -= saved
    left -= saved
  }
  return Math.max(0, left)
}

/** Resumes the most important stopped load for which there is room, also by lowering loads that move. Returns what is left of it. */
function resume(draft: Draft, room: number): number {
  const { seen, now } = draft
  const spare = draft.modulating.reduce(
    (sum, load) => sum + Math.max(0, drawnKw(draft, load) - Math.max(0, load.minKw)),
    0,
  )
  for (const load of draft.switching.toReversed()) {
    const state = stateOf(draft, load)
    if (!isStopped(draft, load) || now - state.since < offSeconds(load, state) * 1000) continue
    const needed = load.wantedKw === 0 ? 0 : (load.ratedKw ?? 0)
    const laterRoom = room + seen.laterKw - seen.allowedKw
    const lasts = seen.leftSeconds >= load.minOnSeconds || laterRoom + spare >= needed
    if (room + spare < needed || !lasts) return load.ratedKw === undefined ? 0 : room
    draft.states.set(load.id, { ...state, atMostKw: Number.POSITIVE_INFINITY, since: now })
    draft.movedKw += needed
    if (needed > room) lower(draft, needed - room)
    return Math.max(0, room - needed)
  }
  return room
}

function offSeconds({ minOffSeconds }: SwitchingLoad, { relapses }: LoadState): number {
  const relapsed = Math.min(minOffSeconds * 2 ** Math.max(0, relapses), LONGEST_OFF_SECONDS)
  return Math.max(minOffSeconds, relapsed)
}

/** Gives modulating loads part of this room, the most important one first. */
function raise(draft: Draft, room: number): void {
  let left = room * PART_OF_ROOM
  for (const load of draft.modulating.toReversed()) {
    const drawn = drawnKw(draft, load)
    bind(draft, load, drawn + left)
    left -= drawnKw(draft, load) - drawn
  }
}

/** Keeps loads off that a writer may switch on at any time, while there is no room for them. */
function keepOff(draft: Draft, room: number): void {
  for (const load of draft.switching) {
    if (!load.isHeld || load.wantedKw !== 0 || load.ratedKw === undefined) continue
    const atMostKw = room >= load.ratedKw ? Number.POSITIVE_INFINITY : 0
    draft.states.set(load.id, { ...stateOf(draft, load), atMostKw })
  }
}
