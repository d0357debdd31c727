import { Card, Checkbox, Group, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import type { RequestSort } from '@plantroom/contract/api'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { memo } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { fullTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { bulk, requests } from '../../texts/requests.ts'
import { nameOf, priorityName } from './describe-request.ts'
import { orderOf, type RequestFilters } from './request-filters.ts'
import { HazardBadge, StateBadge, TagList } from './request-parts.tsx'
import classes from './requests.module.css'
import type { Selection } from './selection.ts'
import { LINK_ATTRIBUTE } from './use-list-keys.ts'

interface Column {
  head: string
  /** In pixels; the title takes the rest. */
  width?: number
  /** What a click on the heading sorts by. */
  sort?: RequestSort
}

const COLUMNS: readonly Column[] = [
  { head: requests.shortNumber, width: 72, sort: 'number' },
  { head: requestFields.title, sort: 'title' },
  { head: requestFields.state, width: 132, sort: 'state' },
  { head: requestFields.priority, width: 92, sort: 'priority' },
  { head: requestFields.reporter, width: 112 },
  { head: requestFields.assignee, width: 116, sort: 'assignee' },
  { head: requestFields.unit, width: 92 },
  { head: requestFields.createdAt, width: 124, sort: 'created' },
  { head: requestFields.updatedAt, width: 124, sort: 'changed' },
]

/** Choosing requests; `undefined` for people who cannot change them. */
export interface Choosing {
  selection: Selection
  onToggle: (number: number) => void
  onToggleAll: () => void
}

/** The requests on a wide screen. */
export function RequestTable({
  tickets,
  filters,
  onSort,
  choosing,
}: {
  tickets: readonly TicketSummary[]
  filters: RequestFilters
  onSort: (column: RequestSort) => void
  choosing: Choosing | undefined
}) {
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
              {choosing && (
                <Table.Th w={36} className={classes.screenOnly}>
                  <ChooseAll tickets={tickets} choosing={choosing} />
                </Table.Th>
              )}
              {COLUMNS.map((column) => (
                <Head key={column.head} column={column} filters={filters} onSort={onSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tickets.map((ticket) => (
              <Row
                key={ticket.number}
                ticket={ticket}
                isChosen={choosing?.selection.has(ticket.number)}
                onToggle={choosing?.onToggle}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function ChooseAll({ tickets, choosing }: { tickets: readonly TicketSummary[]; choosing: Choosing }) {
  const chosen = tickets.filter(({ number }) => choosing.selection.has(number)).length
  return (
    <Checkbox
      size="sm"
      aria-label={bulk.selectShown}
      checked={chosen > 0 && chosen === tickets.length}
      indeterminate={chosen > 0 && chosen < tickets.length}
      onChange={choosing.onToggleAll}
    />
  )
}

const ARROWS = { asc: '▲', desc: '▼' } as const
const ARIA_ORDERS = { asc: 'ascending', desc: 'descending' } as const

function Head({
  column: { head, width, sort },
  filters,
  onSort,
}: {
  column: Column
  filters: RequestFilters
  onSort: (column: RequestSort) => void
}) {
  if (!sort) {
    return (
      <Table.Th scope="col" w={width}>
        {head}
      </Table.Th>
    )
  }
  const { isSorted, order } = orderOf(filters, sort)
  return (
    <Table.Th scope="col" w={width} aria-sort={isSorted ? ARIA_ORDERS[order] : undefined}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(sort)}>
        {head}
        <span aria-hidden className={classes.arrow} data-shown={isSorted || undefined}>
          {ARROWS[order]}
        </span>
      </UnstyledButton>
    </Table.Th>
  )
}

/** Memoized: loading more would otherwise rerender all rows before. */
const Row = memo(function Row({ ticket, isChosen = false, onToggle }: RowProps) {
  const { path, site } = useSite()
  const { number, title, state, priority, safetyHazard, reporter, assignee, unit, tags, commentCount } = ticket
  const time = (at: string | null) => (at === null ? common.none : fullTime(at, site.timeZone))
  return (
    <Table.Tr data-chosen={isChosen || undefined} bg={isChosen ? 'var(--mantine-primary-color-light)' : undefined}>
      {onToggle && (
        <Table.Td className={classes.screenOnly}>
          <Choose number={number} isChosen={isChosen} onToggle={onToggle} />
        </Table.Td>
      )}
      <Table.Td className="figures">{number}</Table.Td>
      <Table.Td>
        <Stack gap={4} align="flex-start">
          <Link to={path(`/requests/${number}`)} fw={600} inherit {...{ [LINK_ATTRIBUTE]: number }}>
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
      <Table.Td>{priority === null ? common.none : priorityName(priority)}</Table.Td>
      <Table.Td>{nameOf(reporter) ?? common.none}</Table.Td>
      <Table.Td>{nameOf(assignee) ?? common.none}</Table.Td>
      <Table.Td>{unit ?? common.none}</Table.Td>
      <Table.Td>{time(ticket.createdAt)}</Table.Td>
      <Table.Td>{time(ticket.updatedAt)}</Table.Td>
    </Table.Tr>
  )
})

interface RowProps {
  ticket: TicketSummary
  isChosen: boolean | undefined
  onToggle: ((number: number) => void) | undefined
}

function Choose({
  number,
  isChosen,
  onToggle,
}: {
  number: number
  isChosen: boolean
  onToggle: (number: number) => void
}) {
  return (
    <Checkbox
      size="sm"
      aria-label={format(bulk.selectOne, { number: String(number) })}
      checked={isChosen}
      onChange={() => onToggle(number)}
    />
  )
}

/** The requests on a phone. */
export function RequestCards({
  tickets,
  choosing,
}: {
  tickets: readonly TicketSummary[]
  choosing: Choosing | undefined
}) {
  return (
    <>
      {choosing && (
        <Group gap="xs" mb="sm" className={classes.screenOnly}>
          <ChooseAll tickets={tickets} choosing={choosing} />
          <Text size="sm" aria-hidden>
            {bulk.selectShown}
          </Text>
        </Group>
      )}
      <Stack component="ul" gap="sm" className={classes.list} aria-label={requests.listLabel}>
        {tickets.map((ticket) => (
          <li key={ticket.number}>
            <RequestCard
              ticket={ticket}
              isChosen={choosing?.selection.has(ticket.number)}
              onToggle={choosing?.onToggle}
            />
          </li>
        ))}
      </Stack>
    </>
  )
}

/** Memoized: loading more would otherwise rerender all rows before. */
const RequestCard = memo(function RequestCard({ ticket, isChosen = false, onToggle }: RowProps) {
  const { path, site } = useSite()
  const { number, title, state, priority, safetyHazard, unit, tags, commentCount, createdAt, updatedAt } = ticket
  const reporter = nameOf(ticket.reporter)
  const assignee = nameOf(ticket.assignee)
  const facts = joinFacts([
    priority !== null && format(requests.priorityOf, { priority: priorityName(priority) }),
    unit,
    reporter && format(requests.reportedBy, { name: reporter }),
    assignee && format(requests.assignedTo, { name: assignee }),
    commentCount > 0 && format(requests.commentCount, { count: commentCount }),
  ])
  return (
    <Card withBorder padding="sm">
      <Stack gap={6}>
        <Group gap={6}>
          {onToggle && <Choose number={number} isChosen={isChosen} onToggle={onToggle} />}
          <Text span size="sm" className="figures">
            {format(requests.number, { number: String(number) })}
          </Text>
          <StateBadge state={state} />
          <HazardBadge hazard={safetyHazard} />
        </Group>
        <Link to={path(`/requests/${number}`)} fw={600} {...{ [LINK_ATTRIBUTE]: number }}>
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
