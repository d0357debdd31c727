import type { Limits } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { localDay, nextLocalDay } from './local-day.ts'

/** What the controller remembers of a datapoint with limits. Times are wall times. Immutable. */
export interface LimitState {
  /** On is every value but 0. */
  isOn: boolean
  /** When it last switched; 0 when it never did while the controller looked. */
  since: number
  /** How often it started on this day at the site. */
  day: string
  starts: number
  /** How far it was moved, and when, within the last minute. */
  moves: readonly { at: number; by: number }[]
}

/** Why a value must not be written now, and from when on it may be. */
export interface Block {
  reason: string
  until: number
}

const MINUTE_MS = 60_000
/** Moves within this time count as one, so that many small ones stay a short list. */
const SAME_MOVE_MS = 1_000

/** Returns the value nearest to this one that the limits allow. */
export function clamp(value: number, { min, max }: Limits = {}): number {
  const atLeast = min === undefined ? value : Math.max(min, value)
  return max === undefined ? atLeast : Math.min(max, atLeast)
}

/** Says which limit a value is outside of; `undefined` when it is within them. */
export function rangeProblem(value: number, { min, max }: Limits = {}): string | undefined {
  if (min !== undefined && value < min) return `value ${value} is below limits.min ${min}`
  if (max !== undefined && value > max) return `value ${value} is above limits.max ${max}`
  return undefined
}

/** Reports whether a datapoint's switching has to be remembered. */
export function limitsSwitching({ minOnSeconds, minOffSeconds, maxStartsPerDay }: Limits = {}): boolean {
  return minOnSeconds !== undefined || minOffSeconds !== undefined || maxStartsPerDay !== undefined
}

/** Returns the state after the equipment was seen at a value; the same state when it has not switched. */
export function afterSeen(
  state: LimitState | undefined,
  value: number,
  { now, timeZone }: { now: number; timeZone: string },
): LimitState {
  const isOn = value !== 0
  const day = localDay(timeZone, now)
  // The first sight is no switch.
  if (!state) return { isOn, since: 0, day, starts: 0, moves: [] }
  if (state.isOn === isOn) return state
  const starts = (state.day === day ? state.starts : 0) + (isOn ? 1 : 0)
  return { ...state, isOn, since: now, day, starts }
}

/** Says why a value that would switch the equipment at this time is not allowed; `undefined` when it is. */
export function switchBlock(
  state: LimitState | undefined,
  value: number,
  limits: Limits,
  { at, now, timeZone }: { at: number; now: number; timeZone: string },
): Block | undefined {
  const wantsOn = value !== 0
  if (!state || state.isOn === wantsOn) return undefined
  // A clock that was set back must not lengthen the wait.
  const since = Math.min(state.since, now)
  const [name, seconds] = wantsOn
    ? (['minOffSeconds', limits.minOffSeconds] as const)
    : (['minOnSeconds', limits.minOnSeconds] as const)
  const blocks: Block[] = []
  if (seconds !== undefined && at < since + seconds * 1000) {
    const reason = `limits.${name} is ${seconds}, and it has been ${wantsOn ? 'off' : 'on'} since ${formatTimestamp(since)}`
    blocks.push({ reason, until: since + seconds * 1000 })
  }
  const { maxStartsPerDay: most } = limits
  if (wantsOn && most !== undefined && state.day === localDay(timeZone, at) && state.starts >= most) {
    const reason = `limits.maxStartsPerDay is ${most}, and it has started ${state.starts} times on ${state.day}`
    blocks.push({ reason, until: nextLocalDay(timeZone, at) })
  }
  return blocks.toSorted((a, b) => b.until - a.until)[0]
}

/** Returns how far the value may move now, and when the next part of a longer way may follow. */
export function allowance(
  state: LimitState | undefined,
  maxStepPerMinute: number,
  now: number,
): { by: number; nextAt: number } {
  const recent = recentMoves(state, now)
  const used = recent.reduce((sum, { by }) => sum + by, 0)
  return { by: Math.max(0, maxStepPerMinute - used), nextAt: (recent[0]?.at ?? now) + MINUTE_MS }
}

/** Returns the state after the value was moved this far. */
export function afterMove(
  state: LimitState | undefined,
  by: number,
  value: number,
  when: { now: number; timeZone: string },
): LimitState {
  const { now } = when
  const recent = recentMoves(state, now)
  const last = recent.at(-1)
  const moves =
    last && now - last.at < SAME_MOVE_MS
      ? [...recent.slice(0, -1), { at: now, by: last.by + by }]
      : [...recent, { at: now, by }]
  return { ...afterSeen(state, value, when), moves }
}

/** A move in the future is one from before the clock was set back: it counts as made now. */
function recentMoves(state: LimitState | undefined, now: number): LimitState['moves'] {
  return (state?.moves ?? [])
    .map(({ at, by }) => ({ at: Math.min(at, now), by }))
    .filter(({ at }) => now - at < MINUTE_MS)
}
