import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useTechnicalSystems } from '../../../api/use-devices.ts'
import { useSite } from '../../../api/use-site.ts'
import { ChartBoard } from '../../../parts/chart/chart-board.tsx'
import { HoldList, LimitList } from '../../../parts/chart/chart-lists.tsx'
import { sourceName } from '../../../parts/chart/describe-chart.ts'
import { type ChartRange, rangeFrom, withoutRange, withRange, withZoom, zoomFrom } from '../../../parts/chart/period.ts'
import { PeriodPicker } from '../../../parts/chart/period-picker.tsx'
import { type ChartSource, chartSearch, sourcesOf, unknownSource } from '../../../parts/chart/sources.ts'
import type { When } from '../../../parts/describe-hold.ts'
import { Link } from '../../../parts/link.tsx'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { duration } from '../../../parts/time.ts'
import { chart as texts } from '../../../texts/charts.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow, LiveOverride } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import classes from './chart.module.css'
import { useDatapointChart } from './use-datapoint-chart.ts'

const NO_OVERRIDES: readonly LiveOverride[] = []

/** The chart of the datapoint in the address, commissioned or not. */
export function ChartSection({
  deviceId,
  row,
  when,
  state,
}: {
  deviceId: string
  /** `undefined` for a datapoint that is no longer commissioned: its archive stays. */
  row: DatapointRow | undefined
  when: When
  state: LiveState
}) {
  const [search, setSearch] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const source = useSource(deviceId, search.get('datapoint') ?? '')

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
            {format(texts.title, { name: sourceName(source) })}
          </Title>
          <Button variant="default" size="sm" onClick={close} style={{ flexShrink: 0 }}>
            {texts.close}
          </Button>
        </Group>
        <ChartView source={source} row={row} when={when} state={state} />
      </Stack>
    </Card>
  )
}

/** Finds the datapoint with its limits; one that is not commissioned still has an archive. */
function useSource(deviceId: string, datapointId: string): ChartSource {
  const { data: systems } = useTechnicalSystems(deviceId)
  return useMemo(
    () =>
      sourcesOf([{ id: deviceId, name: '', systems }]).find((each) => each.datapointId === datapointId) ??
      unknownSource(deviceId, datapointId),
    [deviceId, datapointId, systems],
  )
}

/** The values and holds of the range, drawn and as text. */
function ChartView({
  source,
  row,
  when,
  state,
}: {
  source: ChartSource
  row: DatapointRow | undefined
  when: When
  state: LiveState
}) {
  const { path } = useSite()
  const [search, setSearch] = useSearchParams()
  const isArchived = source.interval !== 0
  // Without an archive there are only new values: on a line of a day they would be a dot.
  const range = rangeFrom(search, when.timeZone, isArchived ? '24h' : '1h')
  const zoom = zoomFrom(search)
  const chart = useDatapointChart({ source, row, range, zoom, when, state })
  const { archive, holds, series, period, now } = chart
  const show = (next: ChartRange) => setSearch((before) => withRange(before, next), { replace: true })
  const page = (more: Readonly<Record<string, string>>) => path(`/charts?${chartSearch([source], more)}`)
  const name = sourceName(source)

  return (
    <Stack gap="xs">
      <PeriodPicker range={range} shown={period} now={now} timeZone={when.timeZone} onChange={show} />
      {!isArchived && (
        <Text size="sm">{format(period.to < now ? texts.notArchivedPast : texts.notArchived, { name })}</Text>
      )}
      {archive.error && <ErrorNotice error={archive.error} retry={archive.refetch} title={texts.historyFailed} />}
      {holds.error && <ErrorNotice error={holds.error} retry={holds.refetch} title={texts.reportsFailed} />}
      {archive.isLoading ? (
        <Loading />
      ) : (
        <ChartBoard
          series={series}
          period={period}
          periodKey={chart.key}
          now={now}
          timeZone={when.timeZone}
          isLoading={archive.isPlaceholderData || holds.isPlaceholderData}
          isZoomed={zoom !== undefined}
          onZoom={(next) => setSearch((before) => withZoom(before, range, next), { replace: true })}
        />
      )}
      {chart.hasMeans && <Text size="sm">{format(texts.step, { length: duration(chart.step * 1000) })}</Text>}
      {chart.hasSamples && <Text size="sm">{texts.samples}</Text>}
      {chart.gaps > 0 && <Text size="sm">{format(texts.dropped, { count: chart.gaps })}</Text>}
      <LimitList series={series} period={period} />
      <HoldList
        series={series}
        period={period}
        overrides={row?.overrides ?? NO_OVERRIDES}
        when={when}
        linkOf={(_series, band) => page({ hold: new Date(band.from).toISOString() })}
      />
      {holds.data?.isCut && <Text size="sm">{texts.tooManyReports}</Text>}
      <Group gap="lg">
        <Link size="sm" to={page(Object.fromEntries([...search].filter(([key]) => key !== 'datapoint')))}>
          {texts.openPage}
        </Link>
        <Link size="sm" to={path(`/reports?datapointId=${encodeURIComponent(source.datapointId)}`)}>
          {texts.reports}
        </Link>
      </Group>
    </Stack>
  )
}
