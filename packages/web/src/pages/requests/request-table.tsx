import { Group, Paper, Stack, Table, Text } from '@mantine/core'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { memo } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { requests } from '../../texts/requests.ts'
import { HazardBadge, StateBadge } from './badges.tsx'
import { nameOf } from './person-text.ts'
import { TagList } from './tag-list.tsx'

/** The widths in pixels; the title has the rest. */
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

/** The list where there is room for a table. */
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

/** Drawn once for a request: with every page that is added all those before it would be drawn anew. */
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
          {commentCount > 0 && <span>{requests.commentCount(commentCount)}</span>}
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
