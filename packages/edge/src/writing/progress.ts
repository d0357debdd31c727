import type { Holder, Trouble } from './hold.ts'
import type { ReleaseWatch } from './release-watch.ts'
import type { Applied } from './write.ts'

export interface TroubleReport {
  trouble: Trouble
  reason: string
}

/** The progress of one datapoint. Lost with the process: after a start everything is written again. */
export interface Progress extends Applied {
  isRunning: boolean
  /** Set when something changed during the current attempt. */
  again: boolean
  /** Set when the value being written may already be lost, so that it does not count as done. */
  isLost: boolean
  /** The holder whose value is being written; `undefined` while the plain value is being restored. */
  holder: Holder | undefined
  /** Failures in a row, for this holder. */
  failures: number
  trouble: TroubleReport | undefined
  /** The limits do not allow the value yet. */
  isWaiting: boolean
  /** Only a person can restore the equipment. */
  isStuck: boolean
  /** The equipment could not be read after the last write. */
  isUnread: boolean
  /** Looks after a release whether the setpoint comes back. */
  watch: ReleaseWatch | undefined
  driftedAt: number
  cancelTimer(): void
}

export function newProgress(): Progress {
  return {
    isRunning: false,
    again: false,
    isLost: false,
    holder: undefined,
    done: undefined,
    unread: undefined,
    restoring: undefined,
    shows: undefined,
    failures: 0,
    trouble: undefined,
    isWaiting: false,
    isStuck: false,
    isUnread: false,
    watch: undefined,
    isMoved: true,
    driftedAt: Number.NEGATIVE_INFINITY,
    cancelTimer: () => {},
  }
}
