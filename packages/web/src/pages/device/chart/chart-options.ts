import uPlot from 'uplot'
import { shownValue } from '../../../parts/value.ts'
import type { Band } from './bands.ts'
import { axisLabels } from './describe-chart.ts'
import type { DrawnPoints } from './points.ts'

/** Beyond this, steps are narrower than a pixel and only cost time. */
const MAX_STEPS = 5000
const HEIGHT = 280

/** The content of the chart. */
export interface ChartPicture {
  data: DrawnPoints
  bands: readonly Band[]
  /** The ends of the time axis and the line of now, in milliseconds. */
  from: number
  to: number
  now: number
}

export interface ChartColors {
  text: string
  grid: string
  line: string
  now: string
  bands: Record<Band['by'], string>
}

/** Returns the options of the chart. `current` supplies the content of each drawing. */
export function chartOptions(given: {
  width: number
  timeZone: string
  isStepped: boolean
  colors: ChartColors
  current: () => ChartPicture
  onCursor: (at: number | undefined, value: number | null) => void
}): uPlot.Options {
  const { width, timeZone, isStepped, colors, current, onCursor } = given
  const axis = {
    stroke: colors.text,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid, width: 1 },
  }
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const linear = uPlot.paths.linear?.()
  const edge = { stroke: 'transparent', width: 0, points: { show: false } }
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: true, range: () => [current().from / 1000, current().to / 1000] },
      y: { range: (_plot, min, max) => paddedRange(min, max, current().bands) },
    },
    axes: [
      { ...axis, values: (_plot, splits, _axis, _space, step) => axisLabels(splits, step, timeZone) },
      {
        ...axis,
        size: (_plot, labels) => widthOf(labels),
        values: (_plot, splits) => splits.map((value) => shownValue(value)),
      },
    ],
    series: [
      {},
      {
        stroke: colors.line,
        width: 1.5,
        points: { show: (plot) => (plot.data[0]?.length ?? 0) < 60, size: 4 },
        paths: (plot, ...rest) => {
          const draw = isStepped && (plot.data[0]?.length ?? 0) <= MAX_STEPS ? stepped : linear
          return draw?.(plot, ...rest) ?? null
        },
      },
      // The highest and the lowest value of each step, with the area between them.
      { ...edge, paths: linear },
      { ...edge, paths: linear },
    ],
    bands: [{ series: [2, 3], fill: faded(colors.line) }],
    hooks: {
      drawClear: [(plot) => drawBands(plot, current(), colors)],
      draw: [(plot) => drawNow(plot, current(), colors)],
      setCursor: [
        (plot) => {
          const { idx } = plot.cursor
          const at = idx === null || idx === undefined ? undefined : plot.data[0]?.[idx]
          const value = idx === null || idx === undefined ? null : plot.data[1]?.[idx]
          onCursor(at === undefined ? undefined : at * 1000, value ?? null)
        },
      ],
    },
  }
}

/** The color with a quarter of its opacity. Canvas reads no `color-mix` in older browsers. */
const faded = (color: string) => (/^#[0-9a-f]{6}$/i.test(color) ? `${color}40` : 'transparent')

/** Keeps the axis as narrow as its longest label, for phones. */
const widthOf = (labels: readonly string[] | null) =>
  18 + 8 * Math.max(2, ...(labels ?? []).map(({ length }) => length))

/** Includes the held values, so that their lines are visible. */
function paddedRange(min: number | null, max: number | null, bands: readonly Band[]): uPlot.Range.MinMax {
  const held = bands.map(({ value }) => value).filter((value) => typeof value === 'number')
  const values = [min, max, ...held].filter((value) => value !== null)
  if (values.length === 0) return [0, 1]
  return uPlot.rangeNum(Math.min(...values), Math.max(...values), 0.1, true)
}

function drawBands(plot: uPlot, { bands }: ChartPicture, colors: ChartColors): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { from, to, by, isPlanned, value } of bands) {
    const left = plot.valToPos(from / 1000, 'x', true)
    const right = plot.valToPos(to / 1000, 'x', true)
    ctx.globalAlpha = isPlanned ? 0.14 : 0.28
    ctx.fillStyle = colors.bands[by]
    ctx.fillRect(left, bbox.top, Math.max(right - left, 1), bbox.height)
    if (typeof value !== 'number') continue
    const height = plot.valToPos(value, 'y', true)
    ctx.globalAlpha = 1
    ctx.strokeStyle = colors.bands[by]
    ctx.lineWidth = 2 * uPlot.pxRatio
    ctx.setLineDash(isPlanned ? [6 * uPlot.pxRatio, 4 * uPlot.pxRatio] : [])
    ctx.beginPath()
    ctx.moveTo(left, height)
    ctx.lineTo(right, height)
    ctx.stroke()
  }
  ctx.restore()
}

function drawNow(plot: uPlot, { now, from, to }: ChartPicture, colors: ChartColors): void {
  if (now < from || now > to) return
  const { ctx, bbox } = plot
  const x = plot.valToPos(now / 1000, 'x', true)
  ctx.save()
  ctx.strokeStyle = colors.now
  ctx.lineWidth = uPlot.pxRatio
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.restore()
}
