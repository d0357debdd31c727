import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import type { Draft } from './draft.ts'

/** Sends a comment of the staff. A second one waits until it is known what became of the first: it would be there twice. */
export function useAddComment(number: number, draft: Draft) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const mutationKey = ['comment', siteId, number]
  const add = useMutation({
    mutationKey,
    mutationFn: (content: string) => ticketsOf(orgId, siteId).addComment(number, { content }),
    onSuccess: () => draft.write(''),
    // Also after a failure: nobody may have answered, and the comment be there.
    onSettled: () => client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] }),
  })
  return {
    add,
    /** Also where the page was left and opened again meanwhile. */
    isSending: useIsMutating({ mutationKey }) > 0,
    /** The same at this very moment: two clicks may come before the page is drawn anew. */
    isSendingNow: () => client.isMutating({ mutationKey }) > 0,
  }
}
