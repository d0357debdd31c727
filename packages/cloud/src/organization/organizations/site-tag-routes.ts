import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { changeSiteTags, type TagChanges } from './site-tag-store.ts'

/** More sites than this are counted in the activity log, not named. */
const MOST_NAMED = 10

/** Gives tags to sites and takes them away. Only administrators may: a role by tag follows the tags. */
export function siteTagRoutes(app: FastifyInstance, { activity }: { activity: ActivityLog }): void {
  addRoute(app, API.changeSiteTags, async (request) => {
    const { orgId: organizationId } = request.params
    const { siteIds, add = [], remove = [] } = request.body
    requireChange({ add, remove })
    return activity.change(request, async (tx, note) => {
      const { organization, sites, changed } = await changeSiteTags(tx, organizationId, siteIds, { add, remove })
      const [first, ...others] = changed
      const details = {
        ...(add.length > 0 && { add }),
        ...(remove.length > 0 && { remove }),
        sites: changed.length,
        ...(changed.length <= MOST_NAMED && { siteIds: changed.map(({ id }) => id) }),
      }
      const about = { organizationId, action: 'site-tags-changed', details } as const
      if (first && others.length === 0) {
        note({ ...about, siteId: first.id, subject: { kind: 'site', id: first.id, name: first.name } })
      } else if (first) {
        note({ ...about, subject: { kind: 'organization', id: organizationId, name: organization } })
      }
      return { sites }
    })
  })
}

function requireChange({ add, remove }: TagChanges): void {
  const both = add.find((tag) => remove.includes(tag))
  if (both !== undefined) throw new Failure('invalid', `"${shown(both)}" is in add and in remove: send it once`, 'add')
  if (add.length + remove.length === 0) throw new Failure('invalid', 'send tags in add or remove', 'body')
}
