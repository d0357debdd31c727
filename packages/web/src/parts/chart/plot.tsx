import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import type { Period } from './period.ts'
import classes from './plot.module.css'
import { plotColors } from './plot-colors.ts'
import { followGestures } from './plot-gestures.ts'
import { columnsOf, type PlotFrame, plotOptions } from './plot-options.ts'
import { type PlotPicture, shapeOf } from './plot-picture.ts'

interface PlotProps {
  picture: PlotPicture
  frame: PlotFrame
  /** Describes the panel for people who do not see it. */
  label: string
  onCursor: (at: number | undefined) => void
  /** Called with another period, many times during a gesture. Without it, the panel does not move. */
  onView?: ((period: Period) => void) | undefined
  onReset?: (() => void) | undefined
}

/** Lines over time, with the holds as bands behind them. */
export function Plot({ picture, frame, label, onCursor, onView, onReset }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const shown = useRef(picture)
  const reportCursor = useEffectEvent(onCursor)
  const reportView = useEffectEvent((period: Period) => onView?.(period))
  const reportReset = useEffectEvent(() => onReset?.())
  const scheme = useComputedColorScheme('light')
  const shape = shapeOf(picture)
  const { lines } = picture
  const columns = useMemo(() => columnsOf({ lines }), [lines])
  const drawn = useRef(columns)
  const { height, timeZone, hasTimes, isStacked, syncKey } = frame
  const moves = onView !== undefined

  // Before the other effect, so that a new plot begins with the new picture.
  useEffect(() => {
    shown.current = picture
    const isNew = drawn.current !== columns
    drawn.current = columns
    if (isNew) plot.current?.setData(columns)
    else plot.current?.setScale('x', { min: picture.from / 1000, max: picture.to / 1000 })
  }, [picture, columns])

  // biome-ignore lint/correctness/useExhaustiveDependencies: other colors or lines need a new plot
  useEffect(() => {
    const element = box.current
    if (!element) return
    const options = plotOptions({
      width: Math.max(200, element.clientWidth),
      frame: { height, timeZone, hasTimes, isStacked, syncKey },
      colors: plotColors(element, scheme),
      current: () => shown.current,
      onCursor: (at) => reportCursor(at),
      onSelect: (period) => reportView(period),
    })
    const made = new uPlot(options, drawn.current, element)
    plot.current = made
    const unfollow = moves
      ? followGestures(element, made.over, {
          view: () => shown.current,
          now: () => shown.current.now,
          onView: (period) => reportView(period),
          onReset: () => reportReset(),
          box: () => made.over.getBoundingClientRect(),
        })
      : () => {}
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== made.width) {
        made.setSize({ width: element.clientWidth, height: made.height })
      }
    })
    resized.observe(element)
    return () => {
      unfollow()
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, height, timeZone, hasTimes, isStacked, syncKey, scheme, moves])

  if (!moves) return <div ref={box} className={classes.plot} role="img" aria-label={label} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move and zoom it
    <div ref={box} className={classes.plot} data-moves role="application" aria-label={label} tabIndex={0} />
  )
}
