import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ShownTicket } from '@plantroom/contract/api'
import type { TicketComment } from '@plantroom/contract/tickets'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/time.ts'
import { conversation } from '../../texts/requests.ts'
import { AttachmentList } from './attachment-list.tsx'
import { CommentForm } from './comment-form.tsx'
import { nameOf } from './describe-request.ts'
import classes from './requests.module.css'
import { useFurtherComments } from './use-requests.ts'
import { WrittenText } from './written-text.tsx'

/** The comments of a request in order, and a form for managers to answer. */
export function Conversation({ ticket }: { ticket: ShownTicket }) {
  const { may } = useSite()
  const [wanted, setWanted] = useState(false)
  const further = useFurtherComments(ticket, wanted)
  const comments = [...ticket.comments, ...(further.data?.pages.flatMap((page) => page.comments) ?? [])]
  const isMore = ticket.commentsCursor !== null && (!further.data || further.hasNextPage)

  function showMore() {
    if (!wanted) setWanted(true)
    else if (further.data) void further.fetchNextPage()
    else void further.refetch()
  }

  return (
    <Stack>
      <Title order={2} size="h4">
        {conversation.title}
      </Title>
      {comments.length === 0 && <Text>{conversation.none}</Text>}
      {comments.length > 0 && (
        <Stack component="ol" gap="sm" className={classes.list}>
          {comments.map((comment, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments are only ever added at the end
            <li key={place}>
              <Comment number={ticket.number} comment={comment} />
            </li>
          ))}
        </Stack>
      )}
      {further.error && <ErrorNotice error={further.error} />}
      {isMore && (
        <Group justify="center">
          <Button variant="default" onClick={showMore} loading={further.isFetching}>
            {conversation.more}
          </Button>
        </Group>
      )}
      {may('manager') && <CommentForm ticket={ticket} endIsShown={!isMore} />}
    </Stack>
  )
}

function Comment({ number, comment }: { number: number; comment: TicketComment }) {
  const { site } = useSite()
  const { author, createdAt, content, attachments } = comment
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <Text fw={600} size="sm">
            {nameOf(author) ?? conversation.unknownAuthor}
          </Text>
          <Text size="sm">{createdAt === null ? conversation.noTime : fullTime(createdAt, site.timeZone)}</Text>
        </Group>
        <WrittenText>{content}</WrittenText>
        <AttachmentList number={number} attachments={attachments} />
      </Stack>
    </Card>
  )
}
