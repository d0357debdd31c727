import type { ReportedValue } from '@plantroom/contract/reports'
import { chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { shownValue } from '../value.ts'

/** Shows a value with its unit, if it has one. */
export function amount(value: ReportedValue | undefined, unit: string | undefined): string {
  const shown = shownValue(value)
  return unit === undefined || value === null || value === undefined
    ? shown
    : format(texts.amount, { value: shown, unit })
}
