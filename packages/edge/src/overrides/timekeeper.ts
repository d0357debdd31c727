import type { Clock } from '@plantroom/base/clock'
import type { Change } from '../store/commits.ts'
import type { FactStore } from '../store/fact-store.ts'
import { hearCloud, judge, judgeAtBoot, observe, type Trust, trustAtBoot } from './clock-trust.ts'
import type { Moment } from './step.ts'

const LATEST_TIME = 'latest-time'
/** How long the cloud's time is extrapolated. It is asked for again much sooner. */
const CLOUD_TIME_KEEPS_MS = 60 * 60_000

/** The time by which overrides are judged, from the controller's clock, the cloud and what was recorded on disk. */
export interface Timekeeper {
  now(): Moment
  /** The time for the first look after a start. */
  atBoot(): Moment
  /** The clock is wrong or may be: new overrides are refused. */
  suspect(): boolean
  /** The time is known: overrides may be applied. */
  known(): boolean
  heardCloudTime(time: number): void
  /** Records the latest time, so that a power cut does not take the controller back before it. */
  remember(to: Change): void
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
    // Compared at every look, so that a clock that is stepped is not believed until the cloud is asked again.
    const since = heard && seen.monotonic - heard.at
    if (heard && since !== undefined && since <= CLOUD_TIME_KEEPS_MS) {
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
  }
}
