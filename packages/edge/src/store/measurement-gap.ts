import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'

/** The gap that the loss of these leaves. */
export function gapOf(measurements: readonly Measurement[]): MeasurementGap | undefined {
  const [first] = measurements
  if (!first) return undefined
  const gap = { from: first.at, to: first.at, dropped: measurements.length }
  for (const { at } of measurements) {
    gap.from = Math.min(gap.from, at)
    gap.to = Math.max(gap.to, at)
  }
  return gap
}

/** Two gaps with nothing kept between them, as one. */
export function joinGaps(a: MeasurementGap, b: MeasurementGap): MeasurementGap {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), dropped: a.dropped + b.dropped }
}
