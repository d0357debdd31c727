import { collectItems } from '@plantroom/client/pages'
import { MAX_CHANGED, type RequestChanges } from '@plantroom/contract/api'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { type RequestFilters, toFilterQuery, toQuery } from './request-filters.ts'

const PAGE = 50

/** Loads the matching requests in their order, page by page. Earlier results stay until the new ones arrive. */
export function useRequests(filters: RequestFilters) {
  const { orgId, siteId } = useSite()
  return useInfiniteQuery({
    queryKey: ['tickets', orgId, siteId, 'list', filters],
    queryFn: ({ pageParam }) =>
      api.listRequests({
        orgId,
        propertyId: siteId,
        query: { ...toQuery(filters), limit: PAGE, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Counts the matching requests, and by state those that match the other filters. */
export function useRequestCounts(filters: RequestFilters) {
  const { orgId, siteId } = useSite()
  const query = toFilterQuery(filters)
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'counts', query],
    queryFn: () => api.getRequestCounts({ orgId, propertyId: siteId, query }),
    placeholderData: keepPreviousData,
  })
}

/** Loads the numbers of all matching requests, up to the limit of one change. */
export function useMatchingNumbers() {
  const { orgId, siteId } = useSite()
  return useMutation({
    mutationFn: (filters: RequestFilters) =>
      collectItems(
        (cursor) =>
          api.listRequests({
            orgId,
            propertyId: siteId,
            query: { ...toQuery(filters), limit: MAX_CHANGED, cursor },
          }),
        ({ tickets }) => tickets.map(({ number }) => number),
        MAX_CHANGED,
      ),
  })
}

/** Changes many requests, and undoes that. */
export function useBulkChange() {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['tags', orgId, siteId] })
    await client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] })
  }
  const change = useMutation({
    mutationFn: ({ numbers, changes }: { numbers: readonly number[]; changes: RequestChanges }) =>
      api.changeRequests({ orgId, propertyId: siteId, body: { numbers, ...changes } }),
    onSettled: refresh,
  })
  const undo = useMutation({
    mutationFn: (undoId: string) => api.undoRequestChanges({ orgId, propertyId: siteId, undoId }),
    onSettled: refresh,
  })
  return { change, undo }
}

/** Loads the saved views of the site and of the signed-in person. */
export function useSavedViews() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['request-views', orgId, siteId],
    queryFn: async () => (await api.listRequestViews({ orgId, propertyId: siteId })).views,
    staleTime: 60_000,
  })
}

export function useSaveView() {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; query: string; shared: boolean }) =>
      api.addRequestView({ orgId, propertyId: siteId, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['request-views', orgId, siteId] }),
  })
}

export function useRemoveView() {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (viewId: string) => api.removeRequestView({ orgId, propertyId: siteId, viewId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['request-views', orgId, siteId] }),
  })
}
