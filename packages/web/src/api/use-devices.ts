import { collectItems } from '@plantroom/client/pages'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './service.ts'
import { useSite } from './use-site.ts'

/** Loads the controllers of this site. */
export function useDevices() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['devices', orgId, siteId],
    queryFn: () =>
      collectItems(
        (cursor) => api.listDevices({ orgId, query: { siteId, cursor } }),
        ({ devices }) => devices,
      ),
    refetchInterval: 10_000,
  })
}

/** Loads what is commissioned on a controller. */
export function useTechnicalSystems(deviceId: string | undefined) {
  const { orgId } = useSite()
  return useQuery({ ...technicalSystemsOf(orgId, deviceId ?? ''), enabled: deviceId !== undefined })
}

/** The same query for `useQueries`. */
export function technicalSystemsOf(orgId: string, deviceId: string) {
  return queryOptions({
    queryKey: ['technical-systems', orgId, deviceId],
    queryFn: async () => (await api.listTechnicalSystems({ orgId, deviceId })).technicalSystems,
    staleTime: 30_000,
  })
}
