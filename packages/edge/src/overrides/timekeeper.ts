import type { Clock } from '@plantroom/base/clock'
import type { Change } from '../store/commits.ts'
import type { FactStore } from '../store/fact-store.ts'
import {
  differenceOf,
  GRACE_MS,
  hearCloud,
  judge,
  judgeAtBoot,
  NOISE_MS,
  observe,
  type Trust,
  trustAtBoot,
} from './clock-trust.ts'
import type { Moment } from './timeline.ts'

const LATEST_TIME = 'latest-time'
const CLOUD_DIFFERENCE = 'cloud-difference'
/** How often to check whether the controller's clock has been corrected. */
const LOOK_MS = 1_000
/**
 * A correction back by no more than this is waited for: the time stands still. Answers of the cloud differ by up to 2 s,
 * and the clocks of its processes by as much.
 */
const STANDS_STILL_MS = 5_000

/**
 * The time by which everything is judged and dated, from the cloud's time, the controller's clock and the journal. It goes
 * back only when the cloud corrects it by more than a few seconds, which is when the controller did not know the time.
 */
export interface Timekeeper {
  now(): Moment
  /** Returns the time for the first evaluation after a start. */
  atBoot(): Moment
  /** Reports whether the time is unknown. Then no override is applied, and new ones are rejected. */
  suspect(): boolean
  heardCloudTime(time: number): void
  /** Records the latest time, so that a power cut does not take the controller back before it, and the known difference. */
  remember(to: Change): void
  /** Reports whether the journal says something else than what is known now, because the cloud has corrected it. */
  isCorrected(): boolean
}

export function createTimekeeper({ facts, clock }: { facts: FactStore; clock: Clock }): Timekeeper {
  const recorded = () => ({ mark: facts.number(LATEST_TIME), difference: facts.number(CLOUD_DIFFERENCE) })
  let trust: Trust = trustAtBoot(moment(), recorded())
  let latest = Number.NEGATIVE_INFINITY

  function moment(): Moment {
    return { wall: clock.now(), monotonic: clock.monotonic() }
  }

  function look(): Moment {
    const seen = moment()
    trust = observe(trust, seen)
    return seen
  }

  function timed(seen: Moment, time: number): Moment {
    const wall = Math.floor(time)
    if (wall > latest || wall < latest - STANDS_STILL_MS) latest = wall
    return { wall: latest, monotonic: seen.monotonic }
  }

  return {
    now() {
      const seen = look()
      return timed(seen, judge(trust, seen))
    },
    atBoot() {
      const seen = look()
      return timed(seen, judgeAtBoot(trust, seen))
    },
    suspect() {
      look()
      return !trust.known
    },
    heardCloudTime(time) {
      trust = hearCloud(trust, look(), time)
    },
    remember(to) {
      const seen = look()
      facts.put(to, LATEST_TIME, Math.floor(trust.mark))
      if (trust.known) facts.put(to, CLOUD_DIFFERENCE, differenceOf(trust, seen))
    },
    isCorrected() {
      const seen = look()
      const { mark = 0, difference = 0 } = recorded()
      const isOther = trust.known && Math.abs(differenceOf(trust, seen) - difference) > NOISE_MS
      return isOther || mark > trust.mark + NOISE_MS
    },
  }
}

/** A pending wait for the time. */
export interface TimeWait {
  /** Checks now whether the time is known. */
  look(): void
  close(): void
}

/** Calls `onKnown` once the time is known. Calls `onTooLong` first when that takes longer than the grace period. */
export function waitForTime(deps: {
  known: () => boolean
  clock: Clock
  onKnown: () => void
  onTooLong: () => void
}): TimeWait {
  const { known, clock, onKnown, onTooLong } = deps
  let isOver = false
  let cancelLook = () => {}
  const cancelGrace = clock.after(GRACE_MS, () => {
    look()
    if (!isOver) onTooLong()
  })

  function look(): void {
    if (isOver) return
    cancelLook()
    if (known()) {
      close()
      onKnown()
    } else cancelLook = clock.after(LOOK_MS, look)
  }

  function close(): void {
    isOver = true
    cancelLook()
    cancelGrace()
  }

  look()
  return { look, close }
}
