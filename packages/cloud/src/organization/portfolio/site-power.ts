import { KILOWATTS, sitePower } from '@plantroom/contract/main-measurements'
import type { SitePower } from '@plantroom/contract/portfolio'
import { formatTimestamp } from '@plantroom/contract/timestamp'

/** A datapoint that may be the power of a site, with its latest value; `null` when it has none or an old one. */
export interface MeterReading {
  siteId: string
  id: string
  unit: string | null
  tags: string[]
  /** Peak shaving or the power limit of its technical system watches it. */
  isControlMeter: boolean
  value: number | null
  at: number | null
}

/** Sums the power of a site: `null` when it has no meter. A sum that would lack a part, or mix units, is not known. */
export function powerOf(meters: readonly MeterReading[]): SitePower | null {
  const counted = sitePower(
    meters.map((meter) => ({
      connections: [{ datapoints: [meter] }],
      peakShaving: meter.isControlMeter ? { meterId: meter.id } : null,
    })),
  )
  const [first] = counted
  if (!first) return null
  const isWatts = counted.every(({ unit }) => unit !== null && Object.hasOwn(KILOWATTS, unit))
  const isAlike = isWatts || counted.every(({ unit }) => unit === first.unit)
  const unit = isWatts ? 'kW' : first.unit
  if (!isAlike) return { value: null, unit: null, at: null }
  let value = 0
  let oldest = Number.POSITIVE_INFINITY
  for (const meter of counted) {
    if (meter.value === null || meter.at === null) return { value: null, unit, at: null }
    value += meter.value * (isWatts ? (KILOWATTS[meter.unit ?? ''] ?? 1) : 1)
    oldest = Math.min(oldest, meter.at)
  }
  // A device may send any number that fits into a column; JSON has no infinity.
  return Number.isFinite(value) ? { value, unit, at: formatTimestamp(oldest) } : { value: null, unit, at: null }
}
