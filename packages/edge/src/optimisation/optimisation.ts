import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ClaimSink, Meter } from './claim-sink.ts'
import { type Conductor, startConductor } from './conductor.ts'
import { type Schedules, startSchedules } from './schedules.ts'

/** Peak shaving and cloud schedules of all technical systems. They write no equipment: they state claims. */
export interface Optimisation {
  /** Makes local optimisation of this system what it says. Schedules are followed at once, what did not change goes on. */
  apply(system: TechnicalSystem): void
  /** Ends it for a system and lets go of everything that it held. */
  remove(systemId: string): void
  /** States what every schedule wants at this moment, before it returns. */
  evaluateNow(): void
  /** Ends it with the process. Claims stay as they are: the next start goes on from them. */
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
