import { format, formatNumber } from '../../texts/format.ts'
import { portfolio as texts } from '../../texts/home.ts'

/** Shows a power with as many digits as help: `68.3 kW`, `3,911 kW`. */
export function describePower(value: number, unit: string | null): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  // Not `-0`, which a small negative value rounds to.
  const shown = formatNumber(rounded + 0)
  return unit === null ? shown : format(texts.amount, { value: shown, unit })
}
