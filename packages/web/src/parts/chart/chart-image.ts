import uPlot from 'uplot'
import { type ChartPanel, type ChartSeries, chartPanels, pictureOf } from './chart-content.ts'
import { sourceName } from './describe-chart.ts'
import type { Period } from './period.ts'
import { plotColors } from './plot-colors.ts'
import { columnsOf, plotOptions } from './plot-options.ts'
import type { PlotColors } from './plot-picture.ts'

const [WIDTH, HEIGHT, HEAD, EDGE] = [960, 260, 28, 12]
/** A file is read on paper and in other programs, whatever the colors of this page are. */
const ON_PAPER = { text: '#16191d', grid: '#dee2e6', background: '#ffffff' }

/** Draws datapoints over time as a PNG, in panels by unit, each below the names of its lines. */
export async function chartImage(
  series: readonly ChartSeries[],
  period: Period,
  { timeZone, now }: { timeZone: string; now: number },
): Promise<Blob> {
  const panels = chartPanels(series)
  const scale = uPlot.pxRatio
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH * scale
  canvas.height = panels.length * (HEAD + HEIGHT) * scale
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error('this browser cannot draw pictures')
  const colors = { ...plotColors(document.documentElement, 'light'), ...ON_PAPER }
  ctx.fillStyle = colors.background
  ctx.fillRect(0, 0, canvas.width, canvas.height)
  for (const [place, panel] of panels.entries()) {
    const top = place * (HEAD + HEIGHT) * scale
    drawNames(ctx, panel, top, colors)
    const plot = await drawnPanel(panel, period, { timeZone, now, colors })
    ctx.drawImage(plot.ctx.canvas, 0, top + HEAD * scale)
    plot.destroy()
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('this browser cannot make a PNG'))), 'image/png')
  })
}

function drawNames(ctx: CanvasRenderingContext2D, { series }: ChartPanel, top: number, colors: PlotColors): void {
  const scale = uPlot.pxRatio
  const middle = top + (HEAD * scale) / 2
  let left = EDGE * scale
  ctx.font = `${13 * scale}px system-ui, sans-serif`
  ctx.textBaseline = 'middle'
  for (const { source, color } of series) {
    const name = sourceName(source)
    ctx.fillStyle = colors.lines[color % colors.lines.length] ?? colors.text
    ctx.fillRect(left, middle - 5 * scale, 10 * scale, 10 * scale)
    ctx.fillStyle = colors.text
    ctx.fillText(name, left + 16 * scale, middle)
    left += 32 * scale + ctx.measureText(name).width
  }
}

/** Makes a plot that no person sees; resolves when it is drawn. */
function drawnPanel(
  panel: ChartPanel,
  period: Period,
  { timeZone, now, colors }: { timeZone: string; now: number; colors: PlotColors },
): Promise<uPlot> {
  const picture = pictureOf(panel, period, now)
  const options = plotOptions({
    width: WIDTH,
    frame: { height: HEIGHT, timeZone, hasTimes: true, isStacked: true, syncKey: 'image' },
    colors,
    current: () => picture,
    onCursor: () => {},
    onSelect: () => {},
  })
  return new Promise((resolve) => {
    const draw = [...(options.hooks?.draw ?? []), (plot: uPlot) => resolve(plot)]
    new uPlot({ ...options, hooks: { ...options.hooks, draw } }, columnsOf(picture), document.createElement('div'))
  })
}
