import { queryOptions, useQuery } from '@tanstack/react-query'
import { administration } from './service.ts'
import { useSite } from './use-site.ts'

/** The devices of this site, with whether each is online. */
export function useDevices() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['devices', orgId],
    queryFn: () => administration.devices(orgId),
    select: (devices) => devices.filter((device) => device.siteId === siteId),
    refetchInterval: 10_000,
  })
}

/** What is commissioned on a device: the names and envelopes of its datapoints. */
export function useTechnicalSystems(deviceId: string | undefined) {
  const { orgId } = useSite()
  return useQuery({ ...technicalSystemsOf(orgId, deviceId ?? ''), enabled: deviceId !== undefined })
}

/** The same for `useQueries`, where there are several devices. */
export function technicalSystemsOf(orgId: string, deviceId: string) {
  return queryOptions({
    queryKey: ['technical-systems', orgId, deviceId],
    queryFn: () => administration.technicalSystems(orgId, deviceId),
    staleTime: 30_000,
  })
}
