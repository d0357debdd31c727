import { Box, Button, Card, Group, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { Fragment, memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Digits } from '../../../parts/figure.tsx'
import { joinFacts } from '../../../parts/value.ts'
import { datapoints as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { holds as holdTexts } from '../../../texts/holds.ts'
import classes from './datapoint-table.module.css'
import type { RowTexts } from './describe-row.ts'
import { rowId } from './wanted-row.ts'

/** The open chart, which is shown below its datapoint. */
export interface OpenChart {
  datapointId: string
  element: ReactNode
}

type ListProps = RowHandlers & {
  label: string
  rows: readonly RowTexts[]
  chartPath: string
  chart: OpenChart | undefined
}

/** The datapoints of one connection on a wide screen. */
export function DatapointTable({ label, rows, chartPath, chart, ...handlers }: ListProps) {
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
            <Table.Th scope="col" className={classes.actions}>
              {columns.actions}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Fragment key={row.id}>
              <Line {...row} {...handlers} chartPath={chartPath} />
              {chart?.datapointId === row.id && (
                <Table.Tr>
                  <Table.Td colSpan={Object.keys(columns).length}>{chart.element}</Table.Td>
                </Table.Tr>
              )}
            </Fragment>
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
  onCloseHold,
  ...row
}: RowTexts & RowHandlers & { chartPath: string }) {
  return (
    // Plain elements: hundreds of rows change every second.
    <tr
      className={`${classes.row} ${classes.line} ${row.by && classes.held}`}
      data-by={row.by || undefined}
      data-wanted={row.isWanted || undefined}
      id={rowId(row.id)}
      tabIndex={row.isWanted ? -1 : undefined}
    >
      <th scope="row">
        {row.name}
        <div className={classes.hint}>{row.hint}</div>
      </th>
      <td className={classes.valueCell}>
        <div className={classes.figure} data-old={row.isOld || undefined}>
          <Digits number={row.value} unit={row.unit} />
        </div>
        {row.problem && <div className={classes.problem}>{row.problem}</div>}
      </td>
      <td className={`figures ${classes.ageText}`} data-old={row.isOld || undefined}>
        {row.age}
      </td>
      <td>
        <HoldLines {...holdLinesOf(row)} />
      </td>
      <td>
        <DatapointActions
          id={row.id}
          name={row.name}
          canOverride={row.canOverride}
          overrideId={row.overrideId}
          chartHref={`${chartPath}${encodeURIComponent(row.id)}`}
          onOverride={onOverride}
          canCloseHold={row.canCloseHold}
          onRelease={onRelease}
          onCloseHold={onCloseHold}
        />
      </td>
    </tr>
  )
})

type HoldTexts = Pick<
  RowTexts,
  'holder' | 'notHeld' | 'heldAt' | 'actual' | 'until' | 'next' | 'trouble' | 'state' | 'stateHint' | 'unanswered'
>

const holdLinesOf = (row: RowTexts): HoldTexts => {
  const { holder, notHeld, heldAt, actual, until, next, trouble, state, stateHint, unanswered } = row
  return { holder, notHeld, heldAt, actual, until, next, trouble, state, stateHint, unanswered }
}

/** The holder of a datapoint, its value and its end, what follows, and what is wrong. */
const HoldLines = memo(function HoldLines(hold: HoldTexts) {
  const { holder, notHeld, heldAt, actual, until, next, trouble, state, stateHint, unanswered } = hold
  if (!holder) {
    return <div className={classes.notHeld}>{notHeld}</div>
  }
  return (
    <>
      <Text size="sm" fw={600}>
        {holder}
      </Text>
      {(state || heldAt) && <Text size="sm">{joinFacts([state, heldAt])}</Text>}
      {stateHint && <Text size="sm">{stateHint}</Text>}
      {actual && (
        <Text size="sm" fw={600} c={trouble && 'var(--mantine-color-error)'}>
          {actual}
        </Text>
      )}
      {until && (
        <Text size="sm" className="figures">
          {until}
        </Text>
      )}
      {next && <Text size="sm">{next}</Text>}
      {unanswered && <Text size="sm">{unanswered}</Text>}
      {trouble && (
        <Text size="sm" fw={600} c="var(--mantine-color-error)">
          {trouble}
        </Text>
      )}
    </>
  )
})

