import { Group, Stack, Text } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { ChartBoard } from '../../parts/chart/chart-board.tsx'
import { HoldList, LimitList } from '../../parts/chart/chart-lists.tsx'
import { sourceName } from '../../parts/chart/describe-chart.ts'
import { type ChartRange, type Period, withRange, withZoom } from '../../parts/chart/period.ts'
import { PeriodPicker } from '../../parts/chart/period-picker.tsx'
import { type ChartSource, chartSearch, sourceKey } from '../../parts/chart/sources.ts'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { duration } from '../../parts/time.ts'
import { chartPage, chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { CompareSelect, describeComparison } from './compare-select.tsx'
import { useSiteChart } from './use-site-chart.ts'
import { ValuesAsText } from './values-as-text.tsx'

/** The chosen datapoints in a period, with everything that belongs to them. */
export function SiteChart({
  sources,
  range,
  period,
  zoom,
  now,
  onRemove,
  hasPicker = true,
}: {
  sources: readonly ChartSource[]
  range: ChartRange
  period: Period
  zoom: Period | undefined
  now: number
  onRemove: (key: string) => void
  /** False where the period follows from something else. */
  hasPicker?: boolean
}) {
  const { site, path } = useSite()
  const { timeZone } = site
  const [, setSearch] = useSearchParams()
  const chart = useSiteChart({ sources, range, period, zoom, now })
  const { series, measurements, holds, comparison } = chart
  const when = { timeZone, now }

  return (
    <Stack gap="md">
      <Group align="flex-end" gap="md">
        {hasPicker && (
          <PeriodPicker
            range={range}
            shown={period}
            now={now}
            timeZone={timeZone}
            onChange={(next) => setSearch((before) => withRange(before, next), { replace: true })}
          />
        )}
        <CompareSelect period={period} timeZone={timeZone} now={now} />
      </Group>
      {sources.map((source) => (
        <SourceNotices
          key={sourceKey(source)}
          source={source}
          error={measurements.data?.errors.get(sourceKey(source))}
          retry={measurements.refetch}
        />
      ))}
      {measurements.error && (
        <ErrorNotice error={measurements.error} retry={measurements.refetch} title={texts.historyFailed} />
      )}
      {holds.error && <ErrorNotice error={holds.error} retry={holds.refetch} title={texts.reportsFailed} />}
      {comparison.error && (
        <ErrorNotice error={comparison.error} retry={comparison.refetch} title={chartPage.compareFailed} />
      )}
      {measurements.isLoading ? (
        <Loading />
      ) : (
        <ChartBoard
          series={series}
          period={chart.period}
          periodKey={chart.key}
          now={now}
          timeZone={timeZone}
          isLoading={chart.isLoading}
          isZoomed={zoom !== undefined}
          onZoom={(next) => setSearch((before) => withZoom(before, range, next), { replace: true })}
          onRemove={onRemove}
        />
      )}
      {comparison.days !== undefined && <Text size="sm">{describeComparison(comparison.days)}</Text>}
      {chart.hasMeans && <Text size="sm">{format(texts.step, { length: duration(chart.step * 1000) })}</Text>}
      {chart.hasSamples && <Text size="sm">{texts.samples}</Text>}
      {chart.gaps > 0 && <Text size="sm">{format(texts.dropped, { count: chart.gaps })}</Text>}
      <LimitList series={series} period={chart.period} />
      <HoldList
        series={series}
        period={period}
        overrides={[]}
        when={when}
        linkOf={({ source }, band) =>
          path(
            `/charts?${chartSearch([source, ...sources.filter((each) => each !== source)], { hold: new Date(band.from).toISOString() })}`,
          )
        }
      />
      {holds.data?.isCut && <Text size="sm">{texts.tooManyReports}</Text>}
      <ValuesAsText series={series} period={period} timeZone={timeZone} />
    </Stack>
  )
}

/** What keeps one datapoint from having a line. */
function SourceNotices({
  source,
  error,
  retry,
}: {
  source: ChartSource
  error: Error | undefined
  retry: () => unknown
}) {
  const name = sourceName(source)
  if (error) return <ErrorNotice error={error} retry={retry} title={format(texts.historyFailedOf, { name })} />
  return source.interval === 0 ? <Text size="sm">{format(texts.notArchivedAtAll, { name })}</Text> : null
}
