import type { RequestDetails, ShownTicket } from '@plantroom/contract/api'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useAll } from '../../api/use-all.ts'
import { invalidate, remember, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'

/** Loads a request with the beginning of its conversation. */
export function useRequest(number: number) {
  return useOperation('getRequest', { number })
}

/** Loads the rest of a conversation on demand. */
export function useFurtherComments(ticket: ShownTicket, wanted: boolean) {
  const { orgId, siteId } = useSite()
  return useInfiniteQuery({
    queryKey: ['listComments', { orgId, propertyId: siteId, number: ticket.number }, ticket.commentsCursor],
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
  return useAll('listRequestChanges', { number, query: { limit: 200 } }, ({ changes }) => changes, {
    most: MAX_CHANGES + 1,
    select: (changes) => ({ changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES }),
  })
}

/** Loads the people whom a comment can mention. */
export function useMentionable() {
  return useOperation('listMentionable', {}, { select: ({ people }) => people, staleTime: 60_000 })
}

/** Changes a request. Changes of one request run in order, so the page shows the result of the last one. */
export function useChangeRequest(number: number) {
  const { orgId, siteId } = useSite()
  return useMutation({
    scope: { id: `request ${siteId} ${number}` },
    mutationFn: (changes: RequestDetails & { before?: RequestDetails }) =>
      api.changeRequest({ orgId, propertyId: siteId, number, body: changes }),
    async onSuccess(changed, { tags }) {
      remember('getRequest', { orgId, propertyId: siteId, number }, changed)
      if (tags) await invalidate('listTags')
      void invalidate('listRequests')
    },
    // Someone else may have changed it: show what it is now.
    onError: () => void invalidate('getRequest', { number }),
  })
}

/** More names than anyone reads through. */
const NAMES = { most: 10_000, staleTime: 60_000 }
const namesOf = (named: readonly { name: string }[]) => named.map(({ name }) => name)

/** Loads the people of the site, by address. */
export function usePeople() {
  return useAll('listPeople', {}, ({ people }) => people, NAMES)
}

/** Loads the names of the site's units. */
export function useUnitNames() {
  return useAll('listUnits', {}, ({ units }) => units, { ...NAMES, select: namesOf })
}

/** Loads the names of the site's tags. */
export function useTagNames() {
  return useAll('listTags', {}, ({ tags }) => tags, { ...NAMES, select: namesOf })
}
