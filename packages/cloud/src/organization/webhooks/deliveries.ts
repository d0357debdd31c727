import type { Duty, WorkKind } from '../../platform/work/index.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { DELIVERIES, type DeliveryStore } from './delivery-store.ts'

/** At the same time in one worker. A tenant with many slow receivers fills its own places. */
const AT_ONCE = 32
export const PER_ORGANIZATION = 6
const SLOW_AT_ONCE = 16
const SLOW_MS = 2_000
const KEPT_MS = 30 * 86_400_000
const HOUR_MS = 3_600_000

/** Sends events to webhooks. */
export const deliveries = (deps: DeliverDeps): WorkKind<'webhook_delivery', 'id'> => ({
  name: 'webhook-delivery',
  rows: DELIVERIES,
  atOnce: AT_ONCE,
  perOrganization: PER_ORGANIZATION,
  slow: { afterMs: SLOW_MS, atOnce: SLOW_AT_ONCE, perOrganization: PER_ORGANIZATION },
  run: (lease) => deliver(deps, lease),
})

/** Forgets old events and their deliveries. */
export const forgetting = ({
  store,
  clock,
}: Pick<DeliverDeps, 'clock'> & { store: Pick<DeliveryStore, 'removeBefore'> }) =>
  ({
    name: 'webhook-log',
    everyMs: HOUR_MS,
    async run() {
      await store.removeBefore(new Date(clock.now() - KEPT_MS))
      return undefined
    },
  }) satisfies Duty
