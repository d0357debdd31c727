import { Card, Group, Paper, Stack, Table, Text } from '@mantine/core'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { memo } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { fullTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requests } from '../../texts/requests.ts'
import { nameOf } from './describe-request.ts'
import { HazardBadge, StateBadge, TagList } from './request-parts.tsx'
import classes from './requests.module.css'

/** Widths in pixels; the title takes the rest. */
const HEADS: readonly { head: string; width?: number }[] = [
  { head: requests.shortNumber, width: 64 },
  { head: requests.requestTitle },
  { head: requests.state, width: 140 },
  { head: requests.priority, width: 82 },
  { head: requests.reporter, width: 136 },
  { head: requests.assignee, width: 120 },
  { head: requests.unit, width: 92 },
  { head: requests.created, width: 124 },
  { head: requests.updated, width: 124 },
]

/** The requests on a wide screen. */
export function RequestTable({ tickets }: { tickets: readonly TicketSummary[] }) {
  return (
    <Paper withBorder px="xs">
      <Table.ScrollContainer minWidth={1120} type="native" tabIndex={0} role="region" aria-label={requests.listLabel}>
        <Table
          layout="fixed"
          verticalSpacing="xs"
          horizontalSpacing="xs"
          highlightOnHover
          aria-label={requests.listLabel}
          fz="sm"
        >
          <Table.Thead>
            <Table.Tr>
              {HEADS.map(({ head, width }) => (
                <Table.Th key={head} scope="col" w={width}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tickets.map((ticket) => (
              <Row key={ticket.number} ticket={ticket} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** Memoized: loading more would otherwise rerender all rows before. */
const Row = memo(function Row({ ticket }: { ticket: TicketSummary }) {
  const { path, site } = useSite()
  const { number, title, state, priority, safetyHazard, reporter, assignee, unit, tags, commentCount } = ticket
  const time = (at: string | null) => (at === null ? common.none : fullTime(at, site.timeZone))
  return (
    <Table.Tr>
      <Table.Td className="figures">{number}</Table.Td>
      <Table.Td>
        <Stack gap={4} align="flex-start">
          <Link to={path(`/requests/${number}`)} fw={600} inherit>
            <Text span inherit lineClamp={3}>
              {title}
            </Text>
          </Link>
          {(safetyHazard || tags.length > 0) && (
            <Group gap={4}>
              <HazardBadge hazard={safetyHazard} />
              <TagList tags={tags} />
            </Group>
          )}
          {commentCount > 0 && <span>{format(requests.commentCount, { count: commentCount })}</span>}
        </Stack>
      </Table.Td>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
      <Table.Td className="figures">{priority ?? common.none}</Table.Td>
      <Table.Td>{nameOf(reporter) ?? common.none}</Table.Td>
      <Table.Td>{nameOf(assignee) ?? common.none}</Table.Td>
      <Table.Td>{unit ?? common.none}</Table.Td>
      <Table.Td>{time(ticket.createdAt)}</Table.Td>
      <Table.Td>{time(ticket.updatedAt)}</Table.Td>
    </Table.Tr>
  )
})

/** The requests on a phone. */
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

/** Memoized: loading more would otherwise rerender all rows before. */
const RequestCard = memo(function RequestCard({ ticket }: { ticket: TicketSummary }) {
  const { path, site } = useSite()
  const { number, title, state, priority, safetyHazard, unit, tags, commentCount, createdAt, updatedAt } = ticket
  const reporter = nameOf(ticket.reporter)
  const assignee = nameOf(ticket.assignee)
  const facts = joinFacts([
    priority !== null && format(requests.priorityOf, { priority }),
    unit,
    reporter && format(requests.reportedBy, { name: reporter }),
    assignee && format(requests.assignedTo, { name: assignee }),
    commentCount > 0 && format(requests.commentCount, { count: commentCount }),
  ])
  return (
    <Card withBorder padding="sm">
      <Stack gap={6}>
        <Group gap={6}>
          <Text span size="sm" className="figures">
            {format(requests.number, { number: String(number) })}
          </Text>
          <StateBadge state={state} />
          <HazardBadge hazard={safetyHazard} />
        </Group>
        <Link to={path(`/requests/${number}`)} fw={600}>
          <Text span inherit lineClamp={3}>
            {title}
          </Text>
        </Link>
        {facts && <Text size="sm">{facts}</Text>}
        <TagList tags={tags} />
        <Text size="xs">
          {joinFacts([
            format(requests.createdAt, { time: fullTime(createdAt, site.timeZone) }),
            updatedAt && format(requests.updatedAt, { time: fullTime(updatedAt, site.timeZone) }),
          ])}
        </Text>
      </Stack>
    </Card>
  )
})
