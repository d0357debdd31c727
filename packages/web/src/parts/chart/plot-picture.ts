import type { Band } from './bands.ts'
import type { LimitLine } from './limit-lines.ts'
import type { Period } from './period.ts'
import type { DrawnPoints } from './points.ts'

/** One datapoint of a panel. */
export interface PlotLine {
  key: string
  /** Its place in the palette. */
  color: number
  unit: string | undefined
  isStepped: boolean
  data: DrawnPoints
  /** The same at another time, drawn dashed. */
  compared: DrawnPoints | undefined
}

export type PlotBand = Band & { unit: string | undefined; label: string }
export type PlotLimit = LimitLine & { unit: string | undefined; label: string; shortLabel: string }

/** The content of a panel. */
export interface PlotPicture extends Period {
  lines: readonly PlotLine[]
  /** The units of the axes, from left to right. */
  units: readonly (string | undefined)[]
  bands: readonly PlotBand[]
  limits: readonly PlotLimit[]
  /** Where the line of now is. */
  now: number
}

export interface PlotColors {
  text: string
  grid: string
  background: string
  now: string
  limit: string
  lines: readonly string[]
  bands: Record<Band['by'], string>
}

/** Changes when the plot must be made anew: for other lines, not for other values. */
export const shapeOf = ({ lines, units }: PlotPicture): string =>
  JSON.stringify([
    units,
    lines.map(({ key, color, unit, isStepped, compared }) => [key, color, unit, isStepped, compared !== undefined]),
  ])

export const scaleOf = (units: readonly (string | undefined)[], unit: string | undefined) => `y${units.indexOf(unit)}`
