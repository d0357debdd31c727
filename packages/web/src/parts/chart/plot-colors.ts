import type { Band } from './bands.ts'
import { LINE_COLORS, lineShade } from './line-colors.ts'
import type { PlotColors } from './plot-picture.ts'

/** Returns the colors of the theme that an element has. */
export function plotColors(element: HTMLElement, scheme: 'light' | 'dark'): PlotColors {
  const style = getComputedStyle(element)
  const property = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const color = (name: string) => property(`mantine-color-${name}`)
  const writer = (name: Band['by']) => property(`plantroom-${name}`)
  return {
    text: color('text'),
    grid: color('default-border'),
    background: color('body'),
    now: color('error'),
    limit: color(scheme === 'dark' ? 'red-4' : 'red-9'),
    lines: LINE_COLORS.map((name) => color(`${name}-${lineShade(scheme)}`)),
    bands: {
      'demand-response': writer('demand-response'),
      'peak-shaving': writer('peak-shaving'),
      deviation: writer('deviation'),
    },
  }
}
