import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useHoldEntries } from '../../api/use-history.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { type Band, bandsOf } from '../../parts/chart/bands.ts'
import { AROUND_MS, around, beforeAfter, holdAt } from '../../parts/chart/before-after.ts'
import type { ChartSeries } from '../../parts/chart/chart-content.ts'
import { describeHolding, describeTimes, sourceName } from '../../parts/chart/describe-chart.ts'
import type { Period } from '../../parts/chart/period.ts'
import { rounded } from '../../parts/chart/rounded.ts'
import { type ChartSource, sourceKey } from '../../parts/chart/sources.ts'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { exactTime, fullTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { serviceNow } from '../../service-clock.ts'
import { aroundHold as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { SiteChart } from './site-chart.tsx'
import { useSiteChart } from './use-site-chart.ts'

interface HoldChartProps {
  sources: readonly ChartSource[]
  /** The datapoint that was held. */
  source: ChartSource
  /** A moment of the hold. */
  at: number
  zoom: Period | undefined
  now: number
  onRemove: (key: string) => void
  onClose: () => void
}

const DAY_MS = 86_400_000
const OPEN_STEP_MS = 300_000

/** A chart from an hour before a hold to an hour after it, with the means of each part. */
export function HoldChart(props: HoldChartProps) {
  const { source, at, now, onClose } = props
  const { site } = useSite()
  const to = Math.min(now, at + DAY_MS + AROUND_MS)
  const entries = useHoldEntries([source], {
    key: `hold ${at}`,
    bounds: () => ({ from: at, to: at + DAY_MS + AROUND_MS }),
    refreshMs: at + DAY_MS > serviceNow() && 15_000,
  })
  if (entries.error && !entries.data) return <ErrorNotice error={entries.error} retry={entries.refetch} />
  if (!entries.data) return <Loading />
  const bands = bandsOf(entries.data.entries, { since: entries.data.since, now: to })
  const band = holdAt(bands, at)
  if (!band) {
    return (
      <Stack align="center">
        <Empty title={texts.gone}>{format(texts.goneHint, { time: fullTime(at, site.timeZone) })}</Empty>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </Stack>
    )
  }
  return <FoundHold {...props} band={band} />
}

function FoundHold({ sources, source, zoom, now, onRemove, onClose, band }: HoldChartProps & { band: Band }) {
  const { from, to } = around(band)
  // The end of a hold that continues moves: by whole steps, so that the values are not loaded every second.
  const whole = { kind: 'own' as const, from, to: band.isOpen ? Math.ceil(band.to / OPEN_STEP_MS) * OPEN_STEP_MS : to }
  const { series } = useSiteChart({ sources, range: whole, period: whole, zoom: undefined, now })
  return (
    <Stack gap="lg">
      <Means series={series} source={source} band={band} onClose={onClose} />
      <SiteChart
        sources={sources}
        range={whole}
        period={zoom ?? whole}
        zoom={zoom}
        now={now}
        onRemove={onRemove}
        hasPicker={false}
      />
    </Stack>
  )
}

function Means({
  series,
  source,
  band,
  onClose,
}: {
  series: readonly ChartSeries[]
  source: ChartSource
  band: Band
  onClose: () => void
}) {
  const { site } = useSite()
  const times = describeTimes(band, (at) => exactTime(at, site.timeZone))
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="around-hold">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Title order={2} size="h3" id="around-hold">
            {texts.title}
          </Title>
          <Anchor component="button" type="button" size="sm" onClick={onClose}>
            {texts.close}
          </Anchor>
        </Group>
        <Text>{format(texts.of, { name: sourceName(source), hold: describeHolding(band, source.unit), times })}</Text>
        <CardTable
          label={texts.title}
          rows={series.map(({ source: of, points, step }) => ({ of, ...beforeAfter(points, band, step * 1000) }))}
          keyOf={({ of }) => sourceKey(of)}
          framed={false}
          columns={[
            { head: texts.datapoint, cell: ({ of }) => sourceName(of) },
            { head: texts.before, cell: ({ of, before }) => mean(before, of.unit) },
            { head: texts.during, cell: ({ of, during }) => mean(during, of.unit) },
            { head: texts.after, cell: ({ of, after }) => mean(band.isOpen ? null : after, of.unit) },
            { head: texts.difference, cell: ({ of, difference }) => <b>{signed(difference, of.unit)}</b> },
          ]}
        />
        <Text size="sm" c="dimmed">
          {texts.explained} {band.isOpen && texts.going}
        </Text>
      </Stack>
    </Paper>
  )
}

const mean = (value: number | null, unit: string | undefined) => shownValue(rounded(value), unit)

/** A change says its direction. */
const signed = (difference: number | null, unit: string | undefined) =>
  difference !== null && difference > 0 ? `+${mean(difference, unit)}` : mean(difference, unit)
