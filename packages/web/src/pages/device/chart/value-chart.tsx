import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { type ChartColors, type ChartPicture, chartOptions } from './chart-options.ts'

export interface ValueChartProps {
  picture: ChartPicture
  timeZone: string
  /** A setpoint stays where it was put; what is measured moves from value to value. */
  isStepped: boolean
  /** Says all that matters, for whoever does not see it. */
  label: string
  onCursor: (at: number | undefined, value: number | null) => void
}

/** One line over time, with who held the datapoint when behind it. */
export function ValueChart({ picture, timeZone, isStepped, label, onCursor }: ValueChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const current = useRef({ picture, onCursor })
  current.current = { picture, onCursor }
  const scheme = useComputedColorScheme('light')

  // biome-ignore lint/correctness/useExhaustiveDependencies: with other colours it is made anew
  useEffect(() => {
    const element = box.current
    if (!element) return
    const options = chartOptions({
      width: Math.max(200, element.clientWidth),
      timeZone,
      isStepped,
      colors: colorsOf(element),
      current: () => current.current.picture,
      onCursor: (at, value) => current.current.onCursor(at, value),
    })
    const made = new uPlot(options, current.current.picture.data, element)
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

  useEffect(() => plot.current?.setData(picture.data), [picture])

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
