import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { createGettingStartedStore } from './getting-started-store.ts'

/** Says which first steps an organization has done, and lets a person dismiss the list. */
export function gettingStartedRoutes(app: FastifyInstance, { db, activity }: { db: Db; activity: ActivityLog }): void {
  const store = createGettingStartedStore(db)
  const facts = async (orgId: string) => ({ steps: await store.steps(orgId), ...(await store.place(orgId)) })

  addRoute(app, API.getGettingStarted, async ({ params: { orgId }, userId }) => ({
    ...(await facts(orgId)),
    dismissed: userId !== undefined && (await store.isDismissed(userId, orgId)),
  }))

  addRoute(app, API.dismissGettingStarted, async (request) => {
    const { orgId } = request.params
    const { userId, email } = request
    const { dismissed } = request.body
    if (userId === undefined) {
      throw new Failure('invalid', 'only a signed-in person can dismiss the list: sign in to the console')
    }
    await activity.change(request, async (tx, note) => {
      if (!(await createGettingStartedStore(tx).setDismissed(userId, orgId, dismissed))) return
      const subject = { kind: 'person', id: userId, name: email ?? null } as const
      note({ organizationId: orgId, action: 'checklist-changed', subject, details: { dismissed } })
    })
    return { ...(await facts(orgId)), dismissed }
  })
}
