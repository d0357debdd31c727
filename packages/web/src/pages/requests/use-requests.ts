import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { type RequestFilters, toTicketFilters } from './request-filters.ts'

const PAGE = 50

/** The requests that match, the newest first, page after page. Those found before stay until the others are there. */
export function useRequests(filters: RequestFilters) {
  const { orgId, siteId } = useSite()
  return useInfiniteQuery({
    queryKey: ['tickets', orgId, siteId, 'list', filters],
    queryFn: ({ pageParam }) =>
      ticketsOf(orgId, siteId).list({ ...toTicketFilters(filters), limit: PAGE, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** How many match in all. */
export function useRequestCount(filters: RequestFilters) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'count', filters],
    queryFn: () => ticketsOf(orgId, siteId).count(toTicketFilters(filters)),
  })
}
