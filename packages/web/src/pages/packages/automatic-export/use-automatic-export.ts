import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'

const POLL_MS = 15_000

/** The automatic export of the site, and how to read it and its runs again. */
export function useAutomaticExport() {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const queryKey = ['automatic-export', orgId, siteId]
  const query = useQuery({
    queryKey,
    queryFn: () => api.getAutomaticExport({ orgId, propertyId: siteId }),
    refetchInterval: POLL_MS,
  })
  // Also the keys that begin with it: the runs.
  return { query, refresh: () => client.invalidateQueries({ queryKey }) }
}