/** The datapoints of one connection on a phone. */
export function DatapointCards({ label, rows, chartPath, chart, ...handlers }: ListProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" component="ul" aria-label={label} className={classes.list}>
      {rows.map((row) => (
        <Fragment key={row.id}>
          <DatapointCard {...row} {...handlers} chartPath={chartPath} />
          {chart?.datapointId === row.id && <li className={classes.chart}>{chart.element}</li>}
        </Fragment>
      ))}
    </SimpleGrid>
  )
}

const DatapointCard = memo(function DatapointCard({
  chartPath,
  onOverride,
  onRelease,
  onCloseHold,
  ...row
}: RowTexts & RowHandlers & { chartPath: string }) {
  return (
    <Card
      component="li"
      withBorder
      padding="sm"
      className={`${classes.row} ${row.by && classes.heldCard}`}
      data-by={row.by || undefined}
      data-wanted={row.isWanted || undefined}
      id={rowId(row.id)}
      tabIndex={row.isWanted ? -1 : undefined}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <div>
          <Text fw={600}>{row.name}</Text>
          <Text size="xs" c="dimmed">
            {row.hint}
          </Text>
        </div>
        <Stack gap={0} align="flex-end" className="figures" style={{ flexShrink: 0 }} maw="55%">
          <div className={`${classes.figure} ${classes.large}`} data-old={row.isOld || undefined}>
            <Digits number={row.value} unit={row.unit} />
          </div>
          <Text size="xs" fw={row.isOld ? 600 : undefined} ta="end">
            {row.age}
          </Text>
        </Stack>
      </Group>
      {row.problem && <Text size="sm">{row.problem}</Text>}
      {(row.holder || row.notHeld === texts.holdUnknown) && (
        <Stack gap={0} my="xs">
          <HoldLines {...holdLinesOf(row)} />
        </Stack>
      )}
      <Box mt="auto" pt="xs">
        <DatapointActions
          isFull
          id={row.id}
          name={row.name}
          canOverride={row.canOverride}
          overrideId={row.overrideId}
          chartHref={`${chartPath}${encodeURIComponent(row.id)}`}
          onOverride={onOverride}
          canCloseHold={row.canCloseHold}
          onRelease={onRelease}
          onCloseHold={onCloseHold}
        />
      </Box>
    </Card>
  )
})

export interface RowHandlers {
  onOverride(datapointId: string): void
  onRelease(datapointId: string, overrideId: string): void
  onCloseHold(datapointId: string): void
}

/** The actions on a datapoint that the signed-in person may take. What every row has is plain: there are hundreds. */
const DatapointActions = memo(function DatapointActions({
  id,
  name,
  canOverride,
  overrideId,
  canCloseHold,
  chartHref,
  onOverride,
  onRelease,
  onCloseHold,
  isFull = false,
}: RowHandlers &
  Pick<RowTexts, 'id' | 'name' | 'canOverride' | 'overrideId' | 'canCloseHold'> & {
    chartHref: string
    /** Fills the width, for thumbs. */
    isFull?: boolean
  }) {
  return (
    <div className={classes.buttons} data-full={isFull || undefined}>
      <Link
        href={chartHref}
        aria-label={format(texts.chartOf, { name })}
        className={`mantine-focus-auto ${classes.button}`}
      >
        {texts.chart}
      </Link>
      {canOverride && (
        <button
          type="button"
          className={`mantine-focus-auto ${classes.button}`}
          onClick={() => onOverride(id)}
          aria-label={format(texts.overrideOf, { name })}
        >
          {texts.override}
        </button>
      )}
      {overrideId !== null && (
        <Button
          color="red.9"
          size={isFull ? 'md' : 'xs'}
          px="sm"
          onClick={() => onRelease(id, overrideId)}
          aria-label={format(texts.releaseOf, { name })}
          fullWidth={isFull}
        >
          {texts.release}
        </Button>
      )}
      {canCloseHold && (
        <Button
          variant="default"
          size={isFull ? 'sm' : 'xs'}
          px="sm"
          onClick={() => onCloseHold(id)}
          aria-label={format(holdTexts.closeOf, { name })}
          fullWidth={isFull}
        >
          {holdTexts.close}
        </Button>
      )}
    </div>
  )
})
