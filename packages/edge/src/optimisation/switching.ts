import { QUARTER_MS } from './ceiling.ts'
import { type Draft, isAveraged, isStopped, lower, othersKw, spareKw, stateOf } from './draft.ts'
import type { LoadSeen, SwitchingLoad } from './regulator-state.ts'

type Load = LoadSeen & SwitchingLoad

/** A load that has to stop this soon after it was resumed was resumed too early: it waits twice as long the next time. */
const RELAPSE_SECONDS = 1_800
const LONGEST_OFF_SECONDS = 3_600
/** A shorter run is not worth a switch. */
const WORTHWHILE_SECONDS = 300
/**
 * How far the power of everything else may rise while loads run, as parts of what the loads draw: at any time, for a whole
 * quarter of an hour more, and before another load is resumed. More could not be made up for by stopping them.
 */
const RISE = { always: 0.1, perQuarter: 0.67, toResume: 0.3 }
/**
 * The same where the highest power at this hour is known: this part of the way up to it, and parts of what the
 * loads draw. `RISE.always` is the least here, too: what was read may be wrong. A meter that is slower than this needs
 * more than what is known.
 */
const KNOWN_RISE = { toHighest: 0.9, always: 0.05, toResume: 0.1, delaySeconds: 45 }
const QUARTER_SECONDS = QUARTER_MS / 1000

/** What a step must know to plan: how much is above the ceiling, and how long it takes until a later step has an effect. */
export interface Outlook {
  /** What has to be saved by stopping loads, on average until the interval ends. */
  excessKw: number
  /** What has to be saved at once. */
  atOnceKw: number
  delaySeconds: number
}

/** Returns whether loads have to stop now, or should. */
export function mustStop(draft: Draft, outlook: Outlook): boolean {
  return isDue(draft, outlook) || isEarly(draft)
}

/** Returns whether loads have to stop at once, or because energy that is saved later may be too late. */
function isDue(draft: Draft, outlook: Outlook): boolean {
  if (outlook.atOnceKw > 0) return true
  return isPlanned(draft) ? spareEnergy(draft, outlook) < 0 : outlook.excessKw > 0
}

/** Returns whether it is known what stopping saves, and until when. */
const isPlanned = ({ seen, switching }: Draft) =>
  isAveraged(seen.ceiling) && switching.every(({ ratedKw }) => ratedKw !== undefined)

/**
 * Returns whether running loads draw more than the interval allows, and there is time to stop one and run it again. What is
 * saved first can still be used; what is used first cannot be saved when everything else rises.
 */
function isEarly(draft: Draft): boolean {
  if (!isPlanned(draft)) return false
  const { allowedKw, leftSeconds } = draft.seen.ceiling
  const running = draft.switching.filter((load) => isRunning(draft, load))
  const next = running.find((load) => worthSeconds(draft, load) === 0)
  if (!next || leftSeconds < next.minOffSeconds + WORTHWHILE_SECONDS) return false
  return fixedKw(draft) + ratedKw(running) > allowedKw
}

/** Stops loads, the one of the lowest number first, until the rest can be saved later. Returns what cannot be saved, in kW. */
export function stop(draft: Draft, outlook: Outlook): number {
  const { now } = draft
  let { excessKw, atOnceKw } = outlook
  for (const load of draft.switching) {
    const left = { ...outlook, excessKw, atOnceKw }
    if (!mustStop(draft, left)) break
    const runsFor = isDue(draft, left) ? onSeconds : worthSeconds
    if (!isRunning(draft, load) || runsFor(draft, load) > 0) continue
    const state = stateOf(draft, load)
    const isRelapse = atOnceKw > 0 && state.relapses >= 0 && now - state.since < RELAPSE_SECONDS * 1000
    draft.states.set(load.id, { atMostKw: 0, since: now, relapses: isRelapse ? state.relapses + 1 : 0 })
    const saved = load.ratedKw ?? Math.max(excessKw, atOnceKw)
    draft.movedKw -= saved
    excessKw -= saved
    atOnceKw -= saved
  }
  const stoppable = draft.switching.filter((load) => isRunning(draft, load))
  return Math.max(atOnceKw, excessKw - stoppable.reduce((sum, { ratedKw = 0 }) => sum + ratedKw, 0))
}

/** Resumes the most important stopped load for which there is room, also by lowering loads that move. Returns what is left of it. */
export function resume(draft: Draft, room: number, outlook: Outlook): number {
  const { now } = draft
  const { drawn } = spareKw(draft)
  for (const load of draft.switching.toReversed()) {
    const state = stateOf(draft, load)
    if (!isStopped(draft, load) || isKeptOff(load)) continue
    const needed = load.wantedKw === 0 ? 0 : (load.ratedKw ?? 0)
    if (!isRested(draft, load) || !fits(draft, load, needed, { ...outlook, room: room + drawn })) {
      // Of loads whose power is unknown, one at a time, and none before a more important one.
      if (load.ratedKw === undefined) return 0
      continue
    }
    if (needed > room) lower(draft, needed - room)
    // Two writes take effect in any order: where every moment counts, the load waits until a reading shows the room.
    if (needed > room && !isAveraged(draft.seen.ceiling)) return 0
    draft.states.set(load.id, { ...state, atMostKw: Number.POSITIVE_INFINITY, since: now })
    draft.movedKw += needed
    return Math.max(0, room - needed)
  }
  return room
}

