import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { explainConflicts } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createLabelStore, type LabelStore } from './label-store.ts'

/** Lists the units and tags of a site, and adds and removes units. Requests create their tags. */
export function labelRoutes(
  app: FastifyInstance,
  { labels, activity }: { labels: Pick<LabelStore, 'list'>; activity: ActivityLog },
): void {
  addRoute(app, API.listUnits, async ({ params, query }) => {
    const { items: units, next } = await labels.list('unit', params.propertyId, query)
    return { units, nextCursor: next }
  })

  addRoute(app, API.listTags, async ({ params, query }) => {
    const { items: tags, next } = await labels.list('tag', params.propertyId, query)
    return { tags, nextCursor: next }
  })

  addRoute(app, API.addUnit, async (request) => {
    const { orgId, propertyId: siteId } = request.params
    const added = { id: newId('unit'), name: request.body.name.trim() }
    const change = activity.change(request, async (tx, note) => {
      await createLabelStore(tx).addUnit(siteId, added)
      note({ organizationId: orgId, siteId, action: 'unit-added', subject: { kind: 'unit', ...added } })
    })
    await explainConflicts(change, {
      unit_site_id_name_key: new Failure('conflict', `this site already has a unit "${shown(added.name)}"`),
    })
    return added
  })

  addRoute(app, API.removeUnit, async (request) => {
    const { orgId, propertyId: siteId, unitId } = request.params
    await activity.change(request, async (tx, note) => {
      const removed = await createLabelStore(tx).removeUnit(siteId, unitId)
      if (!removed) throw new Failure('notFound', `this site has no unit ${shown(unitId)}`)
      note({ organizationId: orgId, siteId, action: 'unit-removed', subject: { kind: 'unit', ...removed } })
    })
  })
}
