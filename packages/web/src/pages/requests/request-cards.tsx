import { Card, Group, Stack, Text } from '@mantine/core'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { memo } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { fullTime } from '../../parts/time.ts'
import { requests } from '../../texts/requests.ts'
import { HazardBadge, StateBadge } from './badges.tsx'
import { nameOf } from './person-text.ts'
import classes from './requests.module.css'
import { TagList } from './tag-list.tsx'

/** The list on a phone. */
export function RequestCards({ tickets }: { tickets: readonly TicketSummary[] }) {
  return (
    <Stack component="ul" gap="sm" className={classes.list} aria-label={requests.listLabel}>
      {tickets.map((ticket) => (
        <li key={ticket.number}>
          <RequestCard ticket={ticket} />
        </li>
      ))}
    </Stack>
  )
}

/** Drawn once for a request: with every page that is added all those before it would be drawn anew. */
const RequestCard = memo(function RequestCard({ ticket }: { ticket: TicketSummary }) {
  const { path, site } = useSite()
  const { number, title, state, priority, safetyHazard, unit, tags, commentCount, createdAt, updatedAt } = ticket
  const reporter = nameOf(ticket.reporter)
  const assignee = nameOf(ticket.assignee)
  const facts = [
    priority !== null && requests.priorityOf(priority),
    unit,
    reporter && requests.reportedBy(reporter),
    assignee && requests.assignedTo(assignee),
    commentCount > 0 && requests.commentCount(commentCount),
  ].filter((fact) => typeof fact === 'string')
  return (
    <Card withBorder padding="sm">
      <Stack gap={6}>
        <Group gap={6}>
          <Text span size="sm" className="figures">
            #{number}
          </Text>
          <StateBadge state={state} />
          <HazardBadge hazard={safetyHazard} />
        </Group>
        <Link to={path(`/requests/${number}`)} fw={600}>
          <Text span inherit lineClamp={3}>
            {title}
          </Text>
        </Link>
        {facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>}
        <TagList tags={tags} />
        <Text size="xs">
          {requests.createdAt(fullTime(createdAt, site.timeZone))}
          {updatedAt && ` · ${requests.updatedAt(fullTime(updatedAt, site.timeZone))}`}
        </Text>
      </Stack>
    </Card>
  )
})
