import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ReportReason } from '@plantroom/contract/reports'
import type { Connections } from '../connections/connections.ts'
import type { Audit } from '../reports/audit.ts'
import type { AppliedStore } from '../store/applied-store.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { HoldStore } from '../store/hold-store.ts'
import { createCarryOut } from './carry-out.ts'
import { type Claim, type Claimant, type Claims, sameClaim } from './claims.ts'
import type { Control, ControlDocument, Reason, Trouble } from './control.ts'
import { createControls } from './controls.ts'
import type { Failsafes } from './failsafes.ts'

/** Decides which writer controls each datapoint. The only part that writes to equipment. Writers know nothing of each other. */
export interface Arbiter {
  /** States or withdraws a claim as part of a change; it is carried out when the change is on disk. */
  decide(to: Change, datapointId: string, by: Claimant, claim: Claim | undefined, reason: Reason): void
  /** The same as a change of its own. Cheap when nothing changes. */
  claim(datapointId: string, by: Claimant, want: Claim['want'] | undefined): void
  /** Writes the closing audit entry of an override that is over while it does not hold its datapoint. */
  closed(to: Change, datapointId: string, claim: Claim, reason: ReportReason): void
  standing(datapointId: string): Claims
  /** Every datapoint that is held or not yet restored. */
  held(): Iterable<string>
  /** Reports whether the datapoint is held or not yet restored. */
  holds(datapointId: string): boolean
  /** The same with all that is known of each. Read-only. */
  holdings(): Iterable<Holding>
  /** Begins to write: before, claims are only recorded. */
  start(): void
  close(): void
}

/** A datapoint that is held or not yet restored. */
export interface Holding {
  datapointId: string
  control: Control
  /** What the equipment does not do at present, and why. */
  trouble: { trouble: Trouble; reason: string } | undefined
}

export function createArbiter(deps: {
  connections: Connections
  commits: Commits
  holds: HoldStore<ControlDocument>
  applied: AppliedStore
  audit: Audit
  failsafes: Failsafes
  clock: Clock
  /** The wall time by which overrides are judged. */
  wallTime: () => number
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

  function decide(to: Change, datapointId: string, by: Claimant, claim: Claim | undefined, reason: Reason): void {
    const place = connections.find(datapointId)
    if (place) controls.decide(to, place, by, claim, reason)
    else {
      log.error({ datapointId, by }, 'dropped a claim on a datapoint that is no longer commissioned')
      controls.drop(to, datapointId)
    }
    to.after(() => started && carryOut.changed(datapointId))
  }

  return {
    decide,
    claim(datapointId, by, want) {
      const claim = want && { by, want }
      void commits.record((to) => {
        // A datapoint that is not there, or about to change, is claimed again when it is ready.
        if (closed || !connections.find(datapointId)) return
        if (claim && connections.isLeaving(datapointId)) return
        if (sameClaim(controls.get(datapointId)?.claims[by], claim)) return
        decide(to, datapointId, by, claim, started ? 'ended' : 'restart')
      })
    },
    closed(to, datapointId, claim, reason) {
      const place = connections.find(datapointId)
      if (place) controls.closed(to, place, claim, reason)
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
      if (started) return
      started = true
      for (const [datapointId] of controls.all()) carryOut.changed(datapointId)
    },
    close() {
      closed = true
      carryOut.close()
    },
  }
}
