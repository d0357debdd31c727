import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { ShownTicket } from '@plantroom/client/tickets'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { messageOf } from '../../parts/notices.tsx'
import { staffComment } from '../../texts/requests.ts'
import { createDraft } from './draft.ts'
import { MAX_WRITTEN } from './new-request.ts'
import { mailedNotice, mailNotice, recipientOf } from './person-text.ts'
import { useAddComment } from './use-add-comment.ts'

/** A comment of the staff. Says who gets it by mail, before and after; what was written outlives a failure and a reload. */
export function CommentForm({ ticket, endIsShown }: { ticket: ShownTicket; endIsShown: boolean }) {
  const { siteId } = useSite()
  const session = useSession()
  const [draft] = useState(() => createDraft(() => window.sessionStorage, `${siteId} ${ticket.number}`))
  const [text, setText] = useState(() => draft.read())
  const { add, isSending, isSendingNow } = useAddComment(ticket.number, draft)
  const author = session.data?.user.email ?? ''
  const tooLong = text.length > MAX_WRITTEN
  const wasJudged = add.error instanceof ApiError

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
          error={tooLong && staffComment.longContent(text.length)}
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
          <Alert color="red" variant="light" role="alert" title={wasJudged ? staffComment.failed : staffComment.unsure}>
            {wasJudged ? messageOf(add.error) : staffComment.unsureHint}
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
