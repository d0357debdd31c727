import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../../platform/db/change-feed.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Mirror, openMirror } from '../../platform/db/mirror.ts'
import type { AccessControl } from '../access/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { gettingStartedRoutes } from './getting-started-routes.ts'
import { organizationRoutes } from './organization-routes.ts'
import { type CachedSite, createOrganizationStore } from './organization-store.ts'
import { removalRoutes } from './removal-routes.ts'
import { setupRoutes } from './setup-routes.ts'
import { siteTagRoutes } from './site-tag-routes.ts'

export { removedSiteSweep } from './removed-files.ts'

/** All sites, in memory: authorization looks one up for almost every request. */
export type Sites = Mirror<CachedSite>

export function openSites(deps: { db: Db; feed: ChangeFeed; clock: Clock; log: Log }): Promise<Sites> {
  const { db, feed, clock, log } = deps
  const { loadSites: loadAll, loadSite: loadOne } = createOrganizationStore(db)
  return openMirror<CachedSite>({ table: 'site', feed, clock, log, loadAll, loadOne })
}

/** Adds the routes for organizations, their sites and the first setup. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; sites: Sites; access: AccessControl; activity: ActivityLog; clock: Clock; sendsMail: boolean },
): void {
  const { db, sites, access, activity, clock, sendsMail } = deps
  const organizations = createOrganizationStore(db)
  organizationRoutes(app, { organizations, activity, siteChanged: sites.refresh })
  siteTagRoutes(app, { activity })
  removalRoutes(app, { db, activity, clock, siteChanged: sites.refresh, keyRemoved: access.keys.refresh })
  gettingStartedRoutes(app, { db, activity })
  setupRoutes(app, { ...access, sendsMail, activity, siteChanged: sites.refresh })
}
