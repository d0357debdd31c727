import { Box, List, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useMemo, useRef } from 'react'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/hold-words.ts'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { exactTime } from '../../../parts/time.ts'
import { counted, shownValue } from '../../../parts/value.ts'
import { chart as texts } from '../../../texts/device.ts'
import type { DatapointRow } from '../rows.ts'
import { bandsOf, cutTo, joinRunning, plannedBands, seenWithin } from './bands.ts'
import { axisEnd, boundsOf, type ChartRange } from './chart-range.ts'
import { bandWords, chartSummary } from './chart-words.ts'
import { breakAfter, mergePoints, NO_POINTS, pointsWithin, summarize, withBreaks } from './points.ts'
import { useArchive, useDone } from './use-history.ts'
import { useLivePoints } from './use-live-points.ts'

const ValueChart = lazy(async () => ({ default: (await import('./value-chart.tsx')).ValueChart }))

const MAX_BANDS = 8
/** Often enough to see it move. */
const STEP_MS = 2000

/** The values of the range with who held the datapoint, and the same in words. */
export function ChartView({
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
  const { datapoint, hold, overrides } = row
  const { timeZone } = when
  const now = Math.floor(when.now / STEP_MS) * STEP_MS
  const isArchived = datapoint.analyticsInterval > 0
  const stretch = { orgId, deviceId, datapointId: datapoint.id, range, timeZone, now: when.now }
  const { query: archive, loaded } = useArchive(stretch, isArchived)
  const done = useDone(stretch)
  const live = useLivePoints(isLost ? undefined : row.value)
  const readout = useRef<HTMLParagraphElement>(null)

  const rangeKey = range.kind === 'day' ? range.day : range.kind
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range is told by its key
  const shown = useMemo(() => {
    const { from, to } = boundsOf(range, { now, timeZone })
    const planned = to >= now ? plannedBands(overrides, hold, now) : []
    const end = axisEnd(range, { to, plannedUntil: Math.max(0, ...planned.map((band) => band.to)) })
    const reported = done.data ? bandsOf(done.data.entries, { since: done.data.since, now }) : []
    const all = [...reported, ...planned]
    const bands = joinRunning(seenWithin(all, from, end))
    const points = pointsWithin(mergePoints(archive.data?.points ?? NO_POINTS, live), from, to)
    const data = withBreaks(points, breakAfter(datapoint.analyticsInterval))
    return { bands, summary: summarize(points), picture: { data, bands: cutTo(all, from, end), from, to: end, now } }
  }, [rangeKey, now, timeZone, overrides, hold, done.data, archive.data, live, datapoint.analyticsInterval])

  const onCursor = useCallback(
    (at: number | undefined, value: number | null) => {
      if (!readout.current) return
      readout.current.textContent =
        at === undefined ? texts.cursorHint : texts.cursor(exactTime(at, timeZone), shownValue(value))
    },
    [timeZone],
  )

  const { bands, summary, picture } = shown
  const words = chartSummary(summary, bands.length, timeZone)
  if (isArchived && archive.isPending) return <Loading what={texts.loading(counted(loaded, 'value'))} />
  const gaps = archive.data?.gaps.length ?? 0
  return (
    <Stack gap="xs">
      {!isArchived && <Text size="sm">{range.kind === 'day' ? texts.notArchivedDay : texts.notArchived}</Text>}
      {archive.error && <ErrorNotice error={archive.error} retry={archive.refetch} title={texts.historyFailed} />}
      {done.error && <ErrorNotice error={done.error} retry={done.refetch} title={texts.reportsFailed} />}
      <Box mih={280}>
        <Suspense fallback={<Loading />}>
          <ValueChart
            picture={picture}
            timeZone={timeZone}
            isStepped={datapoint.accessType !== 'READ'}
            label={`${texts.title(datapoint.name)}. ${words}`}
            onCursor={onCursor}
          />
        </Suspense>
      </Box>
      <Text size="sm" c="dimmed" ref={readout} className="figures" aria-hidden="true" visibleFrom="sm">
        {texts.cursorHint}
      </Text>
      <Text size="sm" className="figures">
        {words}
      </Text>
      {gaps > 0 && <Text size="sm">{texts.dropped(counted(gaps, texts.stretch, texts.stretches))}</Text>}
      {bands.length > 0 && (
        <List size="sm" aria-label={texts.bandList}>
          {bands.slice(-MAX_BANDS).map((band) => (
            <List.Item key={`${band.by} ${band.overrideId} ${band.from} ${band.isPlanned}`}>
              {bandWords(band, overrides, when)}
            </List.Item>
          ))}
        </List>
      )}
      {bands.length > MAX_BANDS && <Text size="sm">{texts.moreBands(counted(bands.length - MAX_BANDS, 'hold'))}</Text>}
      {done.data?.isCut && <Text size="sm">{texts.tooManyReports}</Text>}
    </Stack>
  )
}
