import type { SignedInOrganization } from '@plantroom/contract/roles'
import { useQueries } from '@tanstack/react-query'
import { operation } from '../../api/use-operation.ts'

/** Often enough to notice trouble, and no burden for a thousand sites. */
const EVERY_MS = 15_000

/** Loads the overview of each organization, and keeps it current. */
export function useOverviews(organizations: readonly SignedInOrganization[]) {
  return useQueries({
    queries: organizations.map(({ id: orgId, sites }) => ({
      ...operation('getOverview', { orgId }),
      refetchInterval: EVERY_MS,
      enabled: sites.length > 0,
    })),
  })
}

export type OverviewQuery = ReturnType<typeof useOverviews>[number]

/** After this time without an answer, what the page shows may no longer be so. */
export const STALE_MS = 2 * EVERY_MS