/** Keeps loads off that a writer may switch on at any time, while there is no room for them. */
export function keepOff(draft: Draft, room: number): void {
  for (const load of draft.switching) {
    if (!isKeptOff(load) || (isStopped(draft, load) && !isRested(draft, load))) continue
    const atMostKw = room >= (load.ratedKw ?? 0) ? Number.POSITIVE_INFINITY : 0
    draft.states.set(load.id, { ...stateOf(draft, load), atMostKw })
  }
}

/** A writer holds it off. To resume it would change nothing, and keep less important loads from their turn. */
const isKeptOff = ({ isHeld, wantedKw, ratedKw }: Load) => isHeld && wantedKw === 0 && ratedKw !== undefined

const isRunning = (draft: Draft, load: Load) => !isStopped(draft, load) && load.wantedKw !== 0
const ratedKw = (loads: readonly Load[]) => loads.reduce((sum, load) => sum + (load.ratedKw ?? 0), 0)

/** Since it was switched. */
const sinceSeconds = (draft: Draft, load: Load) => (draft.now - stateOf(draft, load).since) / 1000

/** Returns for how long a load must go on running. */
const onSeconds = (draft: Draft, load: Load) => Math.max(0, load.minOnSeconds - sinceSeconds(draft, load))

/** Returns for how long a load should go on running, when it does not have to stop: one that was resumed is not stopped at once. */
function worthSeconds(draft: Draft, load: Load): number {
  const wasResumed = stateOf(draft, load).relapses >= 0
  return Math.max(onSeconds(draft, load), wasResumed ? WORTHWHILE_SECONDS - sinceSeconds(draft, load) : 0)
}

/** Returns whether a stopped load has been off for long enough. */
function isRested(draft: Draft, load: Load): boolean {
  return sinceSeconds(draft, load) >= offSeconds(load, stateOf(draft, load))
}

function offSeconds({ minOffSeconds }: SwitchingLoad, { relapses }: { relapses: number }): number {
  const relapsed = Math.min(minOffSeconds * 2 ** Math.max(0, relapses), LONGEST_OFF_SECONDS)
  return Math.max(minOffSeconds, relapsed)
}

/**
 * Returns the energy, in kW seconds, that is left of the interval when everything else rises as far as it may, and each running
 * load is stopped as soon as it can be.
 */
function spareEnergy(draft: Draft, { delaySeconds }: Outlook, isResuming = false): number {
  const { allowedKw, leftSeconds } = draft.seen.ceiling
  const spare = spareKw(draft)
  const risenKw = Math.max(0, riseKw(draft, { delaySeconds, isResuming }) - (spare.inAll - spare.drawn))
  const running = draft.switching.filter((load) => isRunning(draft, load))
  const needed = running.map(
    (load) => (load.ratedKw ?? 0) * Math.min(leftSeconds, Math.max(onSeconds(draft, load), delaySeconds)),
  )
  return (allowedKw - fixedKw(draft) - risenKw) * leftSeconds - needed.reduce((sum, energy) => sum + energy, 0)
}

/** Returns how far the power of everything else may still rise in the interval. */
function riseKw(draft: Draft, { delaySeconds, isResuming }: { delaySeconds: number; isResuming: boolean }): number {
  const { loads, meter, ceiling, highestKw } = draft.seen
  const inAll = ratedKw(draft.switching)
  if (highestKw === undefined || delaySeconds > KNOWN_RISE.delaySeconds) {
    const parts = RISE.always + RISE.perQuarter * (ceiling.leftSeconds / QUARTER_SECONDS)
    return (parts + (isResuming ? RISE.toResume : 0)) * inAll
  }
  const kw = (meter?.kw ?? 0) + draft.movedKw
  const wayKw = Math.max(0, highestKw - othersKw(loads, { states: draft.states, kw }))
  // As above: stopping the loads makes up for no more than they draw.
  const highKw = Math.min(KNOWN_RISE.toHighest * wayKw, inAll) + KNOWN_RISE.always * inAll
  return Math.max(highKw, RISE.always * inAll) + (isResuming ? KNOWN_RISE.toResume * inAll : 0)
}

/** Returns what is drawn by everything that cannot be moved. */
function fixedKw(draft: Draft): number {
  const { seen, movedKw, switching } = draft
  const running = switching.filter((load) => isRunning(draft, load))
  return (seen.meter?.kw ?? 0) + movedKw - ratedKw(running) - spareKw(draft).drawn
}

/** Returns whether there is room for a load for as long as it must run, also after the interval. */
function fits(draft: Draft, load: Load, needed: number, outlook: Outlook & { room: number }): boolean {
  const { ceiling } = draft.seen
  const { allowedKw, leftSeconds, laterKw, peakKw } = ceiling
  const { room } = outlook
  if (load.ratedKw === undefined || !isAveraged(ceiling)) {
    return room > 0 && room >= needed && (leftSeconds >= load.minOnSeconds || room + laterKw - allowedKw >= needed)
  }
  if (needed > room + peakKw - allowedKw) return false
  const seconds = Math.max(load.minOnSeconds, WORTHWHILE_SECONDS)
  const others = fixedKw(draft) + RISE.always * ratedKw(draft.switching)
  const after = (kw: number, forSeconds: number) => kw * Math.max(0, forSeconds - leftSeconds)
  const running = draft.switching.filter((other) => isRunning(draft, other))
  const carried = running.reduce(
    (sum, other) => sum + after(other.ratedKw ?? 0, onSeconds(draft, other)),
    after(needed, seconds),
  )
  return (
    spareEnergy(draft, outlook, true) >= needed * Math.min(leftSeconds, seconds) &&
    others * QUARTER_SECONDS + carried <= laterKw * QUARTER_SECONDS
  )
}
