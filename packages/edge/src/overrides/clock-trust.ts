import type { Moment } from './step.ts'

/** A clock that disagrees with the cloud, or lies behind the latest recorded time, by more than this is not believed. */
const WELL_BEHIND_MS = 60_000
/** At a start the clock may lie this far behind the latest recorded time: what two clocks differ by is not a step. */
const NOISE_MS = 2_000

/**
 * How far the wall clock is believed. A controller without a battery starts in the past: overrides that have ended would
 * come back, and new ones would be held at the wrong time.
 */
export interface Trust {
  /**
   * The latest wall time ever seen, as of the monotonic time `markedAt`. It advances with the monotonic clock: setting
   * the clock back and restarting must not lengthen a hold.
   */
  mark: number
  markedAt: number
  /** The clock is wrong or may be: new overrides are refused. */
  suspect: boolean
  /** The time is known, from the cloud or from a clock that is not behind: overrides may be applied. */
  known: boolean
}

export function trustAtBoot(now: Moment, recorded = now.wall): Trust {
  const behind = now.wall < recorded - NOISE_MS
  return { mark: Math.max(now.wall, recorded), markedAt: now.monotonic, suspect: behind, known: !behind }
}

/** The time by which overrides are judged: while the clock is suspect it advances from the mark. */
export function judge(trust: Trust, now: Moment): Moment {
  return trust.suspect ? judgeAtBoot(trust, now) : now
}

/** The first look after a start: a clock that was set back meanwhile does not lengthen a hold. */
export function judgeAtBoot(trust: Trust, now: Moment): Moment {
  return { wall: Math.max(now.wall, advanced(trust, now)), monotonic: now.monotonic }
}

/** Moves the mark on. A suspect clock has caught up when it reaches the mark. */
export function observe(trust: Trust, now: Moment): Trust {
  const mark = advanced(trust, now)
  const known = trust.known || now.wall >= mark - NOISE_MS
  const suspect = trust.suspect && now.wall < mark - (trust.known ? WELL_BEHIND_MS : NOISE_MS)
  return { mark: Math.max(now.wall, mark), markedAt: now.monotonic, suspect, known }
}

/**
 * Takes in the cloud's time. A clock that agrees with it is right, and a mark ahead of it was wrong. A clock that does
 * not agree is suspect, whatever it has seen: overrides are judged by the cloud's time, and never by one before the mark.
 */
export function hearCloud(trust: Trust, now: Moment, cloudTime: number): Trust {
  if (!Number.isFinite(cloudTime)) return trust
  const { wall, monotonic: markedAt } = now
  if (Math.abs(wall - cloudTime) <= WELL_BEHIND_MS) return { mark: wall, markedAt, suspect: false, known: true }
  return { mark: Math.max(advanced(trust, now), cloudTime), markedAt, suspect: true, known: true }
}

const advanced = (trust: Trust, now: Moment) => trust.mark + (now.monotonic - trust.markedAt)
