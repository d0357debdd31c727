import type { Building } from './building.ts'
import { HEAT_PUMP, type HeatPump } from './heat-pump.ts'

/**
 * The topics of the heat pump. All its messages are retained and repeated every second; a state is also published
 * immediately after a command. A command is a bare value or JSON with `value`; an invalid one changes nothing.
 *
 * | topic              | payload                           | what                                                     |
 * |--------------------|-----------------------------------|----------------------------------------------------------|
 * | `hp/status`        | `online` or `offline`             | availability                                             |
 * | `hp/flow`          | `{ "value": 35, "unit": "°C" }`   | setpoint of the flow temperature                         |
 * | `hp/flow/set`      | a command, 20 to 60               |                                                          |
 * | `hp/flow/measured` | as `hp/flow`                      | flow temperature                                         |
 * | `hp/limit`         | `10`                              | limit of the electrical power in kW                      |
 * | `hp/limit/set`     | a command, 0 to 10                |                                                          |
 * | `hp/switch`        | `ON` or `OFF`                     | whether it may run                                       |
 * | `hp/switch/set`    | a command, `ON` or `OFF`          |                                                          |
 * | `hp/power`         | `3.04`                            | electrical power in kW                                   |
 * | `hp/room`          | `{ "value": 21, "unit": "°C" }`   | temperature of the room that it heats                    |
 * | `hp/outdoor`       | as `hp/room`                      | temperature outside                                      |
 */
export interface StateTopic {
  topic: string
  payload(building: Building): string
  command?: Command
}

export interface Command {
  topic: string
  /** Returns the building after the command; `undefined` if the command is invalid. */
  obey(building: Building, payload: string): Building | undefined
}

export const AVAILABILITY_TOPIC = 'hp/status'

export const STATE_TOPICS: readonly StateTopic[] = [
  {
    topic: 'hp/flow',
    payload: ({ heatPump }) => celsius(heatPump.setpointC),
    command: {
      topic: 'hp/flow/set',
      obey(building, payload) {
        const setpointC = numberIn(payload, HEAT_PUMP.minSetpointC, HEAT_PUMP.maxSetpointC)
        return setpointC === undefined ? undefined : withHeatPump(building, { setpointC })
      },
    },
  },
  { topic: 'hp/flow/measured', payload: ({ heatPump }) => celsius(measured(heatPump.flowC)) },
  {
    topic: 'hp/limit',
    payload: ({ heatPump }) => String(heatPump.powerLimitKw),
    command: {
      topic: 'hp/limit/set',
      obey(building, payload) {
        const powerLimitKw = numberIn(payload, 0, HEAT_PUMP.ratedPowerKw)
        return powerLimitKw === undefined ? undefined : withHeatPump(building, { powerLimitKw })
      },
    },
  },
  {
    topic: 'hp/switch',
    payload: ({ heatPump }) => (heatPump.enabled ? 'ON' : 'OFF'),
    command: {
      topic: 'hp/switch/set',
      obey(building, payload) {
        const word = String(valueIn(payload))
        return word === 'ON' || word === 'OFF' ? withHeatPump(building, { enabled: word === 'ON' }) : undefined
      },
    },
  },
  { topic: 'hp/power', payload: ({ heatPump }) => String(measured(heatPump.powerKw)) },
  { topic: 'hp/room', payload: ({ heatPump }) => celsius(measured(heatPump.roomC)) },
  { topic: 'hp/outdoor', payload: ({ outdoorC }) => celsius(measured(outdoorC)) },
]

const withHeatPump = (building: Building, change: Partial<HeatPump>): Building => ({
  ...building,
  heatPump: { ...building.heatPump, ...change },
})

const celsius = (value: number) => JSON.stringify({ value, unit: '°C' })

/** Rounds to two digits, like a thermometer. */
const measured = (value: number) => Math.round(value * 100) / 100

function numberIn(payload: string, min: number, max: number): number | undefined {
  const value = valueIn(payload)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= min && number <= max ? number : undefined
}

/** Returns the `value` of a JSON object, or the JSON itself, or the text. */
function valueIn(payload: string): unknown {
  try {
    const json: unknown = JSON.parse(payload)
    return typeof json === 'object' && json !== null && 'value' in json ? json.value : json
  } catch {
    return payload.trim()
  }
}
