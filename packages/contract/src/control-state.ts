import type { ReportedValue } from './reports.ts'
import type { ConnectionValues } from './values.ts'

/** The command by which the cloud asks a device for all that the console shows of it. Not for partners. */
export const GET_CONTROL_STATE = 'getControlState'

/** Who writes a datapoint; `plain`: nobody, it is at what was there before. */
export type Writer = 'demand-response' | 'peak-shaving' | 'deviation' | 'plain'

/** All that a device is at: what is read, what is held, what is to come. */
export interface ControlState {
  /** By the clock of the device. */
  at: string
  /** A clock that the device does not trust: it takes no windows. */
  clockSuspect: boolean
  connections: ConnectionValues[]
  holds: Hold[]
  /** Those that rule first, then those to come, then those that are covered. */
  windows: HeldWindow[]
  /** So many more are held than are told here. Missing when all are. */
  windowsLeftOut?: number
}

/** A datapoint that is not at its plain value. */
export interface Hold {
  datapointId: string
  /** `plain` while it is being handed back. */
  by: Writer
  /** What it is held at, or handed back to; `null` when that is not known. */
  value: ReportedValue
  /** The window that rules, of demand response. */
  overrideId: string | null
  /** When the window that rules stops to: it ends, or one that was placed later has its time come. */
  until: string | null
  /** Who writes it when the one that rules lets go, and what; `null` when that is not known. */
  next: { by: Writer; value: ReportedValue }
  /** Who would write it now if no window were held on it, and what: what a release of all of them brings. */
  beneath: { by: Writer; value: ReportedValue }
  /** What the equipment has not done so far. */
  trouble: 'write-failed' | 'not-taken' | null
  /** Why the equipment has not done it, for people; `null` without trouble or where the reason is unknown. */
  troubleReason: string | null
}

/** A window that has not ended. */
export interface HeldWindow {
  id: string
  datapointId: string
  value: number
  from: string
  to: string
  reqId: string
  /** Whoever placed it: the id of a key, or `user:` and that of a person. Empty for one from before this was kept. */
  placedBy: string
  /** `ruling`: this is what the datapoint is held at. `covered`: its time has come, but a later one rules. */
  state: 'queued' | 'ruling' | 'covered'
}

/** What the console is told of a device: what the device says, with the names that the cloud knows. */
export interface LiveDevice extends Omit<ControlState, 'windows'> {
  windows: (HeldWindow & { placedByName: string | null })[]
}
