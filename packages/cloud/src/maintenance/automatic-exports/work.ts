import type { Duty, WorkKind } from '../../platform/work/index.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { DELIVERIES } from './delivery-store.ts'
import { removeRunsBefore } from './run-store.ts'
import { type SchedulerDeps, schedule } from './scheduler.ts'

export type AutomaticExportDeps = SchedulerDeps & DeliverDeps

const LOOK_MS = 1_000
/** Many packages are sent sooner. */
const SLOW_MS = 10_000
const HOUR_MS = 3_600_000
/** How long the history keeps runs. */
const KEPT_MS = 400 * 24 * HOUR_MS

/** Sends packages to targets. A slow target fills the places of its own organization. */
export const deliveries = (deps: DeliverDeps): WorkKind<'automatic_export_delivery', 'run_id' | 'target_id'> => ({
  name: 'export-delivery',
  rows: DELIVERIES,
  atOnce: 6,
  perOrganization: 2,
  slow: { afterMs: SLOW_MS, atOnce: 6, perOrganization: 2 },
  run: (lease, tools) => deliver(deps, lease, tools),
})

/** Starts exports that are due, hands ended ones over to delivery, and forgets old ones. */
export const duties = (deps: SchedulerDeps): Duty[] => [
  {
    name: 'automatic-exports',
    everyMs: LOOK_MS,
    async run() {
      await schedule(deps)
      return undefined
    },
  },
  {
    name: 'automatic-export-history',
    everyMs: HOUR_MS,
    async run() {
      await removeRunsBefore(deps.db, new Date(deps.clock.now() - KEPT_MS))
      return undefined
    },
  },
]
