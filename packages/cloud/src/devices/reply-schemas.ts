import type { Command } from '@plantroom/contract/commands'
import { ACCESS_TYPES } from '@plantroom/contract/datapoint'

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const integer = { type: 'integer' } as const
const boolean = { type: 'boolean' } as const
const time = { type: 'string', format: 'date-time' } as const

const datapoint = {
  type: 'object',
  properties: {
    id: text,
    connectionId: text,
    name: text,
    accessType: { type: 'string', enum: ACCESS_TYPES },
    writeInputType: text,
    writeInputData: { type: 'object', properties: { min: number, max: number } },
    analyticsInterval: integer,
    analyticsCalculateConsumption: boolean,
    broadcastInterval: integer,
    writeInterval: integer,
    cloudScheduleId: { type: ['string', 'null'] },
    scaler: {
      type: 'object',
      properties: { inputValue1: number, outputValue1: number, inputValue2: number, outputValue2: number },
    },
    alarmData: { type: ['object', 'null'] },
    data: { type: 'object', additionalProperties: true },
    createdAt: time,
    updatedAt: time,
  },
} as const

const value = {
  type: 'object',
  properties: {
    value: { type: ['number', 'null'] },
    timestamp: time,
    error: text,
    locked: boolean,
    lockedBy: { type: 'string', enum: ['demand-response', 'peak-shaving', 'deviation'] },
    deviationActivated: boolean,
    deviationCachedValue: { type: ['number', 'string'] },
  },
} as const

const DATA = {
  getTechnicalDataPoints: {
    type: 'object',
    properties: { count: integer, datapoints: { type: 'array', items: datapoint } },
  },
  getTechnicalConnectionValues: {
    type: 'object',
    properties: {
      connectionId: text,
      status: { type: 'integer', enum: [1, 2, 0, -1] },
      error: { type: ['string', 'null'] },
      timestamp: time,
      values: { type: 'object', additionalProperties: value },
    },
  },
  demandResponseOverride: { type: 'object', properties: { id: text } },
  demandResponseCancel: { type: 'object', properties: { success: boolean } },
} as const satisfies Record<Command, object>

/** The schema of a reply, for the API reference only: replies are passed on unparsed. */
export function replySchema(command: Command) {
  return { type: 'object', properties: { reqId: text, data: DATA[command] } } as const
}
