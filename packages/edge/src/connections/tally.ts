import type { ConnectionStatus } from '@plantroom/contract/values'

/** What has come of the questions to equipment. Only ever grows. */
export interface Tally {
  /** Datapoints that were read. */
  reads: number
  /** Writes that the equipment took. */
  writes: number
  /** Attempts to connect, to read and to write that were left without an answer. */
  timeouts: number
  /** Answers that were a refusal: datapoints that could not be read, writes that were not taken. */
  exceptions: number
  /** How often a link that had been lost stood again. */
  reconnects: number
}

export interface ConnectionFigures extends Tally {
  id: string
  name: string
  protocol: string
  status: ConnectionStatus
}

export function newTally(): Tally {
  return { reads: 0, writes: 0, timeouts: 0, exceptions: 0, reconnects: 0 }
}
