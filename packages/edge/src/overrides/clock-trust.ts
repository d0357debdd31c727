import type { Moment } from './step.ts'

/** Further behind the latest time that was ever seen, a clock is not believed. */
const WELL_BEHIND_MS = 60_000

/**
 * Whether the wall clock may be believed. A controller that lost its battery starts in the past: windows that
 * have ended would come back to life, and new ones would be held at the wrong time.
 */
export interface Trust {
  /**
   * The latest wall time that was ever seen, as of the monotonic time `markedAt`. It goes on from there by itself: a
   * clock that was set back and a restart together must not lengthen what is held.
   */
  mark: number
  markedAt: number
  suspect: boolean
}

export function trustAtBoot(now: Moment, mark = now.wall): Trust {
  return {
    mark: Math.max(now.wall, mark),
    markedAt: now.monotonic,
    suspect: now.wall < mark - WELL_BEHIND_MS,
  }
}

/** Time by which windows are judged: while the clock is suspect it goes on from the mark. */
export function judge(trust: Trust, now: Moment): Moment {
  return trust.suspect ? judgeAtBoot(trust, now) : now
}

/** The first look after a start: what was held then never lasts longer because the clock was set back meanwhile. */
export function judgeAtBoot(trust: Trust, now: Moment): Moment {
  return { wall: Math.max(now.wall, goingOn(trust, now)), monotonic: now.monotonic }
}

/** The clock was looked at: the mark moves on. A suspect clock has caught up when it is where the mark is. */
export function observe(trust: Trust, now: Moment): Trust {
  return {
    mark: Math.max(now.wall, goingOn(trust, now)),
    markedAt: now.monotonic,
    suspect: trust.suspect && now.wall < goingOn(trust, now) - WELL_BEHIND_MS,
  }
}

/**
 * What time it is in the cloud. A clock that agrees with it is right, and a mark that is ahead of it was not; one that
 * does not agree is suspect, whatever it has seen: a window would be held at the wrong time.
 */
export function hearCloud(trust: Trust, now: Moment, cloudTime: number): Trust {
  if (!Number.isFinite(cloudTime)) return trust
  const { wall, monotonic: markedAt } = now
  if (Math.abs(wall - cloudTime) <= WELL_BEHIND_MS) return { mark: wall, markedAt, suspect: false }
  return { mark: Math.max(goingOn(trust, now), cloudTime), markedAt, suspect: true }
}

const goingOn = (trust: Trust, now: Moment) => trust.mark + (now.monotonic - trust.markedAt)
