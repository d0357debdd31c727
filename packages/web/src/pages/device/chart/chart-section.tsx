import { Box, Button, Card, Group, List, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/describe-hold.ts'
import { Link } from '../../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { exactTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { chart as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow, LiveOverride } from '../rows.ts'
import { type Band, bandsOf, bandsWithin, cutTo, joinRunning, plannedBands } from './bands.ts'
import classes from './chart.module.css'
import { axisEnd, boundsOf, type ChartRange, rangeFrom, today, withoutRange, withRange } from './chart-range.ts'
import { describeBand, describeChart } from './describe-chart.ts'
import { breakAfter, mergePoints, NO_POINTS, type Points, pointsWithin, summarize, withBreaks } from './points.ts'
import { type LoadedArchive, type LoadedHolds, useArchive, useHolds, useLivePoints } from './use-history.ts'

const RANGES = ['1h', '6h', '24h', '7d', '30d', '365d', 'day'] as const

/** The chart of the datapoint in the address. */
export function ChartSection({
  deviceId,
  row,
  when,
  isLost,
}: {
  deviceId: string
  row: DatapointRow | undefined
  when: When
  isLost: boolean
}) {
  const { path } = useSite()
  const [search, setSearch] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  // Without an archive there are only new values: on a line of a day they would be a dot.
  const range = rangeFrom(search, when.timeZone, row?.datapoint.analyticsInterval === 0 ? '1h' : '24h')
  const show = (next: ChartRange) => setSearch((before) => withRange(before, next), { replace: true })
  const latest = today(when.now, when.timeZone)

  // The button is further down the page, so scroll to the chart.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [])

  function close() {
    setSearch((before) => {
      const next = withoutRange(before)
      next.delete('datapoint')
      return next
    })
  }

  return (
    <Card component="section" withBorder padding="md" aria-labelledby="chart">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={2} size="h3" id="chart" ref={heading} tabIndex={-1} className={classes.heading}>
            {row ? format(texts.title, { name: row.datapoint.name }) : texts.gone}
          </Title>
          <Button variant="default" size="sm" onClick={close} style={{ flexShrink: 0 }}>
            {texts.close}
          </Button>
        </Group>
        {row ? (
          <>
            <Group align="flex-end" gap="sm">
              <Box maw="100%" style={{ overflowX: 'auto' }}>
                <SegmentedControl
                  aria-label={texts.range}
                  value={range.kind}
                  data={RANGES.map((value) => ({ value, label: texts.ranges[value] }))}
                  onChange={(kind) =>
                    show(kind === 'day' ? { kind, day: latest } : { kind: kind as Exclude<ChartRange['kind'], 'day'> })
                  }
                />
              </Box>
              {range.kind === 'day' && (
                <TextInput
                  type="date"
                  label={format(texts.day, { zone: when.timeZone })}
                  value={range.day}
                  max={latest}
                  onChange={(event) =>
                    event.currentTarget.value && show({ kind: 'day', day: event.currentTarget.value })
                  }
                />
              )}
            </Group>
            <ChartView deviceId={deviceId} row={row} range={range} when={when} isLost={isLost} />
            <Text size="sm">
              <Link to={path(`/reports?datapointId=${encodeURIComponent(row.datapoint.id)}`)}>{texts.reports}</Link>
            </Text>
          </>
        ) : (
          <Empty title={texts.gone}>{texts.goneHint}</Empty>
        )}
      </Stack>
    </Card>
  )
}

const ValueChart = lazy(async () => ({ default: (await import('./value-chart.tsx')).ValueChart }))

const MAX_BANDS = 8
/** Often enough to see it move. */
const STEP_MS = 2000

/** The values and holds of the range, drawn and as text. */
function ChartView({
  deviceId,
  row,
  range,
  when,
  isLost,
}: {
  deviceId: string
  row: DatapointRow
  range: ChartRange
  when: When
  isLost: boolean
}) {
  const { orgId } = useSite()
  const { datapoint, overrides } = row
  const { timeZone } = when
  const isArchived = datapoint.analyticsInterval > 0
  const query = { orgId, deviceId, datapointId: datapoint.id, range, timeZone, now: when.now }
  const archive = useArchive(query, isArchived)
  const holds = useHolds(query)
  const live = useLivePoints(isLost ? undefined : row.value)
  const { bands, summary, picture } = useContent(row, range, when, {
    archive: archive.data,
    holds: holds.data,
    live,
  })
  const readout = useRef<HTMLParagraphElement>(null)

  const onCursor = useCallback(
    (at: number | undefined, value: number | null) => {
      if (!readout.current) return
      readout.current.textContent =
        at === undefined
          ? texts.cursorHint
          : format(texts.cursor, { time: exactTime(at, timeZone), value: shownValue(value) })
    },
    [timeZone],
  )

  const text = describeChart(summary, bands.length, timeZone)
  if (isArchived && archive.isPending) return <Loading />
  const gaps = archive.data?.gaps.length ?? 0
  return (
    <Stack gap="xs">
      {!isArchived && <Text size="sm">{range.kind === 'day' ? texts.notArchivedDay : texts.notArchived}</Text>}
      {archive.error && <ErrorNotice error={archive.error} retry={archive.refetch} title={texts.historyFailed} />}
      {holds.error && <ErrorNotice error={holds.error} retry={holds.refetch} title={texts.reportsFailed} />}
      <Box mih={280}>
        <Suspense fallback={<Loading />}>
          <ValueChart
            picture={picture}
            timeZone={timeZone}
            isStepped={datapoint.accessType !== 'READ'}
            label={format(texts.label, { name: datapoint.name, summary: text })}
            onCursor={onCursor}
          />
        </Suspense>
      </Box>
      <Text size="sm" c="dimmed" ref={readout} className="figures" aria-hidden="true" visibleFrom="sm">
        {texts.cursorHint}
      </Text>
      <Text size="sm" className="figures">
        {text}
      </Text>
      {gaps > 0 && <Text size="sm">{format(texts.dropped, { count: gaps })}</Text>}
      <HoldList bands={bands} overrides={overrides} when={when} />
      {holds.data?.isCut && <Text size="sm">{texts.tooManyReports}</Text>}
    </Stack>
  )
}

/** Computes the drawing and its summary, only when something visible changes. */
function useContent(
  { datapoint, hold, overrides }: DatapointRow,
  range: ChartRange,
  { timeZone, now: exactNow }: When,
  { archive, holds, live }: { archive: LoadedArchive | undefined; holds: LoadedHolds | undefined; live: Points },
) {
  const now = Math.floor(exactNow / STEP_MS) * STEP_MS
  const rangeKey = range.kind === 'day' ? range.day : range.kind
  const { analyticsInterval } = datapoint
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the range
  return useMemo(() => {
    const { from, to } = boundsOf(range, { now, timeZone })
    const planned = to >= now ? plannedBands(overrides, hold, now) : []
    const end = axisEnd(range, { to, plannedUntil: Math.max(0, ...planned.map((band) => band.to)) })
    const reported = holds ? bandsOf(holds.entries, { since: holds.since, now }) : []
    const all = [...reported, ...planned]
    const bands = joinRunning(bandsWithin(all, from, end))
    const { points: archived = NO_POINTS, step = 0 } = archive ?? {}
    const archivedUntil = (archived.at.at(-1) ?? 0) + step * 1000
    // The first step may begin before the period.
    const points = pointsWithin(mergePoints(archived, live, archivedUntil), from - step * 1000, to)
    const data = withBreaks(points, breakAfter(analyticsInterval, step))
    return { bands, summary: summarize(points), picture: { data, bands: cutTo(all, from, end), from, to: end, now } }
  }, [rangeKey, now, timeZone, overrides, hold, holds, archive, live, analyticsInterval])
}

function HoldList({
  bands,
  overrides,
  when,
}: {
  bands: readonly Band[]
  overrides: readonly LiveOverride[]
  when: When
}) {
  if (bands.length === 0) return null
  return (
    <>
      <List size="sm" aria-label={texts.bandList}>
        {bands.slice(-MAX_BANDS).map((band) => (
          <List.Item key={`${band.by} ${band.overrideId} ${band.from} ${band.isPlanned}`}>
            {describeBand(band, overrides, when)}
          </List.Item>
        ))}
      </List>
      {bands.length > MAX_BANDS && (
        <Text size="sm">{format(texts.moreBands, { count: bands.length - MAX_BANDS })}</Text>
      )}
    </>
  )
}
