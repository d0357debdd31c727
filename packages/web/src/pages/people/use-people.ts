import type { OperationReply } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

const PAGE = 1000

export type Unit = OperationReply<'listUnits'>['units'][number]

/** Loads all units of the site, by name. */
export function useUnits() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['units', orgId, siteId, 'every'],
    queryFn: () =>
      collectItems(
        (cursor) => api.listUnits({ orgId, propertyId: siteId, query: { limit: PAGE, cursor } }),
        ({ units }) => units,
      ),
  })
}

/** Loads all people of the site, by address. */
export function usePeople() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['people', orgId, siteId, 'every'],
    queryFn: () =>
      collectItems(
        (cursor) => api.listPeople({ orgId, propertyId: siteId, query: { limit: PAGE, cursor } }),
        ({ people }) => people,
      ),
  })
}

/** Changes a list of the site, and refreshes the requests that show its names. */
export function useListChange<Variables, Result>(
  list: 'units' | 'people',
  change: (site: { orgId: string; propertyId: string }, variables: Variables) => Promise<Result>,
  onDone: (result: Result, variables: Variables) => void,
) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => change({ orgId, propertyId: siteId }, variables),
    async onSuccess(result, variables) {
      void client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] })
      await client.invalidateQueries({ queryKey: [list, orgId, siteId] })
      onDone(result, variables)
    },
  })
}
