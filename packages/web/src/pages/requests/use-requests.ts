import { collectItems } from '@plantroom/client/pages'
import type { RequestDetails, ShownTicket } from '@plantroom/contract/api'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

/** Loads a request with the beginning of its conversation. */
export function useRequest(number: number) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'one', number],
    queryFn: () => api.getRequest({ orgId, propertyId: siteId, number }),
  })
}

/** Loads the rest of a conversation on demand. */
export function useFurtherComments(ticket: ShownTicket, wanted: boolean) {
  const { orgId, siteId } = useSite()
  return useInfiniteQuery({
    queryKey: ['tickets', orgId, siteId, 'comments', ticket.number, ticket.commentsCursor],
    queryFn: ({ pageParam }) =>
      api.listComments({
        orgId,
        propertyId: siteId,
        number: ticket.number,
        query: { cursor: pageParam ?? undefined },
      }),
    initialPageParam: ticket.commentsCursor,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: wanted && ticket.commentsCursor !== null,
  })
}

/** More changes than anyone reads through. */
const MAX_CHANGES = 500

/** Loads the newest changes of a request, newest first. `isCut` when there are older ones. */
export function useChanges(number: number) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'changes', number],
    async queryFn() {
      const changes = await collectItems(
        (cursor) => api.listRequestChanges({ orgId, propertyId: siteId, number, query: { limit: 200, cursor } }),
        ({ changes }) => changes,
        MAX_CHANGES + 1,
      )
      return { changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES }
    },
  })
}

/** Loads the people whom a comment can mention. */
export function useMentionable() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['mentionable', orgId, siteId],
    queryFn: async () => (await api.listMentionable({ orgId, propertyId: siteId })).people,
    staleTime: 60_000,
  })
}

/** Changes a request. Changes of one request run in order, so the page shows the result of the last one. */
export function useChangeRequest(number: number) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    scope: { id: `request ${siteId} ${number}` },
    mutationFn: (changes: RequestDetails & { before?: RequestDetails }) =>
      api.changeRequest({ orgId, propertyId: siteId, number, body: changes }),
    async onSuccess(changed, { tags }) {
      client.setQueryData(['tickets', orgId, siteId, 'one', number], changed)
      if (tags) await client.invalidateQueries({ queryKey: ['tags', orgId, siteId] })
      void client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] })
    },
    // Someone else may have changed it: show what it is now.
    onError: () => void client.invalidateQueries({ queryKey: ['tickets', orgId, siteId, 'one', number] }),
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
      collectItems(
        (cursor) => api.listPeople({ orgId, propertyId: siteId, query: { cursor } }),
        ({ people }) => people,
        MAX_NAMES,
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
      collectItems(
        (cursor) => api.listUnits({ orgId, propertyId: siteId, query: { cursor } }),
        ({ units }) => units.map(({ name }) => name),
        MAX_NAMES,
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
      collectItems(
        (cursor) => api.listTags({ orgId, propertyId: siteId, query: { cursor } }),
        ({ tags }) => tags.map(({ name }) => name),
        MAX_NAMES,
      ),
    staleTime: 60_000,
  })
}
