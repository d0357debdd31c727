import { ON_OFF } from '@plantroom/contract/units'
import uPlot from 'uplot'
import { type PlotColors, type PlotPicture, scaleOf } from './plot-picture.ts'

const FONT_PX = 11

/** Draws the holds behind the lines. */
export function drawBands(plot: uPlot, { bands, units }: PlotPicture, colors: PlotColors): void {
  inside(plot, (ctx) => {
    const { top, height } = plot.bbox
    for (const { from, to, by, isPlanned, value, unit } of bands) {
      const left = plot.valToPos(from / 1000, 'x', true)
      const right = plot.valToPos(to / 1000, 'x', true)
      ctx.globalAlpha = isPlanned ? 0.1 : 0.2
      ctx.fillStyle = colors.bands[by]
      ctx.fillRect(left, top, Math.max(right - left, uPlot.pxRatio), height)
      ctx.globalAlpha = 1
      if (typeof value === 'number' && units.includes(unit)) {
        const y = plot.valToPos(value, scaleOf(units, unit), true)
        strokeLine(ctx, colors.bands[by], 2, isPlanned ? [6, 4] : [], [left, y, right, y])
      }
    }
  })
}

/** Writes above each hold who holds the datapoint and at what, where there is room. The list has all of them. */
export function drawBandLabels(plot: uPlot, { bands }: PlotPicture, colors: PlotColors): void {
  const { ctx, bbox } = plot
  let labelledTo = Number.NEGATIVE_INFINITY
  ctx.save()
  ctx.font = font()
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = colors.text
  for (const { from, to, label } of bands) {
    const left = Math.max(plot.valToPos(from / 1000, 'x', true), bbox.left)
    const right = Math.min(plot.valToPos(to / 1000, 'x', true), bbox.left + bbox.width)
    const { width } = ctx.measureText(label)
    if (label === '' || left < labelledTo || right - left < width) continue
    ctx.fillText(label, left, bbox.top - 4 * uPlot.pxRatio)
    labelledTo = left + width + 8 * uPlot.pxRatio
  }
  ctx.restore()
}

/** Draws each limit as a dotted line with its name, unless it is out of the drawn range. */
export function drawLimits(plot: uPlot, { limits, units }: PlotPicture, colors: PlotColors): void {
  inside(plot, (ctx) => {
    const taken: number[] = []
    for (const { kind, steps, unit, label, shortLabel } of limits) {
      const scale = scaleOf(units, unit)
      let before: { x: number; y: number } | undefined
      for (const { from, to, value } of steps) {
        const [left, right] = [from, to].map((at) => plot.valToPos(at / 1000, 'x', true)) as [number, number]
        const y = plot.valToPos(value, scale, true)
        const isCeiling = kind === 'peak' || kind === 'power-limit'
        const dash = isCeiling ? [] : kind.startsWith('limit') ? [8, 3] : [2, 4]
        strokeLine(ctx, colors.limit, isCeiling ? 1.5 : 1, dash, [left, y, right, y])
        if (before && before.x === left) strokeLine(ctx, colors.limit, 1.5, dash, [left, before.y, left, y])
        before = { x: right, y }
      }
      const last = before?.y
      if (last === undefined || taken.some((y) => Math.abs(y - last) < FONT_PX * uPlot.pxRatio)) continue
      taken.push(last)
      ctx.textAlign = 'right'
      ctx.fillStyle = colors.limit
      const isAtTop = last < plot.bbox.top + (FONT_PX + 4) * uPlot.pxRatio
      const below = isAtTop ? (FONT_PX + 2) * uPlot.pxRatio : -3 * uPlot.pxRatio
      // The list below the chart has the names that a phone has no room for.
      const fits = ctx.measureText(label).width < plot.bbox.width / 2
      ctx.fillText(fits ? label : shortLabel, plot.bbox.left + plot.bbox.width - 4 * uPlot.pxRatio, last + below)
    }
  })
}

/** Draws the line of now. */
export function drawNow(plot: uPlot, { now, from, to }: PlotPicture, colors: PlotColors): void {
  if (now < from || now > to) return
  inside(plot, (ctx) => {
    const x = plot.valToPos(now / 1000, 'x', true)
    strokeLine(ctx, colors.now, 1, [], [x, plot.bbox.top, x, plot.bbox.top + plot.bbox.height])
  })
}

/** Writes the unit above each axis: it needs no width there, which a phone does not have. */
export function drawUnits(plot: uPlot, { units }: PlotPicture, colors: PlotColors): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.font = font()
  ctx.fillStyle = colors.text
  ctx.textBaseline = 'alphabetic'
  for (const [place, unit] of units.entries()) {
    if (unit === undefined || unit === ON_OFF) continue
    ctx.textAlign = place === 0 ? 'left' : 'right'
    ctx.fillText(
      unit,
      place === 0 ? 4 * uPlot.pxRatio : plot.ctx.canvas.width - 4 * uPlot.pxRatio,
      bbox.top - 12 * uPlot.pxRatio,
    )
  }
  ctx.restore()
}

const font = () => `${FONT_PX * uPlot.pxRatio}px system-ui, sans-serif`

/** Draws only on the plot, leaving the context as it was. */
function inside(plot: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.font = font()
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  draw(ctx)
  ctx.restore()
}

function strokeLine(
  ctx: CanvasRenderingContext2D,
  color: string,
  width: number,
  dash: readonly number[],
  [x1, y1, x2, y2]: readonly [number, number, number, number],
): void {
  ctx.strokeStyle = color
  ctx.lineWidth = width * uPlot.pxRatio
  ctx.setLineDash(dash.map((length) => length * uPlot.pxRatio))
  ctx.beginPath()
  ctx.moveTo(x1, y1)
  ctx.lineTo(x2, y2)
  ctx.stroke()
}
