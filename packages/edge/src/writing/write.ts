import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { ReportedValue, SourceInCharge } from '@plantroom/contract/reports'
import type { Raw, Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import type { Commits } from '../store/commits.ts'
import type { Failsafes } from './failsafes.ts'
import type { Hold, Holder, Trouble } from './hold.ts'
import type { Holds } from './holds.ts'
import type { LimitKeeper } from './limit-keeper.ts'
import { type Logged, logWrite } from './log-write.ts'

export interface ApplyDeps {
  holds: Holds
  commits: Commits
  failsafes: Failsafes
  limits: LimitKeeper
  /** The wall time by which overrides are judged. */
  wallTime: () => number
  log: Log
  /** Called around a write to equipment, so that a test can end the process at that point. */
  reached: (point: 'write:before' | 'write:after') => void
  isClosed(): boolean
}

/** What is known about the equipment behind one datapoint. Lost with the process: after a start everything is written again. */
export interface Applied {
  /** The holder whose value a reading has shown, and that value. */
  done: { holder: Holder; value: Writable } | undefined
  /** The value that the equipment has acknowledged for a holder, while no reading says what became of it. */
  unread: { holder: Holder; value: Writable } | undefined
  /** The value of a release that may have reached the equipment. Without an acknowledgement that is unknown. */
  restoring: { value: Writable; isAcknowledged: boolean } | undefined
  /** What the equipment made of a setpoint, where it did not take it. */
  shows: Raw | undefined
  /** The equipment may hold another value than the plain one. */
  isMoved: boolean
  /** What the log says was written last. */
  logged?: Logged
}

export type Outcome =
  /** The plain value is on disk. The hold can be applied now. */
  | { kind: 'captured' }
  /** A reading shows the holder's value. */
  | { kind: 'holding'; holder: Holder; value: Writable }
  /** A reading shows that the plain value is restored, or nothing could be. */
  | { kind: 'released' }
  /** The limits of the datapoint do not allow the value yet. */
  | { kind: 'waiting'; until: number; reason: string }
  /** The equipment is on its way to the value, in the steps that its limits allow. */
  | { kind: 'moving'; nextAt: number }
  /** Another value was decided on before this one left for the equipment. */
  | { kind: 'overtaken' }
  | {
      kind: 'failed'
      trouble: Trouble
      readBack: ReportedValue
      reason: string
      isOffline: boolean
      /** What the equipment shows instead of the setpoint. */
      shows?: Raw
      /** What it follows instead of us. */
      inCharge?: SourceInCharge
      /** Only a person can do something about it. */
      isStuck?: boolean
    }

/** Writes a value for the holder, or for the release. Rejects like `Connection.write`. */
export async function write(
  deps: ApplyDeps,
  place: Place,
  about: {
    hold: Hold
    value: Writable
    applied: Applied
    /** Called when the value leaves for the equipment. */
    sent?: () => void
  },
): Promise<void> {
  const { hold, value, applied, sent } = about
  const { connection, datapoint } = place
  if (hold.holder) await deps.failsafes.arm(place)
  deps.reached('write:before')
  const stillWanted = () => {
    const isStillWanted = isWanted(deps, datapoint.id, hold.holder)
    if (isStillWanted) sent?.()
    return isStillWanted
  }
  try {
    await connection.write(datapoint.id, value, { release: hold.holder === undefined, stillWanted })
    applied.isMoved = true
  } catch (failure) {
    // Without an answer, the value may be there.
    if (isKind(failure, 'offline')) applied.isMoved = true
    throw failure
  }
  logWrite(deps.log, place, { hold, value, applied })
  deps.reached('write:after')
}

/** Releases by the equipment's own means; false where it has none, and the plain value must be written back. */
export function relinquish(deps: ApplyDeps, { connection, datapoint: { id } }: Place, holder: Holder | undefined) {
  return connection.relinquish(id, { stillWanted: () => isWanted(deps, id, holder) })
}

/** Reports whether the holder may still write its value. However long a write waits, a replaced value is never sent. */
export function isWanted(
  { holds, wallTime, isClosed }: ApplyDeps,
  datapointId: string,
  holder: Holder | undefined,
): boolean {
  const hold = holds.get(datapointId)
  if (isClosed() || !hold || hold.holder !== holder) return false
  const until = holder?.claim.until
  return until === undefined || wallTime() < until
}

export const isKind = (failure: unknown, kind: Failure['kind']) => failure instanceof Failure && failure.kind === kind
