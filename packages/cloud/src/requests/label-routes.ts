import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { addRoute } from '../routes/index.ts'
import type { LabelStore } from './label-store.ts'

/** Lists the units and tags of a site, and adds and removes units. Requests create their tags. */
export function labelRoutes(app: FastifyInstance, { labels }: { labels: LabelStore }): void {
  addRoute(app, API.listUnits, async ({ params, query: { limit, cursor } }) => {
    const { found, next } = await labels.list('unit', params.propertyId, { limit, after: cursor })
    return { units: found, nextCursor: next }
  })

  addRoute(app, API.listTags, async ({ params, query: { limit, cursor } }) => {
    const { found, next } = await labels.list('tag', params.propertyId, { limit, after: cursor })
    return { tags: found, nextCursor: next }
  })

  addRoute(app, API.addUnit, async ({ params, body }) => {
    const added = { id: newId('unit'), name: body.name.trim() }
    await explainConflicts(labels.addUnit(params.propertyId, added), {
      unit_site_id_name_key: new Failure('conflict', `this site already has a unit "${shown(added.name)}"`),
    })
    return added
  })

  addRoute(app, API.removeUnit, async ({ params: { propertyId, unitId } }) => {
    if (!(await labels.removeUnit(propertyId, unitId))) {
      throw new Failure('notFound', `this site has no unit ${shown(unitId)}`)
    }
  })
}
