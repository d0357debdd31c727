import type { ExportedDatapoint } from './datapoint.ts'

/** What `plantroom simulate-fleet` sends to the process that imitates controllers, once. */
export interface FleetSimulation {
  url: string
  devices: readonly ImitatedDevice[]
  /** The datapoints of every commissioned device, in the order of its `datapointIds`. */
  datapoints: readonly Omit<ExportedDatapoint, 'id' | 'connectionId'>[]
  /** Between two values of a datapoint. */
  intervalMs: number
  /** Every controller sends at the start of an interval, instead of at a random moment of its own. */
  aligned: boolean
  /** The most intervals in one batch. */
  batch: number
  /** How many intervals each controller has stored when it starts, as after an outage. */
  backlog: number
  /** The most connections that are begun in a second. */
  connectRate: number
}

export interface ImitatedDevice {
  id: string
  secret: string
  /** Is online and answers no command but `commission`. */
  silent: boolean
  /** What was commissioned in an earlier run. */
  system?: ImitatedSystem | undefined
}

/** The ids of a commissioned device. */
export interface ImitatedSystem {
  id: string
  connectionId: string
  datapointIds: readonly string[]
}

/** Counts since the start, over all imitated controllers. */
export interface FleetStatus {
  devices: number
  connected: number
  /** Controllers that have datapoints, and so send measurements. */
  commissioned: number
  /** Connections that ended without being asked to, and attempts that failed. */
  lost: number
  /** Logins and subscriptions that the broker refused. */
  refused: number
  /** Batches sent for the first time, sent again, and confirmed; and the values in confirmed batches. */
  sent: number
  resent: number
  confirmed: number
  confirmedValues: number
  /** Values that are due and not yet confirmed. */
  waitingValues: number
  commands: number
  /** Overrides accepted, and answers repeated because the request was known. */
  overrides: number
  repeated: number
  cancelled: number
}

/** The history of one controller that the cloud has confirmed: every interval from `from` to `to`, both included. */
export interface ConfirmedHistory {
  id: string
  from: number
  to: number
}

/** What the imitating process reports to its parent. */
export type FleetMessage =
  | { kind: 'status'; status: FleetStatus }
  | { kind: 'closed'; status: FleetStatus; confirmed: readonly ConfirmedHistory[] }
