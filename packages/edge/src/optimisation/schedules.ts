import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { type ClaimSink, type Want, withdrawUndriven } from './claim-sink.ts'
import { nextCheck, type Slot, slotsOf, wantAt } from './schedule.ts'
import { DEFAULT_TIME_ZONE, siteTimeAt } from './site-time.ts'

/** The cloud schedules of one technical system. The device has them whole, so they need no cloud. */
export interface Schedules {
  /** Goes by what the system says now, at once; datapoints that no schedule drives any more are let go. */
  replace(system: TechnicalSystem): void
  /** States what each schedule wants at this moment. */
  evaluate(): void
  /** Looks no more. Claims stay: whoever starts anew looks at once. */
  close(): void
}

export function startSchedules(deps: { system: TechnicalSystem; sink: ClaimSink; clock: Clock; log: Log }): Schedules {
  const { sink, clock, log } = deps
  let timeZone = DEFAULT_TIME_ZONE
  // By the datapoint they drive: two schedules of one datapoint are one list, else each would withdraw the other's claim.
  let slotsByDatapoint: ReadonlyMap<string, readonly Slot[]> = new Map()
  let cancel = () => {}

  function replace(system: TechnicalSystem): void {
    const before = new Set(slotsByDatapoint.keys())
    timeZone = system.timeZone ?? DEFAULT_TIME_ZONE
    slotsByDatapoint = gather(system)
    const driven = new Set(slotsByDatapoint.keys())
    withdrawUndriven(sink, 'deviation', { system, before, driven })
    if (driven.size > 0 && !siteTimeAt(timeZone, clock.now())) {
      log.error({ technicalSystem: system.name, timeZone }, 'the time zone is not known here: no schedule is followed')
    }
    look()
  }

  function look(): void {
    cancel()
    cancel = slotsByDatapoint.size > 0 ? clock.after(nextCheck(clock.now()), look) : () => {}
    evaluate()
  }

  function evaluate(): void {
    const at = siteTimeAt(timeZone, clock.now())
    for (const [datapointId, slots] of slotsByDatapoint) {
      const want: Want | undefined = at && wantAt(slots, at)
      sink.claim(datapointId, 'deviation', want)
    }
  }

  replace(deps.system)
  return { replace, evaluate, close: () => cancel() }
}

function gather({ schedules = [] }: TechnicalSystem): ReadonlyMap<string, readonly Slot[]> {
  const gathered = new Map<string, Slot[]>()
  for (const schedule of schedules) {
    const slots = gathered.get(schedule.datapointId) ?? []
    gathered.set(schedule.datapointId, slots)
    for (const slot of slotsOf(schedule)) slots.push(slot)
  }
  return gathered
}
