import { Box, Button, Group, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { chartMoves, chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { Loading } from '../notices.tsx'
import { SmallButton } from '../small-button.tsx'
import { minuteTime } from '../time.ts'
import { listed, shownValue } from '../value.ts'
import classes from './chart-board.module.css'
import {
  type ChartPanel,
  type ChartSeries,
  chartPanels,
  holdsIn,
  pictureOf,
  silentSince,
  summaryOf,
} from './chart-content.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { describeAt, describeHolds, describeValues, sourceName } from './describe-chart.ts'
import { lineColor } from './line-colors.ts'
import { type Period, panned, zoomed } from './period.ts'
import { rounded } from './rounded.ts'
import { type ChartSource, sourceKey } from './sources.ts'

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

/** A gesture has ended when nothing has moved for this long. */
const SETTLE_MS = 300
const HEIGHT = 300
const STACKED_HEIGHT = 190

export interface ChartBoardProps {
  series: readonly ChartSeries[]
  period: Period
  /** Changes when the address asks for another period, not when time passes. */
  periodKey: string
  now: number
  timeZone: string
  /** True while the lines are of another period. */
  isLoading: boolean
  /** Called after a gesture; without a period for the whole range. */
  onZoom: (period: Period | undefined) => void
  isZoomed: boolean
  onRemove?: ((key: string) => void) | undefined
}

/** One or more datapoints over time, in panels with a common time axis. */
export function ChartBoard(props: ChartBoardProps) {
  const { series, period, periodKey, now, timeZone, isLoading, onZoom, isZoomed, onRemove } = props
  const { view, move, reset } = useView(period, periodKey, now, onZoom)
  const [cursor] = useState(createCursor)
  const panels = useMemo(() => chartPanels(series), [series])

  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status" flex="1 1 200px">
          {isLoading ? texts.loading : ''}
        </Text>
        <MoveButtons view={view} now={now} isZoomed={isZoomed} onMove={move} onReset={reset} />
      </Group>
      <Panels
        panels={panels}
        view={view}
        now={now}
        timeZone={timeZone}
        onCursor={cursor.set}
        onView={move}
        onReset={reset}
      />
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {chartMoves.hint}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {chartMoves.touchHint}
      </Text>
      <Legend
        series={series}
        cursor={cursor}
        now={now}
        timeZone={timeZone}
        isLive={period.to >= now}
        onRemove={onRemove}
      />
    </Stack>
  )
}

/** The period that is drawn: at once where a gesture puts it, in the address when it has ended. */
function useView(period: Period, periodKey: string, now: number, onZoom: (period: Period | undefined) => void) {
  const [moved, setMoved] = useState<Period>()
  const settle = useDebouncedCallback(onZoom, SETTLE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address has taken over
  useEffect(() => setMoved(undefined), [periodKey])
  const view = moved ?? period
  const move = (next: Period) => {
    // The future is not archived.
    if (next.from >= now) return
    setMoved(next)
    settle(next)
  }
  const reset = () => {
    settle.cancel()
    setMoved(undefined)
    onZoom(undefined)
  }
  return { view, move, reset }
}

function MoveButtons({
  view,
  now,
  isZoomed,
  onMove,
  onReset,
}: {
  view: Period
  now: number
  isZoomed: boolean
  onMove: (period: Period) => void
  onReset: () => void
}) {
  const moves = [
    ['←', chartMoves.earlier, () => panned(view, -0.5, now)],
    ['→', chartMoves.later, () => panned(view, 0.5, now)],
    ['+', chartMoves.zoomIn, () => zoomed(view, 0.5)],
    ['−', chartMoves.zoomOut, () => zoomed(view, 2)],
  ] as const
  return (
    <Group gap="xs" role="group" aria-label={chartMoves.group} justify="flex-end">
      <SmallButton disabled={!isZoomed} onClick={onReset}>
        {chartMoves.reset}
      </SmallButton>
      {moves.map(([sign, label, next]) => (
        <SmallButton key={label} px="sm" aria-label={label} title={label} onClick={() => onMove(next())}>
          {sign}
        </SmallButton>
      ))}
    </Group>
  )
}

function Panels({
  panels,
  view,
  now,
  timeZone,
  ...handlers
}: {
  panels: readonly ChartPanel[]
  view: Period
  now: number
  timeZone: string
  onCursor: (at: number | undefined) => void
  onView: (period: Period) => void
  onReset: () => void
}) {
  const syncKey = useId()
  const isStacked = panels.length > 1
  const height = isStacked ? STACKED_HEIGHT : HEIGHT
  const { from, to } = view
  // A picture that has not changed is not drawn again.
  const pictures = useMemo(() => panels.map((panel) => pictureOf(panel, { from, to }, now)), [panels, from, to, now])
  return (
    <Box mih={height * Math.max(1, panels.length)}>
      <Suspense fallback={<Loading />}>
        {pictures.map((picture, place) => (
          <Plot
            key={picture.units.join(' ')}
            picture={picture}
            frame={{ height, timeZone, hasTimes: place === pictures.length - 1, isStacked, syncKey }}
            label={format(chartMoves.plot, { label: labelOf(panels[place]?.series ?? [], view, timeZone) })}
            {...handlers}
          />
        ))}
      </Suspense>
    </Box>
  )
}

/** Says what a panel shows. */
function labelOf(series: readonly ChartSeries[], view: Period, timeZone: string): string {
  const holds = series.reduce((sum, each) => sum + holdsIn(each, view).length, 0)
  const values = series.map((each) => {
    const summary = each.isLoaded ? describeValues(summaryOf(each, view), each.source.unit, timeZone) : texts.notLoaded
    return series.length === 1 ? summary : format(texts.summaryOf, { name: sourceName(each.source), summary })
  })
  const summary = [...values, describeHolds(holds)].join(' ')
  return format(texts.label, { names: listed(series.map(({ source }) => sourceName(source))), summary })
}

/** The names of the lines, with their values under the cursor, or their last ones. */
function Legend({
  series,
  cursor,
  now,
  timeZone,
  isLive,
  onRemove,
}: {
  series: readonly ChartSeries[]
  cursor: Cursor
  now: number
  timeZone: string
  isLive: boolean
  onRemove: ((key: string) => void) | undefined
}) {
  const scheme = useComputedColorScheme('light')
  const at = useSyncExternalStore(cursor.subscribe, cursor.get)
  return (
    <ul className={classes.legend}>
      {series.map((each) => {
        const { source, color, points } = each
        const name = sourceName(source)
        const since = isLive ? silentSince(each, now) : undefined
        return (
          <li key={sourceKey(source)} className={classes.entry}>
            <span className={classes.swatch} style={{ background: lineColor(color, scheme) }} aria-hidden="true" />
            <div className={classes.text}>
              <Text size="sm" fw={600} span>
                {name}
              </Text>
              <Text size="xs" c="dimmed" span ml={6}>
                {whereOf(source)}
              </Text>
              <Text size="sm" className="figures">
                {at === undefined
                  ? describeLast(each, { timeZone, now })
                  : describeAt(points, at, { unit: source.unit, timeZone, breakMs: each.breakMs })}
              </Text>
              {typeof since === 'number' && (
                <Text size="sm" fw={600}>
                  {format(texts.noValuesSince, { time: minuteTime(since, timeZone, now) })}
                </Text>
              )}
            </div>
            {onRemove && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                c="inherit"
                aria-label={format(chartMoves.remove, { name })}
                onClick={() => onRemove(sourceKey(source))}
              >
                ✕
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Returns where a datapoint is: the page of a controller does not repeat its name. */
function whereOf({ connection, controller }: ChartSource): string | undefined {
  return connection && controller ? format(texts.on, { connection, controller }) : connection
}

function describeLast(
  { source, points: { at, value }, isLoaded }: ChartSeries,
  { timeZone, now }: { timeZone: string; now: number },
): string {
  const last = at.at(-1)
  if (last === undefined) return isLoaded ? texts.empty : texts.notLoaded
  return format(texts.lastAt, {
    value: shownValue(rounded(value.at(-1)), source.unit),
    time: minuteTime(last, timeZone, now),
  })
}
