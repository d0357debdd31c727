import type { ConnectionStatus } from '@plantroom/contract/values'

/** Counts what happens on a connection. Only ever grows. */
export interface Counters {
  /** Datapoints that were read. */
  reads: number
  /** Datapoints that could not be read although the link was up. */
  readErrors: number
  /** Writes that the equipment accepted. */
  writes: number
  /** Requests and connection attempts without an answer in time, as the driver sees them. */
  timeouts: number
  /** Error answers, as the driver sees them. One may affect many datapoints, or none when the driver recovers. */
  exceptions: number
  /** How often a lost link came back. */
  reconnects: number
}

export interface ConnectionFigures extends Counters {
  id: string
  name: string
  protocol: string
  status: ConnectionStatus
}

export function newCounters(): Counters {
  return { reads: 0, readErrors: 0, writes: 0, timeouts: 0, exceptions: 0, reconnects: 0 }
}
