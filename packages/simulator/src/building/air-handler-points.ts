import { AIR_HANDLER, type AirHandler, extractC } from './air-handler.ts'
import type { Building } from './building.ts'

/**
 * The points of the air handling unit, below `points/`:
 *
 * | href               | type | unit | what                                              |
 * |--------------------|------|------|---------------------------------------------------|
 * | `supplyAir/`       | real | °C   | setpoint of the supply air, written; 14 to 30      |
 * | `fanSpeed/`        | int  | %    | speed of the fan, written; 0 to 100                |
 * | `supplyAirActual/` | real | °C   | supply air                                        |
 * | `extractAir/`      | real | °C   | extract air                                       |
 * | `roomTemperature/` | real | °C   | the hall                                          |
 * | `fanPower/`        | real | kW   | electrical power of the fan                       |
 * | `running/`         | bool |      | whether the fan is running                        |
 * | `airQuality/`      | real | ppm  | null: the sensor is not installed                 |
 */
export interface Point {
  name: string
  displayName: string
  type: 'real' | 'int' | 'bool'
  unit?: { href: string; symbol: string }
  /** Returns the value; `undefined` if there is none. */
  read(building: Building): number | boolean | undefined
  write?: Writable
}

export interface Writable {
  min: number
  max: number
  /** Returns the building with the new value, from `min` to `max`. */
  set(building: Building, value: number): Building
}

const CELSIUS = { href: 'obix:units/celsius', symbol: '°C' }
const PERCENT = { href: 'obix:units/percent', symbol: '%' }
const KILOWATT = { href: 'obix:units/kilowatt', symbol: 'kW' }
const PPM = { href: 'obix:units/parts_per_million', symbol: 'ppm' }

export const POINTS: readonly Point[] = [
  {
    name: 'supplyAir',
    displayName: 'Supply air setpoint',
    type: 'real',
    unit: CELSIUS,
    read: ({ airHandler }) => airHandler.setpointC,
    write: {
      min: AIR_HANDLER.minSetpointC,
      max: AIR_HANDLER.maxSetpointC,
      set: (building, setpointC) => withAirHandler(building, { setpointC }),
    },
  },
  {
    name: 'fanSpeed',
    displayName: 'Fan speed',
    type: 'int',
    unit: PERCENT,
    read: ({ airHandler }) => airHandler.fanPercent,
    write: { min: 0, max: 100, set: (building, fanPercent) => withAirHandler(building, { fanPercent }) },
  },
  measured('supplyAirActual', 'Supply air', CELSIUS, ({ supplyC }) => supplyC),
  measured('extractAir', 'Extract air', CELSIUS, extractC),
  measured('roomTemperature', 'Temperature of the hall', CELSIUS, ({ roomC }) => roomC),
  measured('fanPower', 'Fan power', KILOWATT, ({ fanKw }) => fanKw),
  { name: 'running', displayName: 'Fan turns', type: 'bool', read: ({ airHandler }) => airHandler.fanPercent > 0 },
  { name: 'airQuality', displayName: 'Carbon dioxide', type: 'real', unit: PPM, read: () => undefined },
]

function measured(
  name: string,
  displayName: string,
  unit: { href: string; symbol: string },
  value: (airHandler: AirHandler) => number,
): Point {
  // A sensor shows two digits.
  const read = ({ airHandler }: Building) => Math.round(value(airHandler) * 100) / 100
  return { name, displayName, type: 'real', unit, read }
}

const withAirHandler = (building: Building, change: Partial<AirHandler>): Building => ({
  ...building,
  airHandler: { ...building.airHandler, ...change },
})
