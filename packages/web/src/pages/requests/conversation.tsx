import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ShownTicket } from '@plantroom/contract/api'
import type { TicketComment } from '@plantroom/contract/tickets'
import { useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/time.ts'
import { history, mentions as mentionTexts } from '../../texts/request-parts.ts'
import { conversation } from '../../texts/requests.ts'
import { AttachmentList } from './attachment-list.tsx'
import { ChangeLine, FoldedChanges } from './change-line.tsx'
import { CommentForm } from './comment-form.tsx'
import { nameOf } from './describe-request.ts'
import { foldChanges, interleave } from './interleave.ts'
import classes from './requests.module.css'
import { useChanges, useFurtherComments } from './use-requests.ts'
import { WrittenText } from './written-text.tsx'

/** The comments and changes of a request in order, and a form for managers to answer. */
export function Conversation({ ticket }: { ticket: ShownTicket }) {
  const { may } = useSite()
  const [wanted, setWanted] = useState(false)
  const further = useFurtherComments(ticket, wanted)
  const changes = useChanges(ticket.number)
  const comments = [...ticket.comments, ...(further.data?.pages.flatMap((page) => page.comments) ?? [])]
  const isMore = ticket.commentsCursor !== null && (!further.data || further.hasNextPage)
  const entries = foldChanges(interleave(comments, changes.data?.changes ?? [], { moreComments: isMore }))

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
      {changes.data?.isCut && <Text size="sm">{history.older}</Text>}
      {entries.length > 0 && (
        <Stack component="ol" gap="sm" className={classes.list}>
          {entries.map((entry) => (
            // Comments and changes are only ever added at the end.
            <li key={`${entry.kind} ${entry.place}`}>
              {entry.kind === 'comment' && <Comment number={ticket.number} comment={entry.comment} />}
              {entry.kind === 'change' && <ChangeLine change={entry.change} />}
              {entry.kind === 'fold' && <FoldedChanges changes={entry.changes} />}
            </li>
          ))}
        </Stack>
      )}
      {changes.error && <ErrorNotice error={changes.error} title={history.failed} retry={changes.refetch} />}
      {further.error && <ErrorNotice error={further.error} />}
      {isMore && (
        <Group justify="center" className={classes.screenOnly}>
          <Button variant="default" onClick={showMore} loading={further.isFetching}>
            {conversation.more}
          </Button>
        </Group>
      )}
      {may('manager') && (
        <div className={classes.screenOnly}>
          <CommentForm ticket={ticket} endIsShown={!isMore} />
        </div>
      )}
    </Stack>
  )
}

function Comment({ number, comment }: { number: number; comment: TicketComment }) {
  const { site } = useSite()
  const session = useSession()
  const { author, createdAt, content, attachments, mentions } = comment
  const mentionsMe = mentions.some(({ userId }) => userId === session.data?.user.id)
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <Text fw={600} size="sm">
              {nameOf(author) ?? conversation.unknownAuthor}
            </Text>
            {mentionsMe && (
              <Badge variant="dot" color="orange" className={classes.screenOnly}>
                {mentionTexts.you}
              </Badge>
            )}
          </Group>
          <Text size="sm">{createdAt === null ? conversation.noTime : fullTime(createdAt, site.timeZone)}</Text>
        </Group>
        {content.trim() !== '' && <WrittenText mentions={mentions}>{content}</WrittenText>}
        <AttachmentList number={number} attachments={attachments} />
      </Stack>
    </Card>
  )
}
