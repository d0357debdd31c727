import { collectItems } from '@plantroom/client/pages'
import { MAX_CHANGED } from '@plantroom/contract/api'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { invalidate, useChange, useOperation } from '../../api/use-operation.ts'
import { usePages } from '../../api/use-pages.ts'
import { useSite } from '../../api/use-site.ts'
import { type RequestFilters, toFilterQuery, toQuery } from './request-filters.ts'

const PAGE = 50

/** Loads the matching requests in their order, page by page. Earlier results stay until the new ones arrive. */
export function useRequests(filters: RequestFilters) {
  return usePages('listRequests', { query: { ...toQuery(filters), limit: PAGE } }, ({ tickets }) => tickets, {
    placeholderData: keepPreviousData,
  })
}

/** Counts the matching requests, and by state those that match the other filters. */
export function useRequestCounts(filters: RequestFilters) {
  return useOperation('getRequestCounts', { query: toFilterQuery(filters) }, { placeholderData: keepPreviousData })
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
  const onSuccess = () => void invalidate('listTags')
  return { change: useChange('changeRequests', { onSuccess }), undo: useChange('undoRequestChanges', { onSuccess }) }
}

/** Loads the saved views of the site and of the signed-in person. */
export function useSavedViews() {
  return useOperation('listRequestViews', {}, { select: ({ views }) => views, staleTime: 60_000 })
}
