import { advanceBattery, type Battery, newBattery } from './battery.ts'
import { advanceGrid, type Grid, newGrid } from './grid.ts'

export interface Building {
  /** Seconds since the start. */
  time: number
  seed: number
  battery: Battery
  grid: Grid
}

export function newBuilding(seed: number): Building {
  return { time: 0, seed, battery: newBattery, grid: newGrid }
}

const LONGEST_STEP_SECONDS = 1

/** The building `seconds` later. Pure: the same building and the same steps end in the same building. */
export function advance(building: Building, seconds: number): Building {
  let result = building
  for (let left = seconds; left > 0; left -= LONGEST_STEP_SECONDS) {
    result = step(result, Math.min(left, LONGEST_STEP_SECONDS))
  }
  return result
}

function step(building: Building, seconds: number): Building {
  const time = building.time + seconds
  const battery = advanceBattery(building.battery, seconds)
  const { grid, seed } = advanceGrid(building.grid, {
    seconds,
    time,
    batteryKw: battery.powerKw,
    seed: building.seed,
  })
  return { time, seed, battery, grid }
}
