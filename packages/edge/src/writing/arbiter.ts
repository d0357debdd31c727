import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ReportReason } from '@plantroom/contract/reports'
import type { Connections } from '../connections/connections.ts'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { HoldStore } from '../store/hold-store.ts'
import { createCarryOut } from './carry-out.ts'
import { type Claim, type Claimant, type Claims, sameSetpoint } from './claims.ts'
import type { Control, ControlDocument, Trouble } from './control.ts'
import { createControls } from './controls.ts'
import type { Failsafes } from './failsafes.ts'

/** The one writer of every datapoint. Claimants state what they want and know nothing of each other. */
export interface Arbiter {
  /** States or withdraws a claim as part of a change; it is carried out when the change is on disk. */
  decide(to: Change, datapointId: string, by: Claimant, claim: Claim | undefined, reason: ReportReason): void
  /** The same as a change of its own. Cheap when nothing changes. */
  claim(datapointId: string, by: Claimant, want: Claim['want'] | undefined): void
  /** A claim was withdrawn before its time came. Nothing is written; the audit closes it all the same. */
  calledOff(to: Change, datapointId: string, claim: Claim): void
  standing(datapointId: string): Claims
  /** Every datapoint that is held, or not yet handed back. */
  held(): Iterable<string>
  /** Is the datapoint held, or not yet handed back? */
  holds(datapointId: string): boolean
  /** The same with all that is known of each. Only to be looked at. */
  holdings(): Iterable<Holding>
  /** Begins to write: before, claims are only taken in. */
  start(): void
  close(): void
}

/** A datapoint that is held, or not yet handed back. */
export interface Holding {
  datapointId: string
  control: Control
  /** What the equipment does not do at present. */
  trouble: Trouble | undefined
}

export function createArbiter(deps: {
  connections: Connections
  commits: Commits
  holds: HoldStore<ControlDocument>
  audit: Audit
  failsafes: Failsafes
  clock: Clock
  log: Log
  /** Called around a write to equipment, so that a test can end the process right there. */
  reached?: (point: 'write:before' | 'write:after') => void
}): Arbiter {
  const { connections, commits, log } = deps
  const controls = createControls(deps)
  const carryOut = createCarryOut({ ...deps, controls })
  let started = false
  let closed = false

  connections.listen({
    connected: (connectionId) => started && carryOut.connected(connectionId),
    reading: (datapointId, raw) => started && carryOut.reading(datapointId, raw),
  })

  function decide(to: Change, datapointId: string, by: Claimant, claim: Claim | undefined, reason: ReportReason): void {
    const place = connections.find(datapointId)
    if (place) controls.decide(to, place, by, claim, reason)
    else {
      log.error({ datapointId, by }, 'a claim on a datapoint that is not commissioned any more is dropped')
      controls.drop(to, datapointId)
    }
    to.after(() => started && carryOut.changed(datapointId))
  }

  return {
    decide,
    claim(datapointId, by, want) {
      const claim = want && { by, want }
      void commits.record((to) => {
        // A datapoint that is not there, yet or any more, is spoken of again when it is: what is held there stays so.
        if (closed || !connections.find(datapointId)) return
        if (sameSetpoint(controls.get(datapointId)?.claims[by], claim)) return
        decide(to, datapointId, by, claim, started ? 'ended' : 'restart')
      })
    },
    calledOff(to, datapointId, claim) {
      const place = connections.find(datapointId)
      if (place) controls.calledOff(to, place, claim)
    },
    standing: (datapointId) => controls.get(datapointId)?.claims ?? {},
    holds: (datapointId) => controls.get(datapointId) !== undefined,
    held: () => [...controls.all()].map(([datapointId]) => datapointId),
    *holdings() {
      for (const [datapointId, control] of controls.all()) {
        yield { datapointId, control, trouble: carryOut.trouble(datapointId) }
      }
    },
    start() {
      started = true
      for (const [datapointId] of controls.all()) carryOut.changed(datapointId)
    },
    close() {
      closed = true
      carryOut.close()
    },
  }
}
