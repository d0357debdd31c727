import { type AirHandler, advanceAirHandler, newAirHandler } from './air-handler.ts'
import { advanceBattery, type Battery, newBattery } from './battery.ts'
import { advanceGrid, GRID, type Grid, newGrid } from './grid.ts'
import { advanceHeatPump, type HeatPump, newHeatPump } from './heat-pump.ts'

/**
 * The complete state of the simulated building. The battery and the grid meter speak Modbus TCP, the heat pump MQTT, the
 * air handling unit oBIX. The meter counts the power of all of them.
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

/** The outdoor temperature: a day takes half an hour, so that it changes visibly. */
export const OUTDOOR = { meanC: 5, waveC: 3, wavePeriodSeconds: 1800 }

export function newBuilding(seed: number): Building {
  const [battery, heatPump, airHandler] = [newBattery, newHeatPump, newAirHandler]
  const powerKw = GRID.meanLoadKw + battery.powerKw + heatPump.powerKw + airHandler.fanKw
  return { time: 0, seed, outdoorC: OUTDOOR.meanC, battery, heatPump, airHandler, grid: { ...newGrid, powerKw } }
}

/** Returns the power of the building without the battery. */
export function loadKw({ grid, heatPump, airHandler }: Building): number {
  return grid.baseLoadKw + heatPump.powerKw + airHandler.fanKw
}

const MAX_STEP_SECONDS = 1

/** Returns the building `seconds` later. Pure: the same building and steps give the same result. */
export function advance(building: Building, seconds: number): Building {
  let result = building
  for (let left = seconds; left > 0; left -= MAX_STEP_SECONDS) {
    result = step(result, Math.min(left, MAX_STEP_SECONDS))
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
