import type { MeterFaults } from '../faults.ts'
import type { Grid } from './grid.ts'

/** What the meter at the grid connection shows, which is what it measured some time ago. */
export interface GridMeter {
  shown: Grid
  /** When it last showed something new, in seconds since the start. */
  shownAt: number
  /** What it measured and does not show yet, oldest first. */
  measured: readonly { at: number; grid: Grid }[]
}

export const newGridMeter = (grid: Grid): GridMeter => ({ shown: grid, shownAt: 0, measured: [] })

/**
 * Returns the meter after it measured `grid` at `time`. It may show each measurement late, show a new one only every few
 * seconds, stay at its last value, or have its wires swapped.
 */
export function advanceMeter(
  meter: GridMeter,
  { time, grid, faults }: { time: number; grid: Grid; faults: MeterFaults },
): GridMeter {
  const [lateSeconds, everySeconds] = [(faults.late ?? 0) / 1000, (faults.every ?? 0) / 1000]
  const measured = [...meter.measured, { at: time, grid: faults.reversed ? reversed(grid) : grid }]
  const due = measured.findLastIndex(({ at }) => at <= time - lateSeconds)
  const newest = measured[due]
  if (!newest) return { ...meter, measured }
  const waiting = measured.slice(due)
  if (faults.frozen || time - meter.shownAt < everySeconds) return { ...meter, measured: waiting }
  return { shown: newest.grid, shownAt: time, measured: waiting.slice(1) }
}

/** Returns what a meter measures that counts in the other direction. */
const reversed = (grid: Grid): Grid => ({
  ...grid,
  powerKw: -grid.powerKw,
  importedKwh: grid.exportedKwh,
  exportedKwh: grid.importedKwh,
})
