import { useCallback } from 'react'
import { api } from './service.ts'
import { useSite } from './use-site.ts'

/** Returns a function that collects what the service knows about problems of this site. */
export function useProblemReport() {
  const { orgId, siteId } = useSite()
  return useCallback(() => api.getProblemReport({ orgId, siteId }), [orgId, siteId])
}
