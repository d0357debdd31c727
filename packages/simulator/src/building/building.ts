import type { PlantFaults } from '../faults.ts'
import { type AirHandler, advanceAirHandler, newAirHandler } from './air-handler.ts'
import { advanceBattery, type Battery, newBattery } from './battery.ts'
import { advanceBoiler, type Boiler, newBoiler } from './boiler.ts'
import { advanceGrid, GRID, type Grid, newGrid } from './grid.ts'
import { advanceMeter, type GridMeter, newGridMeter } from './grid-meter.ts'
import { advanceHeatPump, type HeatPump, newHeatPump } from './heat-pump.ts'
import { advanceSolar, newSolar, type Solar } from './solar.ts'

/**
 * The complete state of the simulated building. The battery, the grid meter and the boiler speak Modbus TCP, the heat pump
 * MQTT, the air handling unit oBIX. The grid supplies what all of them draw and the solar panels do not generate.
 */
export interface Building {
  /** Seconds since the start. */
  time: number
  seed: number
  outdoorC: number
  battery: Battery
  heatPump: HeatPump
  airHandler: AirHandler
  boiler: Boiler
  solar: Solar
  grid: Grid
  meter: GridMeter
  /** How the plant misbehaves at present. */
  faults: PlantFaults
}

/** The outdoor temperature: a day takes half an hour, so that it changes visibly. */
export const OUTDOOR = { meanC: 5, waveC: 3, wavePeriodSeconds: 1800 }

export function newBuilding(seed: number, faults: PlantFaults = {}): Building {
  const plant = {
    battery: newBattery,
    heatPump: newHeatPump,
    airHandler: newAirHandler,
    boiler: newBoiler,
    solar: newSolar,
  }
  const grid = { ...newGrid, powerKw: GRID.meanLoadKw + plantKw(plant) }
  return { time: 0, seed, outdoorC: OUTDOOR.meanC, ...plant, grid, meter: newGridMeter(grid), faults }
}

/** Returns the power of the building without the battery and the solar panels. */
export function loadKw({ grid, heatPump, airHandler, boiler }: Building): number {
  return grid.baseLoadKw + heatPump.powerKw + airHandler.fanKw + boiler.powerKw
}

type Plant = Pick<Building, 'battery' | 'heatPump' | 'airHandler' | 'boiler' | 'solar'>

const plantKw = ({ battery, heatPump, airHandler, boiler, solar }: Plant) =>
  battery.powerKw + heatPump.powerKw + airHandler.fanKw + boiler.powerKw - solar.powerKw

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
  const { faults } = building
  const time = building.time + seconds
  const outdoorC = OUTDOOR.meanC + OUTDOOR.waveC * Math.sin((2 * Math.PI * time) / OUTDOOR.wavePeriodSeconds)
  const sky = advanceSolar(building.solar, { seconds, time, seed: building.seed })
  const plant = {
    battery: advanceBattery(building.battery, seconds, faults.battery),
    heatPump: advanceHeatPump(building.heatPump, { seconds, outdoorC }),
    airHandler: advanceAirHandler(building.airHandler, { seconds, outdoorC }),
    boiler: advanceBoiler(building.boiler, { seconds, time }),
    solar: sky.solar,
  }
  const { grid, seed } = advanceGrid(building.grid, { seconds, time, plantKw: plantKw(plant), seed: sky.seed })
  const meter = advanceMeter(building.meter, { time, grid, faults: faults.meter ?? {} })
  return { ...building, time, seed, outdoorC, ...plant, grid, meter }
}
