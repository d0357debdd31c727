import type { ShownTicket, TicketChanges } from '@plantroom/client/tickets'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

/** One request, with the beginning of its conversation. */
export function useRequest(number: number) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tickets', orgId, siteId, 'one', number],
    queryFn: () => ticketsOf(orgId, siteId).find(number),
  })
}

/** What follows the beginning of a conversation, as soon as it is asked for. */
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

/** Changes a request. Changes of one request follow each other: what is shown is what the last of them made. */
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
