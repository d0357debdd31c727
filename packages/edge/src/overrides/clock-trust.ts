import type { Moment } from './timeline.ts'

/** Two clocks never agree exactly, and the cloud's time is known to half a round trip. Within this, they agree. */
export const NOISE_MS = 2_000
/** At a start, a clock that was off the cloud's time by more than this is not used without the cloud. */
const FAR_MS = 60_000
/** After a start, how long the cloud has to send the time before the controller goes on without it. */
export const GRACE_MS = 3_000

/**
 * Which time is right. The cloud's decides from the first time it is heard, and continues by the monotonic clock when the
 * link is down: no step of the controller's own clock changes it. Until then the controller has its own clock, and the
 * difference from the cloud's that it recorded before the start.
 */
export interface Trust {
  /**
   * The latest time ever seen, as of the monotonic time `markedAt`. It advances with the monotonic clock: setting the
   * clock back and restarting must not lengthen a hold.
   */
  mark: number
  markedAt: number
  /** The cloud's time minus the monotonic clock, heard or from the recorded difference. Without it, the own clock counts. */
  cloudOffset: number | undefined
  /** Overrides may be applied, and new ones are accepted. */
  known: boolean
  /** While the recorded difference may be outdated: the monotonic time from which on the later of both times counts. */
  doubtUntil?: number
}

/** What the journal says: the latest time, and the cloud's time minus that of the controller's clock. */
export interface Recorded {
  mark?: number | undefined
  difference?: number | undefined
}

/**
 * The clock may have been set, or may have stood still, while the controller was off. The latest time in the journal says
 * whether the clock can be right, with the recorded difference or without. If both can, only the cloud can tell: if the
 * clock was corrected meanwhile, the difference is wrong, and would lengthen holds.
 */
export function trustAtBoot(now: Moment, { mark = now.wall, difference = 0 }: Recorded = {}): Trust {
  const { wall, monotonic: markedAt } = now
  const corrected = wall + difference
  const off = Math.abs(difference)
  const fits = (time: number) => time >= mark - NOISE_MS
  if (off <= NOISE_MS || !fits(corrected) || (off > FAR_MS && !fits(wall))) {
    return { mark: Math.max(wall, mark), markedAt, cloudOffset: undefined, known: fits(wall) }
  }
  const reckoned = { mark: Math.max(corrected, mark), markedAt, cloudOffset: corrected - markedAt }
  if (!fits(wall)) return { ...reckoned, known: true }
  const doubtUntil = off > FAR_MS ? Number.POSITIVE_INFINITY : markedAt + GRACE_MS
  return { ...reckoned, known: false, doubtUntil }
}

/** Returns the time by which overrides are judged. */
export function judge(trust: Trust, now: Moment): number {
  if (trust.cloudOffset !== undefined) return now.monotonic + trust.cloudOffset
  return trust.known ? now.wall : Math.max(now.wall, advanced(trust, now))
}

/** Returns the time for the first evaluation after a start. A clock that was set back meanwhile does not lengthen a hold. */
export function judgeAtBoot(trust: Trust, now: Moment): number {
  return Math.max(judge(trust, now), advanced(trust, now))
}

/** Advances the mark. An own clock that was behind has caught up when it reaches the mark. */
export function observe(trust: Trust, now: Moment): Trust {
  const mark = advanced(trust, now)
  const { wall, monotonic: markedAt } = now
  if (trust.cloudOffset === undefined) {
    return { ...trust, mark: Math.max(wall, mark), markedAt, known: trust.known || wall >= mark - NOISE_MS }
  }
  const { doubtUntil, ...settled } = trust
  if (doubtUntil === undefined || markedAt < doubtUntil) return { ...trust, mark, markedAt }
  // A hold that ends early is safe, one that ends late is not.
  const isOwnLater = wall > judge(trust, now)
  return {
    ...settled,
    mark: Math.max(wall, mark),
    markedAt,
    known: true,
    ...(isOwnLater && { cloudOffset: undefined }),
  }
}

/** Takes in the cloud's time. From now on it decides, whatever was seen before. */
export function hearCloud(trust: Trust, now: Moment, cloudTime: number): Trust {
  if (!Number.isFinite(cloudTime)) return trust
  const { monotonic: markedAt } = now
  return { mark: cloudTime, markedAt, cloudOffset: cloudTime - markedAt, known: true }
}

/** Returns the cloud's time minus that of the controller's clock, as far as it is known; 0 where the own clock counts. */
export function differenceOf(trust: Trust, now: Moment): number {
  return trust.cloudOffset === undefined ? 0 : Math.round(judge(trust, now) - now.wall)
}

const advanced = (trust: Trust, now: Moment) => trust.mark + (now.monotonic - trust.markedAt)
