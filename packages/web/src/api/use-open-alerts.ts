import type { OperationReply } from '@plantroom/client/client'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { useQueries } from '@tanstack/react-query'
import { operation } from './use-operation.ts'
import { usePages } from './use-pages.ts'
import { useSite } from './use-site.ts'

const EVERY_MS = 20_000
/** More than a person reads one by one. */
const MOST = 100

/** Loads the newest open alerts of each organization, also while the tab is hidden. */
export function useOpenAlerts(organizations: readonly SignedInOrganization[]) {
  const withSites = organizations.filter(({ sites, isAdmin }) => isAdmin || sites.length > 0)
  return useQueries({
    queries: withSites.map(({ id: orgId }) => ({
      ...operation('listAlerts', { orgId, query: { open: 'true', limit: MOST } }),
      select: ({ alerts, nextCursor }: OperationReply<'listAlerts'>) => ({
        orgId,
        alerts,
        hasMore: nextCursor !== null,
      }),
      refetchInterval: EVERY_MS,
      refetchIntervalInBackground: true,
    })),
  })
}

/** All that one controller may open in two hours. */
const MOST_OF_SITE = 200

/** Loads the open alerts of this site, the newest first: the page, the navigation and the overview share them. */
export function useOpenSiteAlerts(everyMs = EVERY_MS) {
  const { siteId } = useSite()
  const asked = { query: { siteId, open: 'true', limit: MOST_OF_SITE } } as const
  return usePages('listAlerts', asked, ({ alerts }) => alerts, { refetchInterval: everyMs })
}
