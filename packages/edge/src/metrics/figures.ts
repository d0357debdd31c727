import type { ConnectionFigures } from '../connections/counters.ts'

/** The figures of a device. A figure that is unknown at the moment is left out. */
export interface Figures {
  connections: readonly ConnectionFigures[]
  /** Overrides that have not ended, queued ones included. */
  overridesPlaced?: number | undefined
  /** Datapoints that are held or not yet restored. */
  datapointsHeld?: number | undefined
  /** Audit entries that the cloud has not confirmed. */
  unsentReports?: number | undefined
  unsentMeasurements?: number | undefined
  journalFlushes: number
  /** True while the controller's clock is not trusted. */
  clockSuspect?: boolean | undefined
}
