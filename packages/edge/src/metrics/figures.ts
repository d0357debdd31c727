import type { ConnectionFigures } from '../connections/tally.ts'

/** What is told of a device. A figure that nobody can tell just now is left out. */
export interface Figures {
  connections: readonly ConnectionFigures[]
  /** Windows of demand response that have not ended, also those that have not begun. */
  windowsHeld?: number | undefined
  /** Datapoints that somebody holds, or that are not handed back yet. */
  datapointsHeld?: number | undefined
  /** Entries of the audit that the cloud has not confirmed. */
  unsentReports?: number | undefined
  unsentMeasurements?: number | undefined
  journalFlushes: number
  /** Is the clock of the machine not believed? */
  clockSuspect?: boolean | undefined
}
