import { Button, Group, Menu, Stack, Table, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { loadValues } from '../../api/use-history.ts'
import { useSite } from '../../api/use-site.ts'
import { type ChartSeries, pointsIn, summaryOf } from '../../parts/chart/chart-content.ts'
import { columnName, csvOf, MAX_RAW_VALUES, rowsOf } from '../../parts/chart/csv.ts'
import type { Period } from '../../parts/chart/period.ts'
import { foldPoints, type Points } from '../../parts/chart/points.ts'
import { sourceKey } from '../../parts/chart/sources.ts'
import { tableStep } from '../../parts/chart/table-step.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { duration, exactTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { chartPage as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'

interface Shown {
  series: readonly ChartSeries[]
  period: Period
  timeZone: string
}

/** The values of a chart as a table and as CSV files. */
export function ValuesAsText({ series, period, timeZone }: Shown) {
  const [hasTable, setHasTable] = useState(false)
  const { orgId } = useSite()
  const counts = series.map((each) => summaryOf(each, period)?.count ?? 0)
  const count = counts.reduce((sum, each) => sum + each, 0)
  const isTooLong = count > MAX_RAW_VALUES
  const step = Math.max(1, ...series.map((each) => each.step))

  const raw = useMutation({
    mutationFn: async () => {
      const loaded = await Promise.all(
        series.map(async (each) => ({
          source: each.source,
          points: rawPoints(await loadValues(orgId, each.source, period, MAX_RAW_VALUES)),
        })),
      )
      save(csvOf(loaded, timeZone))
    },
  })
  const saveShown = () =>
    save(
      csvOf(
        series.map((each) => ({ source: each.source, points: pointsIn(each, period) })),
        timeZone,
      ),
    )

  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button variant="default" size="sm" aria-expanded={hasTable} onClick={() => setHasTable((before) => !before)}>
          {hasTable ? texts.hideTable : texts.table}
        </Button>
        <Menu>
          <Menu.Target>
            <Button variant="default" size="sm" loading={raw.isPending}>
              {texts.csv}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={saveShown}>{format(texts.csvShown, { length: duration(step * 1000) })}</Menu.Item>
            <Menu.Item onClick={() => raw.mutate()} disabled={isTooLong}>
              {texts.csvRaw}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        {isTooLong && <Text size="sm">{format(texts.csvTooMany, { count, most: MAX_RAW_VALUES })}</Text>}
      </Group>
      {raw.error && <ErrorNotice error={raw.error} title={texts.csvFailed} />}
      {hasTable && <ValueTable series={series} period={period} timeZone={timeZone} />}
    </Stack>
  )
}

function rawPoints(values: readonly { at: string; value: number }[]): Points {
  const value = values.map((each) => each.value)
  return { at: values.map(({ at }) => Date.parse(at)), value, low: value, high: value, count: value.map(() => 1) }
}

function save(text: string): void {
  // Spreadsheets need the mark to read names that are not ASCII.
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'chart.csv'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The chart for people who do not see it, in few enough rows to read. */
function ValueTable({ series, period, timeZone }: Shown) {
  const step = tableStep(period, Math.max(0, ...series.map((each) => each.step)))
  const rows = useMemo(() => {
    const folded = series.map((each) => foldPoints(pointsIn(each, period), step))
    return rowsOf(folded).map(({ at, places }) => ({
      at,
      cells: places.map((place, index) => cellOf(folded[index] as Points, place)),
    }))
  }, [series, period, step])
  return (
    <Stack gap={4}>
      <Text size="sm">{format(texts.tableStep, { length: duration(step), zone: timeZone })}</Text>
      <Table.ScrollContainer
        minWidth={300}
        maxHeight={480}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={texts.tableOf}
      >
        <Table fz="sm" stickyHeader aria-label={texts.tableOf}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.time}</Table.Th>
              {series.map((each) => (
                <Table.Th key={sourceKey(each.source)} scope="col">
                  {columnName(each)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="figures">
            {rows.map(({ at, cells }) => (
              <Table.Tr key={at}>
                <Table.Th scope="row" fw={400}>
                  {exactTime(at, timeZone)}
                </Table.Th>
                {cells.map((cell, index) => (
                  <Table.Td key={sourceKey((series[index] as ChartSeries).source)}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function cellOf(points: Points, place: number | undefined): string {
  if (place === undefined) return shownValue(null)
  const [mean, min, max] = [points.value, points.low, points.high].map((each) => shownValue(each[place])) as [
    string,
    string,
    string,
  ]
  return min === max ? mean : format(texts.cell, { mean, min, max })
}
