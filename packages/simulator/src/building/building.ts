import { type AirHandler, advanceAirHandler, newAirHandler } from './air-handler.ts'
import { advanceBattery, type Battery, newBattery } from './battery.ts'
import { advanceGrid, GRID, type Grid, newGrid } from './grid.ts'
import { advanceHeatPump, type HeatPump, newHeatPump } from './heat-pump.ts'

/**
 * All of the simulated building, and all that its future depends on. The battery and the grid meter speak Modbus TCP, the
 * heat pump MQTT, the air handling unit oBIX; the meter counts what all of them take.
 */
export interface Building {
  /** Seconds since the start. */
  time: number
  seed: number
  outdoorC: number
  battery: Battery
  heatPump: HeatPump
  airHandler: AirHandler
  grid: Grid
}

/** The weather: a day in half an hour, so that there is something to see. */
export const OUTDOOR = { meanC: 5, waveC: 3, wavePeriodSeconds: 1800 }

export function newBuilding(seed: number): Building {
  const [battery, heatPump, airHandler] = [newBattery, newHeatPump, newAirHandler]
  const powerKw = GRID.meanLoadKw + battery.powerKw + heatPump.powerKw + airHandler.fanKw
  return { time: 0, seed, outdoorC: OUTDOOR.meanC, battery, heatPump, airHandler, grid: { ...newGrid, powerKw } }
}

/** What the building takes without the battery. */
export function loadKw({ grid, heatPump, airHandler }: Building): number {
  return grid.baseLoadKw + heatPump.powerKw + airHandler.fanKw
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
  const outdoorC = OUTDOOR.meanC + OUTDOOR.waveC * Math.sin((2 * Math.PI * time) / OUTDOOR.wavePeriodSeconds)
  const battery = advanceBattery(building.battery, seconds)
  const heatPump = advanceHeatPump(building.heatPump, { seconds, outdoorC })
  const airHandler = advanceAirHandler(building.airHandler, { seconds, outdoorC })
  const { grid, seed } = advanceGrid(building.grid, {
    seconds,
    time,
    plantKw: battery.powerKw + heatPump.powerKw + airHandler.fanKw,
    seed: building.seed,
  })
  return { time, seed, outdoorC, battery, heatPump, airHandler, grid }
}
