import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { explainConflicts } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createViewStore, type ViewStore } from './view-store.ts'

/** More tabs than anyone reads. */
const MAX_VIEWS = 50

interface ViewRouteDeps {
  views: Pick<ViewStore, 'list' | 'find'>
  activity: ActivityLog
  clock: Clock
}

/** Saves views of the list of requests, for a person or for everybody on the site. */
export function viewRoutes(app: FastifyInstance, { views, activity, clock }: ViewRouteDeps): void {
  addRoute(app, API.listRequestViews, async (request) => ({
    views: await views.list(request.params.propertyId, request.userId),
  }))

  addRoute(app, API.addRequestView, async (request) => {
    refuseKeys(request)
    const { orgId, propertyId: siteId } = request.params
    const { query, shared } = request.body
    const name = request.body.name.trim()
    const owner = shared ? null : ownerOf(request)
    if (shared) requireManager(request, siteId)
    const added = { id: newId('view'), name, query, shared }
    const change = activity.change(request, async (tx, note) => {
      const store = createViewStore(tx)
      if ((await store.count(siteId, owner)) >= MAX_VIEWS) {
        throw new Failure('conflict', `there are ${MAX_VIEWS} views already: remove one first`)
      }
      await store.add(siteId, owner, { ...added, createdAt: new Date(clock.now()) })
      // The name and the query may contain names of people.
      const subject = subjectOf(added.id)
      note({ organizationId: orgId, siteId, action: 'request-view-added', subject, details: { shared } })
    })
    await explainConflicts(change, {
      request_view_name: new Failure('conflict', `a view has the name ${shown(name)} already: choose another`, 'name'),
    })
    return added
  })

  addRoute(app, API.removeRequestView, async (request) => {
    const { orgId, propertyId: siteId, viewId } = request.params
    const view = await views.find(siteId, request.userId, viewId)
    if (!view) throw new Failure('notFound', `this site has no view ${shown(viewId)}`)
    refuseKeys(request)
    if (view.shared) requireManager(request, siteId)
    await activity.change(request, async (tx, note) => {
      await createViewStore(tx).remove(siteId, viewId)
      const details = { shared: view.shared }
      note({ organizationId: orgId, siteId, action: 'request-view-removed', subject: subjectOf(viewId), details })
    })
  })
}

const subjectOf = (id: string) => ({ kind: 'request-view', id, name: null }) as const

/** The console has views, and programs have filters. */
function refuseKeys({ keyId }: Pick<FastifyRequest, 'keyId'>): void {
  if (keyId === undefined) return
  throw new Failure('forbidden', 'an API key can list views, not save or remove them: sign in to the console for that')
}

/** The operator is not a person, and has no views of their own. */
function ownerOf({ userId }: Pick<FastifyRequest, 'userId'>): string {
  if (userId !== undefined) return userId
  throw new Failure('invalid', 'shared must be true: only signed-in people have views of their own', 'shared')
}

/** A shared view changes what everybody on the site sees. */
function requireManager({ managedSiteIds }: Pick<FastifyRequest, 'managedSiteIds'>, siteId: string): void {
  if (managedSiteIds === 'all' || (managedSiteIds !== 'none' && managedSiteIds.has(siteId))) return
  throw new Failure('forbidden', 'views of the whole site are saved and removed by managers: save it for yourself')
}
