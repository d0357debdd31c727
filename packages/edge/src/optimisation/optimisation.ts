import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ClaimSink } from './claim-sink.ts'
import { type Conductor, startConductor } from './conductor.ts'
import type { Meter } from './meter.ts'
import { type Schedules, startSchedules } from './schedules.ts'

/** Peak shaving and cloud schedules of all technical systems. They state claims and never write to equipment. */
export interface Optimisation {
  /** Follows the system's settings. Schedules take effect immediately; unchanged parts keep running. */
  apply(system: TechnicalSystem): void
  /** Stops optimising a system and releases everything it holds. */
  remove(systemId: string): void
  /** States what every schedule wants now. */
  evaluateNow(): void
  /** Stops everything. Claims stay, and the next start continues from them. */
  close(): void
}

export function createOptimisation(deps: { sink: ClaimSink; meter: Meter; clock: Clock; log: Log }): Optimisation {
  const { sink, meter, clock, log } = deps
  const running = new Map<string, { conductor: Conductor; schedules: Schedules }>()

  function apply(system: TechnicalSystem): void {
    const known = running.get(system.id)
    if (known) {
      known.conductor.replace(system)
      known.schedules.replace(system)
      return
    }
    const conductor = startConductor({ system, sink, meter, clock, log })
    const schedules = startSchedules({ system, sink, clock, log })
    running.set(system.id, { conductor, schedules })
  }

  return {
    apply,
    remove(systemId) {
      if (!running.has(systemId)) return
      apply({ id: systemId, name: systemId, connections: [] })
      running.delete(systemId)
    },
    evaluateNow() {
      for (const { schedules } of running.values()) schedules.evaluate()
    },
    close() {
      for (const { conductor, schedules } of running.values()) {
        conductor.close()
        schedules.close()
      }
    },
  }
}
