import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import uPlot from 'uplot'
import { type ChartColors, type ChartPicture, chartOptions } from './chart-options.ts'

interface ValueChartProps {
  picture: ChartPicture
  timeZone: string
  /** True for setpoints, which keep a value until the next one; measurements are interpolated. */
  isStepped: boolean
  /** Describes the chart for people who do not see it. */
  label: string
  onCursor: (at: number | undefined, value: number | null) => void
}

/** A line over time, with the holds as bands behind it. */
export function ValueChart({ picture, timeZone, isStepped, label, onCursor }: ValueChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const shown = useRef(picture)
  const reportCursor = useEffectEvent(onCursor)
  const scheme = useComputedColorScheme('light')

  // biome-ignore lint/correctness/useExhaustiveDependencies: other colors need a new chart
  useEffect(() => {
    const element = box.current
    if (!element) return
    const options = chartOptions({
      width: Math.max(200, element.clientWidth),
      timeZone,
      isStepped,
      colors: colorsOf(element),
      current: () => shown.current,
      onCursor: (at, value) => reportCursor(at, value),
    })
    const made = new uPlot(options, shown.current.data, element)
    plot.current = made
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) {
        made.setSize({ width: element.clientWidth, height: made.height })
      }
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [timeZone, isStepped, scheme])

  useEffect(() => {
    shown.current = picture
    plot.current?.setData(picture.data)
  }, [picture])

  return <div ref={box} role="img" aria-label={label} />
}

function colorsOf(element: HTMLElement): ChartColors {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--mantine-color-${name}`).trim()
  return {
    text: color('text'),
    grid: color('default-border'),
    line: color('cyan-text') || color('text'),
    now: color('error'),
    bands: { 'demand-response': color('cyan-6'), 'peak-shaving': color('orange-6'), deviation: color('violet-6') },
  }
}
