import type { Moment } from './timeline.ts'

/** A clock that is off the cloud's time, or behind the latest recorded time, by more than this is not trusted. */
const WELL_BEHIND_MS = 60_000
/** At a start the clock may be this far behind the latest recorded time. Two clocks never agree exactly. */
const NOISE_MS = 2_000

/**
 * How far the wall clock is trusted. A controller without a battery starts in the past: ended overrides would become
 * active again, and new ones would be active at the wrong time.
 */
export interface Trust {
  /**
   * The latest wall time ever seen, as of the monotonic time `markedAt`. It advances with the monotonic clock: setting
   * the clock back and restarting must not lengthen a hold.
   */
  mark: number
  markedAt: number
  /** The clock is or may be wrong. New overrides are rejected. */
  suspect: boolean
  /** The time is known, from the cloud or from a clock that is not behind. Overrides may be applied. */
  known: boolean
}

export function trustAtBoot(now: Moment, recorded = now.wall): Trust {
  const behind = now.wall < recorded - NOISE_MS
  return { mark: Math.max(now.wall, recorded), markedAt: now.monotonic, suspect: behind, known: !behind }
}

/** Returns the time by which overrides are judged. While the clock is suspect, it advances from the mark. */
export function judge(trust: Trust, now: Moment): Moment {
  return trust.suspect ? judgeAtBoot(trust, now) : now
}

/** Returns the time for the first evaluation after a start. A clock that was set back meanwhile does not lengthen a hold. */
export function judgeAtBoot(trust: Trust, now: Moment): Moment {
  return { wall: Math.max(now.wall, advanced(trust, now)), monotonic: now.monotonic }
}

/** Advances the mark. A suspect clock has caught up when it reaches the mark. */
export function observe(trust: Trust, now: Moment): Trust {
  const mark = advanced(trust, now)
  const known = trust.known || now.wall >= mark - NOISE_MS
  const suspect = trust.suspect && now.wall < mark - (trust.known ? WELL_BEHIND_MS : NOISE_MS)
  return { mark: Math.max(now.wall, mark), markedAt: now.monotonic, suspect, known }
}

/**
 * Takes in the cloud's time. A clock that agrees with it is right, and a mark ahead of it was wrong. A clock that
 * disagrees is suspect: overrides are then judged by the cloud's time, but never by a time before the mark.
 */
export function hearCloud(trust: Trust, now: Moment, cloudTime: number): Trust {
  if (!Number.isFinite(cloudTime)) return trust
  const { wall, monotonic: markedAt } = now
  if (Math.abs(wall - cloudTime) <= WELL_BEHIND_MS) return { mark: wall, markedAt, suspect: false, known: true }
  return { mark: Math.max(advanced(trust, now), cloudTime), markedAt, suspect: true, known: true }
}

const advanced = (trust: Trust, now: Moment) => trust.mark + (now.monotonic - trust.markedAt)
