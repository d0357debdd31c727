import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createAlertWorkStore } from './alert-work-store.ts'

const LONGEST_SNOOZE_MS = 30 * 86_400_000

/** Shows one alert, and lets people acknowledge, assign and snooze it, and write notes about it. */
export function alertWorkRoutes(
  app: FastifyInstance,
  { db, activity, clock }: { db: Db; activity: ActivityLog; clock: Clock },
): void {
  addRoute(app, API.getAlert, ({ params }) => createAlertWorkStore(db).show(placeOf(params)))

  addRoute(app, API.changeAlert, async (request) => {
    const place = placeOf(request.params)
    const { snoozedUntil, ...change } = request.body
    if (Object.keys(request.body).length === 0) {
      throw new Failure('invalid', 'give at least one of: acknowledged, assignee, snoozedUntil, note', 'body')
    }
    const until = snoozedUntil == null ? snoozedUntil : readSnooze(snoozedUntil, clock.now())
    const done = { at: new Date(clock.now()), by: request.actor.name ?? request.actor.kind }
    return activity.change(request, async (tx, note) => {
      const store = createAlertWorkStore(tx)
      const steps = await store.change(place, { ...change, snoozedUntil: until }, done)
      const shown = await store.show(place)
      if (steps.length > 0) {
        const { organizationId, siteId, alertId: id } = place
        const subject = { kind: 'alert', id, name: shown.alert.kind } as const
        note({ organizationId, siteId, action: 'alert-changed', subject, details: { steps } })
      }
      return shown
    })
  })
}

function placeOf({ orgId, siteId, alertId }: { orgId: string; siteId: string; alertId: string }) {
  return { organizationId: orgId, siteId, alertId }
}

function readSnooze(given: string, now: number): Date {
  const at = parseTimestamp(given)
  if (at === undefined || at <= now || at > now + LONGEST_SNOOZE_MS) {
    throw new Failure('invalid', 'snoozedUntil must be a time within the next 30 days', 'snoozedUntil')
  }
  return new Date(at)
}
