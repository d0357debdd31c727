import type { Clock } from '@plantroom/base/clock'
import type { Change } from '../store/commits.ts'
import type { FactStore } from '../store/fact-store.ts'
import { hearCloud, judge, judgeAtBoot, observe, type Trust, trustAtBoot } from './clock-trust.ts'
import type { Moment } from './timeline.ts'

const LATEST_TIME = 'latest-time'
/** How long the cloud's time is extrapolated. The link asks for it again much sooner. */
const CLOUD_TIME_VALID_MS = 60 * 60_000
/** After a start with a clock in the past, how long the cloud has to send the time before equipment is restored. */
const GRACE_MS = 3_000
/** How often to check whether the controller's clock has been corrected. */
const LOOK_MS = 1_000

/** The time by which overrides are judged, from the controller's clock, the cloud's time and the latest time on disk. */
export interface Timekeeper {
  now(): Moment
  /** Returns the time for the first evaluation after a start. */
  atBoot(): Moment
  /** Reports whether the clock is or may be wrong. New overrides are rejected then. */
  suspect(): boolean
  /** Reports whether the time is known, so that overrides may be applied. */
  known(): boolean
  heardCloudTime(time: number): void
  /** Records the latest time, so that a power cut does not take the controller back before it. */
  remember(to: Change): void
  /** Reports whether the recorded time is later than the one that is known now, because the cloud has corrected it. */
  isCorrected(): boolean
}

export function createTimekeeper({ facts, clock }: { facts: FactStore; clock: Clock }): Timekeeper {
  let trust: Trust = trustAtBoot(moment(), facts.number(LATEST_TIME))
  let heard: { cloudTime: number; at: number } | undefined

  function moment(): Moment {
    return { wall: clock.now(), monotonic: clock.monotonic() }
  }

  function look(): Moment {
    const seen = moment()
    trust = observe(trust, seen)
    // Compared every time, so that a stepped clock is not trusted until the next answer from the cloud.
    const since = heard && seen.monotonic - heard.at
    if (heard && since !== undefined && since <= CLOUD_TIME_VALID_MS) {
      trust = hearCloud(trust, seen, heard.cloudTime + since)
    }
    return seen
  }

  return {
    now() {
      const seen = look()
      return judge(trust, seen)
    },
    atBoot() {
      const seen = look()
      return judgeAtBoot(trust, seen)
    },
    suspect() {
      look()
      return trust.suspect
    },
    known() {
      look()
      return trust.known
    },
    heardCloudTime(time) {
      heard = { cloudTime: time, at: clock.monotonic() }
      look()
    },
    remember(to) {
      look()
      facts.put(to, LATEST_TIME, trust.mark)
    },
    isCorrected() {
      look()
      return (facts.number(LATEST_TIME) ?? 0) > trust.mark
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
