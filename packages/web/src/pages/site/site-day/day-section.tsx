import { Box, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useEffect, useId, useMemo, useState } from 'react'
import { useSiteSystems } from '../../../api/use-devices.ts'
import { type HistoryPeriod, historyKey, useHoldEntries, useMeasurements } from '../../../api/use-history.ts'
import { useLimitIntervals } from '../../../api/use-limit-intervals.ts'
import { useSite } from '../../../api/use-site.ts'
import { useNow } from '../../../live/use-now.ts'
import { type Ceiling, isLimited, withCeilings } from '../../../parts/chart/ceilings.ts'
import { type ChartSeries, chartPanels, pictureOf, silentSince, summaryOf } from '../../../parts/chart/chart-content.ts'
import { describeHolds, describeValues, sourceName } from '../../../parts/chart/describe-chart.ts'
import type { PlotBand } from '../../../parts/chart/plot-picture.ts'
import { appendPoint, NO_POINTS, type Points } from '../../../parts/chart/points.ts'
import { rounded } from '../../../parts/chart/rounded.ts'
import { chartSearch } from '../../../parts/chart/sources.ts'
import { useHeldCeilings } from '../../../parts/chart/use-held-ceilings.ts'
import { writerName } from '../../../parts/describe-hold.ts'
import { Figure } from '../../../parts/figure.tsx'
import { Link } from '../../../parts/link.tsx'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { minuteTime } from '../../../parts/time.ts'
import { serviceNow } from '../../../service-clock.ts'
import { chart as chartTexts, siteDay as texts } from '../../../texts/charts.ts'
import { format } from '../../../texts/format.ts'
import {
  type DayDevice,
  type DayMeasure,
  dayMeasures,
  daySeries,
  heldEntries,
  liveSum,
  type WriterDay,
  writerDays,
} from './day-content.ts'
import classes from './day-section.module.css'

const Plot = lazy(async () => ({ default: (await import('../../../parts/chart/plot.tsx')).Plot }))

const DAY_MS = 86_400_000
/** How much of a limit that continues is drawn. */
const AHEAD_MS = 3_600_000
const MINUTE_MS = 60_000
const HEIGHT = 200
/** A pixel of the chart is longer: drawing more often would change nothing. */
const EDGE_MS = 30_000

const PERIOD: HistoryPeriod = {
  key: 'site-day',
  bounds: () => ({ from: serviceNow() - DAY_MS, to: serviceNow() }),
  refreshMs: 2 * MINUTE_MS,
}

/** The power and the main measurements of a site in the last 24 hours, with the holds of all its datapoints. */
export function DaySection({ devices }: { devices: readonly DayDevice[] }) {
  const { path, siteId } = useSite()
  const commissioned = useSiteSystems()
  const measures = useMemo(() => dayMeasures(commissioned.devices), [commissioned.devices])
  const edges = useEdges(measures, devices)
  const sources = measures.flatMap((measure) => measure.sources)
  const archive = useMeasurements(sources, PERIOD)
  const holds = useHoldEntries('site', { ...PERIOD, key: `site-day ${siteId}` })
  const now = useNow(MINUTE_MS)
  const days = useMemo(
    () =>
      holds.data
        ? writerDays(heldEntries(holds.data.entries, commissioned.devices), {
            since: holds.data.since,
            from: now - DAY_MS,
            now,
          })
        : [],
    [holds.data, commissioned.devices, now],
  )
  const limited = useLimitIntervals(PERIOD, { enabled: sources.some(isLimited) })
  const { ceilings, plannedUntil } = useHeldCeilings(
    limited,
    devices.map(({ device, view }) => ({ deviceId: device.id, device: view?.device })),
    now,
  )
  if (!commissioned.isComplete) return null

  return (
    <Stack component="section" gap="md" aria-labelledby="site-day">
      <Group gap="sm" align="baseline" justify="space-between">
        <Title order={2} size="h3" id="site-day">
          {texts.title}
        </Title>
        {sources.length > 0 && <Link to={path(`/charts?${chartSearch(sources)}`)}>{texts.allCharts}</Link>}
      </Group>
      {measures.length === 0 && (
        <Text c="dimmed">
          {texts.nothing} {texts.nothingHint}
        </Text>
      )}
      {archive.error && <ErrorNotice error={archive.error} retry={archive.refetch} title={chartTexts.historyFailed} />}
      {sources.length > 0 && archive.isPending && <Loading />}
      {archive.data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {measures.map((measure) => (
            <DayCard
              key={measure.key}
              measure={measure}
              loaded={archive.data.steps}
              edge={edges.get(measure.key) ?? NO_POINTS}
              days={days}
              ceilings={ceilings}
              plannedUntil={plannedUntil}
              now={now}
            />
          ))}
        </SimpleGrid>
      )}
      {holds.error && <ErrorNotice error={holds.error} retry={holds.refetch} title={chartTexts.reportsFailed} />}
      {archive.data && days.length > 0 && (
        <Group component="ul" gap="lg" className={classes.writers}>
          {days.map(({ by, count }) => (
            <Text component="li" size="sm" key={by} className={classes.writer} data-by={by}>
              {format(texts.heldBy, { writer: writerName(by), count })}
            </Text>
          ))}
        </Group>
      )}
      {holds.data?.isCut && <Text size="sm">{texts.someHolds}</Text>}
    </Stack>
  )
}

