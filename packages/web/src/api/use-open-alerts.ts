import type { OperationReply } from '@plantroom/client/client'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { useQueries } from '@tanstack/react-query'
import { operation } from './use-operation.ts'

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
