import { nextRandom } from './random.ts'

/** The grid connection. Positive power is drawn from the grid. */
export interface Grid {
  /** The load of the building without its plant: lamps, machines, lifts. */
  baseLoadKw: number
  powerKw: number
  voltage: number
  frequencyHz: number
  importedKwh: number
  exportedKwh: number
  /** The random part of the load. */
  noiseKw: number
}

export const GRID = {
  meanLoadKw: 56,
  waveKw: 8,
  wavePeriodSeconds: 900,
  noiseKw: 2,
  noiseSeconds: 20,
  voltage: 230,
  frequencyHz: 50,
}

export const newGrid: Grid = {
  baseLoadKw: GRID.meanLoadKw,
  powerKw: GRID.meanLoadKw,
  voltage: GRID.voltage,
  frequencyHz: GRID.frequencyHz,
  importedKwh: 48_215.3,
  exportedKwh: 1_204.7,
  noiseKw: 0,
}

/** Returns the connection `seconds` later, `time` seconds after the start, while the plant draws `plantKw`. */
export function advanceGrid(
  grid: Grid,
  { seconds, time, plantKw, seed }: { seconds: number; time: number; plantKw: number; seed: number },
): { grid: Grid; seed: number } {
  const load = nextRandom(seed)
  const line = nextRandom(load.seed)
  const noiseTarget = (load.value * 2 - 1) * GRID.noiseKw
  const noiseKw = noiseTarget + (grid.noiseKw - noiseTarget) * Math.exp(-seconds / GRID.noiseSeconds)
  const wave = GRID.waveKw * Math.sin((2 * Math.PI * time) / GRID.wavePeriodSeconds)
  const baseLoadKw = GRID.meanLoadKw + wave + noiseKw
  const powerKw = baseLoadKw + plantKw
  const energyKwh = (powerKw * seconds) / 3600
  return {
    seed: line.seed,
    grid: {
      baseLoadKw,
      powerKw,
      noiseKw,
      voltage: GRID.voltage - powerKw * 0.02 + (line.value - 0.5) * 0.4,
      frequencyHz: GRID.frequencyHz + (line.value - 0.5) * 0.04,
      importedKwh: grid.importedKwh + Math.max(0, energyKwh),
      exportedKwh: grid.exportedKwh + Math.max(0, -energyKwh),
    },
  }
}