type Loaded = NonNullable<ReturnType<typeof useMeasurements>['data']>['steps']

function DayCard({
  measure,
  loaded,
  edge,
  days,
  ceilings,
  plannedUntil,
  now,
}: {
  measure: DayMeasure
  loaded: Loaded
  edge: Points
  days: readonly WriterDay[]
  ceilings: readonly Ceiling[]
  /** When the last limit that is held ends. */
  plannedUntil: number
  now: number
}) {
  const { path, site } = useSite()
  const syncKey = useId()
  const series = useMemo(() => {
    const limited = { ...measure, sources: withCeilings(measure.sources, ceilings) }
    return daySeries(limited, (source) => loaded.get(historyKey(source)), edge)
  }, [measure, ceilings, loaded, edge])
  const isLimitedNow = series?.source.ceilings !== undefined
  const to = isLimitedNow ? Math.max(now, Math.min(plannedUntil, now + AHEAD_MS)) : now
  const period = useMemo(() => ({ from: now - DAY_MS, to }), [now, to])
  const panel = useMemo(() => (series ? chartPanels([series])[0] : undefined), [series])
  const picture = useMemo(
    () => panel && { ...pictureOf(panel, period, now), bands: bandsOf(days) },
    [panel, period, now, days],
  )
  if (!series || !picture) return null
  const name = nameOf(measure)
  const held = days.reduce((sum, { count }) => sum + count, 0)
  const summary = series.isLoaded
    ? describeValues(summaryOf(series, period), series.source.unit, site.timeZone)
    : chartTexts.notLoaded
  return (
    <Paper withBorder p="md" component="article">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <div>
          <Title order={3} size="h5">
            <Link to={path(`/charts?${chartSearch(measure.sources)}`)} inherit>
              {measure.isPower ? texts.power : name}
            </Link>
          </Title>
          <Text size="sm" c="dimmed">
            {measure.isPower ? name : series.source.connection}
          </Text>
        </div>
        <Last series={series} now={now} />
      </Group>
      <Box mih={HEIGHT}>
        <Suspense fallback={null}>
          <Plot
            picture={picture}
            frame={{ height: HEIGHT, timeZone: site.timeZone, hasTimes: true, isStacked: false, syncKey }}
            label={format(chartTexts.label, { names: name, summary: `${summary} ${describeHolds(held)}` })}
            onCursor={ignore}
          />
        </Suspense>
      </Box>
    </Paper>
  )
}

const ignore = () => {}

/** The last value, large, or since when there is none. */
function Last({ series, now }: { series: ChartSeries; now: number }) {
  const { site } = useSite()
  const { points, source } = series
  const since = silentSince(series, now)
  const last = points.at.at(-1)
  return (
    <Stack gap={0} align="flex-end" style={{ flexShrink: 0 }} className="figures">
      <Text size="xl" lh={1.2}>
        <Figure value={rounded(points.value.at(-1))} unit={source.unit} isOld={since !== undefined} />
      </Text>
      <Text size="xs" fw={since === undefined ? undefined : 600}>
        {!series.isLoaded && chartTexts.notLoaded}
        {since === null && chartTexts.noValuesYet}
        {typeof since === 'number' && format(chartTexts.noValuesSince, { time: minuteTime(since, site.timeZone, now) })}
        {since === undefined && last !== undefined && minuteTime(last, site.timeZone, now)}
      </Text>
    </Stack>
  )
}

function nameOf({ sources }: DayMeasure): string {
  const [first] = sources
  return first ? format(texts.powerOf, { name: sourceName(first), count: sources.length }) : ''
}

/** The holds of any datapoint say why the power moved. They have no value of their own here, and the list names their colors. */
const bandsOf = (days: readonly WriterDay[]): PlotBand[] =>
  days.flatMap(({ bands }) => bands.map((band) => ({ ...band, unit: undefined, label: '' })))

/** Collects the live values at the right edge, a point every half a minute. */
function useEdges(measures: readonly DayMeasure[], devices: readonly DayDevice[]): ReadonlyMap<string, Points> {
  const [edges, setEdges] = useState<ReadonlyMap<string, Points>>(new Map())
  useEffect(() => {
    const newer = measures.flatMap(({ key, sources }) => {
      const latest = liveSum(sources.map(({ deviceId, datapointId }) => liveValue(devices, deviceId, datapointId)))
      const before = edges.get(key) ?? NO_POINTS
      const isDue = latest && latest.at - (before.at.at(-1) ?? 0) >= EDGE_MS
      return isDue ? [[key, appendPoint(before, latest.at, latest.value)] as const] : []
    })
    if (newer.length > 0) setEdges(new Map([...edges, ...newer]))
  }, [measures, devices, edges])
  return edges
}

function liveValue(devices: readonly DayDevice[], deviceId: string, datapointId: string) {
  const live = devices.find(({ device }) => device.id === deviceId)?.view?.device
  for (const { values } of live?.connections ?? []) {
    const found = values[datapointId]
    if (found) return found
  }
  return undefined
}
