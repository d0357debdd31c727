import { Paper, Table, Text } from '@mantine/core'
import { memo } from 'react'
import { datapoints as texts } from '../../../texts/device.ts'
import { DatapointActions, type RowHandlers } from './datapoint-actions.tsx'
import classes from './datapoint-table.module.css'
import type { RowWords } from './row-words.ts'

type ListProps = RowHandlers & { label: string; rows: readonly RowWords[]; chartPath: string }

/** The datapoints of one connection, for a screen that is wide enough. */
export function DatapointTable({ label, rows, chartPath, ...handlers }: ListProps) {
  const { columns } = texts
  return (
    <Paper withBorder className={classes.box}>
      <Table className={classes.table} verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes.name}>
              {columns.name}
            </Table.Th>
            <Table.Th scope="col" className={classes.value}>
              {columns.value}
            </Table.Th>
            <Table.Th scope="col" className={classes.age}>
              {columns.age}
            </Table.Th>
            <Table.Th scope="col">{columns.held}</Table.Th>
            <Table.Th scope="col" className={classes.next}>
              {columns.next}
            </Table.Th>
            <Table.Th scope="col" className={classes.actions}>
              {columns.actions}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((words) => (
            <Line key={words.id} {...words} {...handlers} chartPath={chartPath} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

const Line = memo(function Line({
  chartPath,
  onOverride,
  onRelease,
  ...words
}: RowWords & RowHandlers & { chartPath: string }) {
  return (
    <Table.Tr className={words.by && classes.held} data-by={words.by || undefined}>
      <Table.Th scope="row" fw={600}>
        {words.name}
        <Text size="xs" c="dimmed">
          {words.hint}
        </Text>
      </Table.Th>
      <Table.Td className="figures">
        <Text fw={600} c={words.isOld ? 'dimmed' : undefined}>
          {words.value}
        </Text>
        {words.problem && <Text size="xs">{words.problem}</Text>}
      </Table.Td>
      <Table.Td className="figures">
        <Text size="sm" fw={words.isOld ? 600 : undefined}>
          {words.age}
        </Text>
      </Table.Td>
      <Table.Td>
        <HeldWords holder={words.holder} heldAt={words.heldAt} until={words.until} trouble={words.trouble} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{words.next}</Text>
      </Table.Td>
      <Table.Td>
        <DatapointActions
          id={words.id}
          name={words.name}
          canOverride={words.canOverride}
          windowId={words.windowId}
          chartHref={`${chartPath}${encodeURIComponent(words.id)}`}
          onOverride={onOverride}
          onRelease={onRelease}
        />
      </Table.Td>
    </Table.Tr>
  )
})

/** Who holds it, at what and until when. */
export const HeldWords = memo(function HeldWords({
  holder,
  heldAt,
  until,
  trouble,
}: Pick<RowWords, 'holder' | 'heldAt' | 'until' | 'trouble'>) {
  if (!holder) {
    return (
      <Text size="sm" c="dimmed">
        {texts.notHeld}
      </Text>
    )
  }
  return (
    <>
      <Text size="sm" fw={600}>
        {holder}
      </Text>
      <Text size="sm">{[heldAt, until].filter(Boolean).join(', ')}</Text>
      {trouble && (
        <Text size="sm" fw={600} c="var(--mantine-color-error)">
          {trouble}
        </Text>
      )}
    </>
  )
})
