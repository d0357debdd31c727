import type { Direction } from '@plantroom/contract/power-limit'
import { format } from '../texts/format.ts'
import { powerLimits as texts } from '../texts/power-limits.ts'
import { shownValue } from './value.ts'

export const shownKw = (kw: number) => shownValue(Math.round(kw * 10) / 10, 'kW')

/** Describes a limit, like `At most 60 kW from the grid`. */
export const describeCeiling = ({ direction, kw }: { direction: Direction; kw: number }) =>
  format(texts.atMost[direction], { limit: shownKw(kw) })
