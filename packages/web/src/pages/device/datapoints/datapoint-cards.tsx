import { Box, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { memo } from 'react'
import { DatapointActions, type RowHandlers } from './datapoint-actions.tsx'
import classes from './datapoint-table.module.css'
import { HeldWords } from './datapoint-table.tsx'
import type { RowWords } from './row-words.ts'

/** The datapoints of one connection, for a phone. */
export function DatapointCards({
  label,
  rows,
  chartPath,
  ...handlers
}: RowHandlers & { label: string; rows: readonly RowWords[]; chartPath: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" component="ul" aria-label={label} className={classes.list}>
      {rows.map((words) => (
        <DatapointCard key={words.id} {...words} {...handlers} chartPath={chartPath} />
      ))}
    </SimpleGrid>
  )
}

const DatapointCard = memo(function DatapointCard({
  chartPath,
  onOverride,
  onRelease,
  ...words
}: RowWords & RowHandlers & { chartPath: string }) {
  return (
    <Card
      component="li"
      withBorder
      padding="sm"
      className={words.by && classes.heldCard}
      data-by={words.by || undefined}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <div>
          <Text fw={600}>{words.name}</Text>
          <Text size="xs" c="dimmed">
            {words.hint}
          </Text>
        </div>
        <Stack gap={0} align="flex-end" className="figures" style={{ flexShrink: 0 }} maw="55%">
          <Text fw={700} size="lg" lh={1.2}>
            {words.value}
          </Text>
          <Text size="xs" fw={words.isOld ? 600 : undefined} ta="end">
            {words.age}
          </Text>
        </Stack>
      </Group>
      {words.problem && <Text size="sm">{words.problem}</Text>}
      {words.holder && (
        <Stack gap={0} my="xs">
          <HeldWords holder={words.holder} heldAt={words.heldAt} until={words.until} trouble={words.trouble} />
          <Text size="sm">{words.next}</Text>
        </Stack>
      )}
      <Box mt="auto" pt="xs">
        <DatapointActions
          isFull
          id={words.id}
          name={words.name}
          canOverride={words.canOverride}
          windowId={words.windowId}
          chartHref={`${chartPath}${encodeURIComponent(words.id)}`}
          onOverride={onOverride}
          onRelease={onRelease}
        />
      </Box>
    </Card>
  )
})
