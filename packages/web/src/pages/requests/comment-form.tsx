import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { GivenAttachments, ShownTicket } from '@plantroom/contract/api'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/service.ts'
import { invalidate } from '../../api/use-operation.ts'
import { useSession } from '../../api/use-session.ts'
import { useSendsMail } from '../../api/use-set-up.ts'
import { useSite } from '../../api/use-site.ts'
import { describeError } from '../../parts/describe-error.ts'
import { format } from '../../texts/format.ts'
import { files as fileTexts, mentions as mentionTexts, noMail } from '../../texts/request-parts.ts'
import { staffComment } from '../../texts/requests.ts'
import { mailedNotice, mailNotice, recipientOf } from './describe-request.ts'
import { createDraft, type Draft } from './draft.ts'
import { FilePicker, useFileUploads } from './file-picker.tsx'
import { MentionTextarea } from './mention-textarea.tsx'
import { mentionedIn } from './mentions.ts'
import { MAX_TEXT } from './new-request.ts'
import { useMentionable } from './use-requests.ts'

/** The form of a staff comment with its files. Says who receives it by mail. The text survives failures and reloads. */
export function CommentForm({ ticket, endIsShown }: { ticket: ShownTicket; endIsShown: boolean }) {
  const { siteId } = useSite()
  const session = useSession()
  const sendsMail = useSendsMail()
  const people = useMentionable().data ?? []
  const [draft] = useState(() => createDraft(() => window.sessionStorage, `${siteId} ${ticket.number}`))
  const [text, setText] = useState(() => draft.read())
  const { uploads, chosen, attachments, isSending: isUploading, hasFailed } = useFileUploads()
  const { add, isSending, isSendingNow } = useAddComment(ticket.number, draft)
  const author = session.data?.user.email ?? ''
  const recipient = recipientOf(ticket.reporter, author)
  const tooLong = text.length > MAX_TEXT
  const isBlank = text.trim() === '' && chosen.length === 0
  const isReady = !isBlank && !tooLong && !isUploading && !hasFailed
  const wasRejected = add.error instanceof ApiError

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || isSendingNow()) return
    const mentions = mentionedIn(text, people).map(({ userId }) => userId)
    const onSuccess = () => {
      setText('')
      uploads.clear()
    }
    add.mutate({ content: text, attachments, mentions }, { onSuccess })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FilePicker uploads={uploads} chosen={chosen} disabled={isSending}>
          <MentionTextarea
            label={staffComment.label}
            description={people.length > 1 ? mentionTexts.hint : undefined}
            value={text}
            onText={(typed) => {
              setText(typed)
              draft.write(typed)
            }}
            people={people}
            error={tooLong && format(staffComment.longContent, { characters: text.length })}
            readOnly={isSending}
            autosize
            minRows={3}
            maxRows={20}
          />
        </FilePicker>
        <Group justify="space-between" gap="sm">
          <Text size="sm" role="status">
            {isUploading && fileTexts.wait}
            {!isUploading && hasFailed && fileTexts.unfinished}
            {!isUploading && !hasFailed && mailNotice(ticket.reporter, author, sendsMail)}
          </Text>
          <Button type="submit" loading={isSending} disabled={!isReady}>
            {recipient === null || !sendsMail ? staffComment.add : staffComment.send}
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
          {add.data && <Outcome mailedTo={add.data.mailedTo} sendsMail={sendsMail} endIsShown={endIsShown} />}
        </div>
      </Stack>
    </form>
  )
}

function Outcome(props: { mailedTo: string | null; sendsMail: boolean; endIsShown: boolean }) {
  const { mailedTo, sendsMail, endIsShown } = props
  const isKept = mailedTo !== null && !sendsMail
  return (
    <Alert color={isKept ? 'orange' : 'green'} variant="light">
      {mailedNotice(mailedTo, sendsMail)} {isKept && noMail.remedy} {!endIsShown && staffComment.atTheEnd}
    </Alert>
  )
}

interface NewComment {
  content: string
  attachments: GivenAttachments
  mentions: readonly string[]
}

/** Sends a staff comment. A second one has to wait for the outcome of the first, to avoid duplicates. */
function useAddComment(number: number, draft: Draft) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const mutationKey = ['comment', siteId, number]
  const add = useMutation({
    mutationKey,
    mutationFn: (body: NewComment) => api.addComment({ orgId, propertyId: siteId, number, body }),
    onSuccess: () => draft.write(''),
    // Also after a failure: the comment may have been added without an answer.
    onSettled: () => invalidate('addComment', { number }),
  })
  return {
    add,
    /** True even if the page was left and opened again meanwhile. */
    isSending: useIsMutating({ mutationKey }) > 0,
    /** The current state: two clicks can arrive before the next render. */
    isSendingNow: () => client.isMutating({ mutationKey }) > 0,
  }
}
