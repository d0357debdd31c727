import type { ConnectionStatus } from '@plantroom/contract/values'

/** What has come of the questions to equipment. Only ever grows. */
export interface Tally {
  /** Datapoints that were read. */
  reads: number
  /** Datapoints that were asked for over a link that stood, and could not be read. */
  readErrors: number
  /** Writes that the equipment took. */
  writes: number
  /** Questions and attempts to connect that were left without an answer in their time, as the driver has seen them. */
  timeouts: number
  /** Answers that were a refusal, as the driver has seen them: one may stand for many datapoints, or be made good for. */
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
  return { reads: 0, readErrors: 0, writes: 0, timeouts: 0, exceptions: 0, reconnects: 0 }
}
