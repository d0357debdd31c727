import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createAlertStore } from './alert-store.ts'
import { sitesOf } from './visible-sites.ts'

/** Lists alerts, and gets and sets the rules by which they open and close. */
export function alertRoutes(app: FastifyInstance, { db, activity }: { db: Db; activity: ActivityLog }): void {
  addRoute(app, API.listAlerts, async (request) => {
    const { open, kind, siteId, deviceId, limit, cursor } = request.query
    const { alerts, next } = await createAlertStore(db).list({
      organizationId: request.params.orgId,
      siteIds: sitesOf(request.siteIds, siteId),
      open: open === undefined ? undefined : open === 'true',
      kind,
      deviceId,
      limit,
      cursor,
    })
    return { alerts, nextCursor: next }
  })

  addRoute(app, API.getAlertRules, ({ params }) => createAlertStore(db).rulesOf(params.orgId))

  addRoute(app, API.setAlertRules, async (request) => {
    const { orgId: organizationId } = request.params
    const { rules, recipients } = request.body
    return activity.change(request, async (tx, note) => {
      const store = createAlertStore(tx)
      const siteIds = [...new Set(recipients?.flatMap((recipient) => recipient.siteIds ?? []))]
      if ((await store.ownSites(organizationId, siteIds)) !== siteIds.length) {
        throw new Failure('invalid', 'recipients names a site that this organization does not have', 'recipients')
      }
      await store.setRules(organizationId, { rules, recipients })
      const details = { recipients: recipients?.length ?? 'administrators' }
      note({ organizationId, action: 'alert-rules-changed', details })
      return store.rulesOf(organizationId)
    })
  })
}
