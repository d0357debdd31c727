import { ON_OFF } from '@plantroom/contract/units'
import uPlot from 'uplot'
import { shownValue } from '../value.ts'
import { axisLabels } from './describe-chart.ts'
import { nearbyLimits } from './limit-lines.ts'
import type { Period } from './period.ts'
import { drawBandLabels, drawBands, drawLimits, drawNow, drawUnits } from './plot-drawing.ts'
import { type PlotColors, type PlotPicture, scaleOf } from './plot-picture.ts'

/** Beyond this, steps are narrower than a pixel and only cost time. */
const MAX_STEPS = 5000
/** The width of an axis where several panels must line up. */
const SHARED_AXIS = 58

/** How a panel looks, whatever it shows. */
export interface PlotFrame {
  height: number
  timeZone: string
  /** False above another panel with the same time axis. */
  hasTimes: boolean
  /** Panels below each other have axes of the same width. */
  isStacked: boolean
  /** Shows the cursor of all panels with the same key. */
  syncKey: string
}

/** Returns the columns of a plot: the times, and of each line its values, highest and lowest values, and comparison. */
export function columnsOf({ lines }: Pick<PlotPicture, 'lines'>): uPlot.AlignedData {
  const tables: uPlot.AlignedData[] = lines.flatMap(({ data, compared }) =>
    compared ? [data, [compared[0], compared[1]]] : [data],
  )
  const [only, ...others] = tables
  if (!only) return [[]]
  return others.length === 0 ? only : uPlot.join(tables)
}

/** Returns the options of a panel. `current` supplies the content of each drawing. */
export function plotOptions(given: {
  width: number
  frame: PlotFrame
  colors: PlotColors
  current: () => PlotPicture
  onCursor: (at: number | undefined) => void
  onSelect: (period: Period) => void
}): uPlot.Options {
  const { width, frame, colors, current, onCursor, onSelect } = given
  return {
    width,
    height: frame.height,
    // Panels below each other end at the same place, with or without times.
    padding: [26, current().units.length > 1 ? null : 18, frame.hasTimes ? null : 4, null],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), frame.timeZone),
    legend: { show: false },
    cursor: {
      y: false,
      sync: { key: frame.syncKey },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      // With Shift, dragging moves the chart instead.
      bind: { mousedown: (_plot, _target, handle) => (event) => (event.shiftKey ? null : handle(event)) },
    },
    scales: {
      x: { time: true, range: () => [current().from / 1000, current().to / 1000] },
      ...Object.fromEntries(
        current().units.map((_unit, place) => [
          `y${place}`,
          { range: (_plot: uPlot, min: number | null, max: number | null) => valueRange(min, max, current(), place) },
        ]),
      ),
    },
    axes: axesOf(current().units, frame, colors),
    ...seriesOf(current(), colors),
    hooks: {
      drawClear: [(plot) => drawBands(plot, current(), colors)],
      draw: [
        (plot) => drawLimits(plot, current(), colors),
        (plot) => drawNow(plot, current(), colors),
        (plot) => drawUnits(plot, current(), colors),
        (plot) => drawBandLabels(plot, current(), colors),
      ],
      setCursor: [
        (plot) => {
          const { left = -1 } = plot.cursor
          onCursor(left < 0 ? undefined : plot.posToVal(left, 'x') * 1000)
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select
          // A panel with the same cursor gets the selection, too, but nobody dragged on it.
          if (wide < 6 || !plot.over.matches(':hover')) return
          const from = plot.posToVal(left, 'x') * 1000
          const to = plot.posToVal(left + wide, 'x') * 1000
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          onSelect({ from, to })
        },
      ],
    },
  }
}

function axesOf(units: readonly (string | undefined)[], frame: PlotFrame, colors: PlotColors): uPlot.Axis[] {
  const axis = {
    stroke: colors.text,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid, width: 1 },
  }
  return [
    {
      ...axis,
      ...(!frame.hasTimes && { size: 0, ticks: { show: false } }),
      values: (_plot, splits, _axis, _space, step) =>
        frame.hasTimes ? axisLabels(splits, step, frame.timeZone) : splits.map(() => ''),
    },
    ...units.map(
      (unit, place): uPlot.Axis => ({
        ...axis,
        scale: `y${place}`,
        side: place === 0 ? 3 : 1,
        // Two grids would cross each other.
        grid: { ...axis.grid, show: place === 0 },
        size: (_plot, labels) => (frame.isStacked ? SHARED_AXIS : widthOf(labels)),
        values: (_plot, splits) => splits.map((value) => shownValue(value, unit === ON_OFF ? unit : undefined)),
      }),
    ),
  ]
}

function seriesOf({ lines, units }: PlotPicture, colors: PlotColors): Pick<uPlot.Options, 'series' | 'bands'> {
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const linear = uPlot.paths.linear?.()
  const series: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  for (const { color, unit, isStepped, compared } of lines) {
    const stroke = colors.lines[color % colors.lines.length] ?? colors.text
    const scale = scaleOf(units, unit)
    const paths: uPlot.Series.PathBuilder = (plot, ...rest) => {
      const draw = isStepped && (plot.data[0]?.length ?? 0) <= MAX_STEPS ? stepped : linear
      return draw?.(plot, ...rest) ?? null
    }
    const edge = { scale, stroke: 'transparent', width: 0, points: { show: false }, paths: linear }
    bands.push({ series: [series.length + 1, series.length + 2], fill: faded(stroke) })
    series.push(
      { scale, stroke, width: 1.5, paths, points: { show: (plot) => (plot.data[0]?.length ?? 0) < 60, size: 4 } },
      // The highest and the lowest value of each step, with the area between them.
      edge,
      edge,
    )
    if (compared) series.push({ scale, stroke, width: 1.25, dash: [5, 5], paths, points: { show: false } })
  }
  return { series, bands }
}

/** The color with a quarter of its opacity. Canvas reads no `color-mix` in older browsers. */
const faded = (color: string) => (/^#[0-9a-f]{6}$/i.test(color) ? `${color}40` : 'transparent')

/** Keeps the axis as narrow as its longest label, for phones. */
const widthOf = (labels: readonly string[] | null) =>
  18 + 8 * Math.max(2, ...(labels ?? []).map(({ length }) => length))

/** Includes the held values and the limits nearby, so that their lines are visible. */
function valueRange(
  min: number | null,
  max: number | null,
  { bands, limits, units }: PlotPicture,
  place: number,
): uPlot.Range.MinMax {
  const unit = units[place]
  const held = bands
    .filter((band) => band.unit === unit)
    .map(({ value }) => value)
    .filter((value) => typeof value === 'number')
  const values = [min, max, ...held].filter((value) => value !== null)
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const near = nearbyLimits(
    limits.filter((limit) => limit.unit === unit).flatMap(({ steps }) => steps.map(({ value }) => value)),
    low,
    high,
  )
  return uPlot.rangeNum(Math.min(low, ...near), Math.max(high, ...near), 0.1, true)
}
