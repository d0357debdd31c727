import { time } from './fields.ts'
import { anyOf, boolean, nullable, number, object, oneOf, optional, record, type Static, text } from './schema.ts'
import { HOLDING_WRITERS } from './writers.ts'

/** Status of a connection in `getTechnicalConnectionValues`. */
export const CONNECTION_STATUS = { connected: 1, connecting: 2, disconnected: 0, error: -1 } as const
export type ConnectionStatus = (typeof CONNECTION_STATUS)[keyof typeof CONNECTION_STATUS]

/** One datapoint's live value. A field at its default is left out. */
export const DatapointValue = object({
  value: nullable(number()),
  timestamp: time(),
  error: optional(text()),
  locked: optional(boolean()),
  lockedBy: optional(oneOf(HOLDING_WRITERS)),
  deviationActivated: optional(boolean()),
  deviationCachedValue: optional(anyOf([number(), text()])),
})
export interface DatapointValue extends Static<typeof DatapointValue> {}

/** The reply of `getTechnicalConnectionValues`. */
export const ConnectionValues = object({
  connectionId: text(),
  status: oneOf(Object.values(CONNECTION_STATUS)),
  error: nullable(text()),
  timestamp: time(),
  values: record(DatapointValue),
})
export interface ConnectionValues extends Static<typeof ConnectionValues> {}
