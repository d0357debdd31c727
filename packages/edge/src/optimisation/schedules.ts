import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { DEFAULT_TIME_ZONE, siteTimeAt } from '@plantroom/contract/site-time'
import { type ClaimSink, type Want, withdrawUndriven } from './claim-sink.ts'
import { nextCheck, type Slot, slotsOf, wantAt } from './schedule.ts'

/** Follows the cloud schedules of one technical system. The device has complete schedules, so it needs no cloud. */
export interface Schedules {
  /** Follows the system's new schedules immediately. Releases datapoints that no schedule drives any more. */
  replace(system: TechnicalSystem): void
  /** States what each schedule wants now. */
  evaluate(): void
  /** Stops evaluating. Claims stay until the next start, which evaluates immediately. */
  close(): void
}

export function startSchedules(deps: { system: TechnicalSystem; sink: ClaimSink; clock: Clock; log: Log }): Schedules {
  const { sink, clock, log } = deps
  let timeZone = DEFAULT_TIME_ZONE
  // Grouped by datapoint: two schedules on one datapoint would otherwise withdraw each other's claims.
  let slotsByDatapoint: ReadonlyMap<string, readonly Slot[]> = new Map()
  let cancel = () => {}

  function replace(system: TechnicalSystem): void {
    const before = new Set(slotsByDatapoint.keys())
    timeZone = system.timeZone ?? DEFAULT_TIME_ZONE
    slotsByDatapoint = groupSlots(system)
    const driven = new Set(slotsByDatapoint.keys())
    withdrawUndriven(sink, 'deviation', { system, before, driven })
    if (driven.size > 0 && !siteTimeAt(timeZone, clock.now())) {
      log.error(
        { technicalSystem: system.name, timeZone },
        "the site's time zone is unknown, so no schedule is followed; correct it",
      )
    }
    tick()
  }

  function tick(): void {
    cancel()
    cancel = slotsByDatapoint.size > 0 ? clock.after(nextCheck(clock.now()), tick) : () => {}
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

function groupSlots({ schedules = [] }: TechnicalSystem): ReadonlyMap<string, readonly Slot[]> {
  const grouped = new Map<string, Slot[]>()
  for (const schedule of schedules) {
    const slots = grouped.get(schedule.datapointId) ?? []
    grouped.set(schedule.datapointId, slots)
    for (const slot of slotsOf(schedule)) slots.push(slot)
  }
  return grouped
}
