import { pages } from '@plantroom/client/history'
import type { ShownTicket, TicketChanges } from '@plantroom/client/tickets'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { type RequestFilters, toTicketFilters } from './request-filters.ts'

const PAGE = 50

/** Loads the matching requests, newest first, page by page. Earlier results stay until the new ones arrive. */
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

/** Counts the matching requests. */
export function useRequestCount(filters: RequestFilters) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'count', filters],
    queryFn: () => ticketsOf(orgId, siteId).count(toTicketFilters(filters)),
  })
}

/** Loads a request with the beginning of its conversation. */
export function useRequest(number: number) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'one', number],
    queryFn: () => ticketsOf(orgId, siteId).find(number),
  })
}

/** Loads the rest of a conversation on demand. */
export function useFurtherComments(ticket: ShownTicket, wanted: boolean) {
  const { orgId, siteId } = useSite()
  return useInfiniteQuery({
    queryKey: ['tickets', orgId, siteId, 'comments', ticket.number, ticket.commentsCursor],
    queryFn: ({ pageParam }) => ticketsOf(orgId, siteId).comments(ticket.number, pageParam ?? undefined),
    initialPageParam: ticket.commentsCursor,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: wanted && ticket.commentsCursor !== null,
  })
}

/** Changes a request. Changes of one request run in order, so the page shows the result of the last one. */
export function useChangeRequest(number: number) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    scope: { id: `request ${siteId} ${number}` },
    mutationFn: (changes: TicketChanges) => ticketsOf(orgId, siteId).change(number, changes),
    async onSuccess(changed, { tags }) {
      client.setQueryData(['tickets', orgId, siteId, 'one', number], changed)
      if (tags) await client.invalidateQueries({ queryKey: ['tags', orgId, siteId] })
      void client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] })
    },
  })
}

/** More names than anyone reads through. */
const MAX_NAMES = 10_000

/** Loads the people of the site, by address. */
export function usePeople() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['people', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).people(cursor),
        ({ people }) => people,
      ),
    staleTime: 60_000,
  })
}

/** Loads the names of the site's units. */
export function useUnitNames() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['units', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).units(cursor),
        ({ units }) => units.map(({ name }) => name),
      ),
    staleTime: 60_000,
  })
}

/** Loads the names of the site's tags. */
export function useTagNames() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tags', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).tags(cursor),
        ({ tags }) => tags.map(({ name }) => name),
      ),
    staleTime: 60_000,
  })
}

async function collect<Page extends { nextCursor: string | null }, Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  for await (const page of pages(fetchPage)) {
    found.push(...itemsOf(page))
    if (found.length >= MAX_NAMES) break
  }
  return found
}
