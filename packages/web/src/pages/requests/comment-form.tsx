import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { ShownTicket } from '@plantroom/contract/api'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/service.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { describeError } from '../../parts/describe-error.ts'
import { format } from '../../texts/format.ts'
import { staffComment } from '../../texts/requests.ts'
import { mailedNotice, mailNotice, recipientOf } from './describe-request.ts'
import { createDraft, type Draft } from './draft.ts'
import { MAX_TEXT } from './new-request.ts'

/** The form of a staff comment. Says who receives it by mail. The text survives failures and reloads. */
export function CommentForm({ ticket, endIsShown }: { ticket: ShownTicket; endIsShown: boolean }) {
  const { siteId } = useSite()
  const session = useSession()
  const [draft] = useState(() => createDraft(() => window.sessionStorage, `${siteId} ${ticket.number}`))
  const [text, setText] = useState(() => draft.read())
  const { add, isSending, isSendingNow } = useAddComment(ticket.number, draft)
  const author = session.data?.user.email ?? ''
  const tooLong = text.length > MAX_TEXT
  const wasRejected = add.error instanceof ApiError

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '' || tooLong || isSendingNow()) return
    add.mutate(text, { onSuccess: () => setText('') })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          label={staffComment.label}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            draft.write(currentTarget.value)
          }}
          error={tooLong && format(staffComment.longContent, { characters: text.length })}
          readOnly={isSending}
          autosize
          minRows={3}
          maxRows={20}
        />
        <Group justify="space-between" gap="sm">
          <Text size="sm">{mailNotice(ticket.reporter, author)}</Text>
          <Button type="submit" loading={isSending} disabled={text.trim() === '' || tooLong}>
            {recipientOf(ticket.reporter, author) === null ? staffComment.add : staffComment.send}
          </Button>
        </Group>
        {add.error && (
          <Alert
            color="red"
            variant="light"
            role="alert"
            title={wasRejected ? staffComment.failed : staffComment.unsure}
          >
            {wasRejected ? describeError(add.error) : staffComment.unsureHint}
          </Alert>
        )}
        <div role="status">
          {add.data && (
            <Alert color="green" variant="light">
              {mailedNotice(add.data.mailedTo)} {!endIsShown && staffComment.atTheEnd}
            </Alert>
          )}
        </div>
      </Stack>
    </form>
  )
}

/** Sends a staff comment. A second one has to wait for the outcome of the first, to avoid duplicates. */
function useAddComment(number: number, draft: Draft) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const mutationKey = ['comment', siteId, number]
  const add = useMutation({
    mutationKey,
    mutationFn: (content: string) => api.addComment({ orgId, propertyId: siteId, number, body: { content } }),
    onSuccess: () => draft.write(''),
    // Also after a failure: the comment may have been added without an answer.
    onSettled: () => client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] }),
  })
  return {
    add,
    /** True even if the page was left and opened again meanwhile. */
    isSending: useIsMutating({ mutationKey }) > 0,
    /** The current state: two clicks can arrive before the next render. */
    isSendingNow: () => client.isMutating({ mutationKey }) > 0,
  }
}
