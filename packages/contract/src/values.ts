import type { HoldingWriter } from './writers.ts'

/** Status of a connection in `getTechnicalConnectionValues`. */
export const CONNECTION_STATUS = { connected: 1, connecting: 2, disconnected: 0, error: -1 } as const
export type ConnectionStatus = (typeof CONNECTION_STATUS)[keyof typeof CONNECTION_STATUS]

/** One datapoint's live value. A field at its default is left out. */
export interface DatapointValue {
  value: number | null
  timestamp: string
  error?: string
  locked?: boolean
  lockedBy?: HoldingWriter
  deviationActivated?: boolean
  deviationCachedValue?: number | string
}

/** The reply of `getTechnicalConnectionValues`. */
export interface ConnectionValues {
  connectionId: string
  status: ConnectionStatus
  error: string | null
  timestamp: string
  values: Record<string, DatapointValue>
}
