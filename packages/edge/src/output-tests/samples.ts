import type { TestReadings } from '@plantroom/contract/output-test'

/** The readings of one part of a test so far. Immutable. */
export interface Samples {
  value: number | null
  meter: readonly number[]
  /** The time of the newest reading of the meter. */
  newest: number
}

/** No readings yet; readings of the meter until `newest` don't count. */
export const noSamples = (newest: number): Samples => ({ value: null, meter: [], newest })

/** Takes in what is shown now. A reading of the meter counts once. */
export function addSample(
  samples: Samples,
  value: number | null,
  meter: { value: number; at: number } | undefined,
): Samples {
  const next = { ...samples, value: value ?? samples.value }
  if (!meter || meter.at <= samples.newest) return next
  return { ...next, meter: [...samples.meter, meter.value], newest: meter.at }
}

/** Returns what a part of a test showed. */
export function readingsOf({ value, meter }: Samples): TestReadings {
  const readings = meter.length
  if (readings === 0) return { value, meter: null, spread: 0, readings }
  const mean = meter.reduce((sum, one) => sum + one, 0) / readings
  return { value, meter: mean, spread: Math.max(...meter) - Math.min(...meter), readings }
}
