import { UUID } from './patterns.ts'

/** The commands that a partner may call, as the last part of the path. */
export const COMMANDS = [
  'getTechnicalDataPoints',
  'getTechnicalConnectionValues',
  'demandResponseOverride',
  'demandResponseCancel',
] as const
export type Command = (typeof COMMANDS)[number]

/** The command by which the cloud loads a technical system onto a device. Not for partners. */
export const COMMISSION = 'commission'

/** The largest page of `getTechnicalDataPoints`. */
export const MAX_LIMIT = 1000
export const DEFAULT_LIMIT = 100

/** The largest message between cloud and device, either way. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** What travels to the device. `deadline` is the cloud's time after which the caller has been told 502. */
export interface CommandEnvelope {
  reqId: string
  /** Whose command it is: the same reqId of another key is another request. */
  keyId: string
  deadline: number
  data: Record<string, unknown>
}

const id = (description: string) => ({ type: 'string', description }) as const
const timestamp = (description: string) => ({ type: 'string', format: 'timestamp', description }) as const

/** JSON schemas of the `data` of each command: the shape only, the meaning is judged by the device. */
const DATA = {
  getTechnicalDataPoints: {
    type: 'object',
    required: ['connectionId'],
    properties: {
      connectionId: id('The connection whose datapoints to export'),
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    },
  },
  getTechnicalConnectionValues: {
    type: 'object',
    required: ['id'],
    properties: { id: id('The connection whose values to read') },
  },
  demandResponseOverride: {
    type: 'object',
    required: ['datapointId', 'value', 'from', 'to'],
    properties: {
      datapointId: id('The datapoint to hold'),
      value: { type: 'number', description: 'Setpoint in engineering units; not clamped to the envelope' },
      from: timestamp('Start; in the past applies at once'),
      to: timestamp('End; in the future, at most 24 hours after from'),
    },
  },
  demandResponseCancel: {
    type: 'object',
    required: ['id'],
    properties: { id: id('The override to cancel') },
  },
} as const satisfies Record<Command, object>

/** The JSON schema of a command's whole request body. Fields that it does not know are ignored. */
export function requestSchema(command: Command) {
  return {
    type: 'object',
    required: ['data'],
    properties: {
      reqId: { type: 'string', pattern: UUID, description: 'A UUID, echoed back; made when missing' },
      data: DATA[command],
    },
  } as const
}
