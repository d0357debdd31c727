import type { CloseOutcome, CommandReply } from '@plantroom/contract/commands'
import type { HoldState } from '@plantroom/contract/control-state'
import type { EntryCaller } from '@plantroom/contract/reports'
import type { Change } from '../store/commits.ts'
import {
  type Claim,
  type Claimant,
  type Claims,
  type ClosingReason,
  type Hold,
  type Reason,
  sameClaim,
} from './hold.ts'
import { createHoldApplier, type HoldApplierDeps } from './hold-applier.ts'
import type { HoldsDeps } from './hold-state.ts'
import { createHolds } from './holds.ts'
import { keepReadings } from './limit-keeper.ts'
import type { TroubleReport } from './progress.ts'

/** Decides which writer holds each datapoint. The only part that writes to equipment. Writers don't know each other. */
export interface Arbiter {
  /** States or withdraws a claim as part of a change. The equipment follows when the change is on disk. */
  decide(to: Change, datapointId: string, by: Claimant, claim: Claim | undefined, reason: Reason): void
  /** Does the same in a change of its own. Cheap when nothing changes. */
  claim(datapointId: string, by: Claimant, want: Claim['want'] | undefined): void
  /** Writes the closing audit entry of an override that is over while it does not hold its datapoint. */
  closeOverride(to: Change, datapointId: string, claim: Claim, reason: ClosingReason): void
  /**
   * Closes a hold whose writers have released it and that is not restored yet. Writes nothing. Rejects with a `Failure`
   * when there is none.
   */
  closeHold(datapointId: string, outcome: CloseOutcome, by: EntryCaller): Promise<CommandReply<'closeHold'>>
  claims(datapointId: string): Claims
  /** Returns the hold of a datapoint; `undefined` when it is free. */
  hold(datapointId: string): Hold | undefined
  /** Looks again at what is written to a held datapoint: a power limit bounds it in another way. */
  boundChanged(datapointId: string): void
  /** Reports whether the datapoint is held or not yet restored. */
  isHeld(datapointId: string): boolean
  /** Reports whether the value from before a hold on the datapoint is on disk. */
  isCaptured(datapointId: string): boolean
  /** Stops looking after a released datapoint whose equipment changes. */
  forgetRestored(to: Change, datapointId: string): void
  /** Every datapoint that is held or not yet restored. Read-only. */
  holds(): Iterable<HeldDatapoint>
  /** Starts writing. Until then, claims are only recorded. */
  start(): void
  close(): void
}

/** A datapoint that is held or not yet restored. */
export interface HeldDatapoint {
  datapointId: string
  hold: Hold
  /** How far the equipment follows. */
  state: HoldState
  /** What the equipment fails to do at present, and why. */
  trouble: TroubleReport | undefined
}

const isHeld = (hold: Hold | undefined) => hold !== undefined && !hold.restored

export function createArbiter(deps: Omit<HoldApplierDeps, 'holds'> & HoldsDeps): Arbiter {
  const { connections, commits, log } = deps
  const holds = createHolds(deps)
  const applier = createHoldApplier({ ...deps, holds })
  const remember = keepReadings(deps.limits, connections)
  let started = false
  let closed = false

  connections.listen({
    connected: (connectionId) => started && applier.connected(connectionId),
    reading(datapointId, reading) {
      remember(datapointId, reading)
      if (started) applier.reading(datapointId, reading)
    },
  })

  const decide: Arbiter['decide'] = (to, datapointId, by, claim, reason) => {
    const place = connections.find(datapointId)
    if (place) holds.decide(to, place, by, claim, reason)
    else {
      log.error({ datapointId, by }, 'dropped a claim on a datapoint that is no longer commissioned')
      holds.drop(to, datapointId)
    }
    to.after(() => started && applier.changed(datapointId))
  }

  return {
    decide,
    claim(datapointId, by, want) {
      const claim = want && { by, want }
      void commits.record((to) => {
        // The writer claims a missing or changing datapoint again when it is ready.
        if (closed || !connections.find(datapointId)) return
        if (claim && connections.isLeaving(datapointId)) return
        if (sameClaim(holds.get(datapointId)?.claims[by], claim)) return
        decide(to, datapointId, by, claim, started ? 'ended' : 'restart')
      })
    },
    closeOverride(to, datapointId, claim, reason) {
      const place = connections.find(datapointId)
      if (!place) return
      holds.closeOverride(to, place, claim, reason)
      // Its value may still be there, behind a holder that waits.
      const { superseded } = holds.get(datapointId)?.holder ?? {}
      const mayBeThere = superseded?.some(({ overrideId }) => overrideId === claim.overrideId)
      if (mayBeThere) to.after(() => started && applier.changed(datapointId))
    },
    closeHold: (datapointId, outcome, by) =>
      commits.record((to) => {
        const readBack = holds.close(to, datapointId, connections.find(datapointId), { outcome, by })
        to.after(() => {
          deps.failsafes.letExpire(datapointId)
          if (started) applier.changed(datapointId)
        })
        return { readBack }
      }),
    claims: (datapointId) => holds.get(datapointId)?.claims ?? {},
    hold: (datapointId) => (isHeld(holds.get(datapointId)) ? holds.get(datapointId) : undefined),
    boundChanged(datapointId) {
      if (started && holds.get(datapointId)?.holder) applier.boundChanged(datapointId)
    },
    isHeld: (datapointId) => isHeld(holds.get(datapointId)),
    isCaptured: (datapointId) => isHeld(holds.get(datapointId)) && holds.get(datapointId)?.plain !== undefined,
    forgetRestored: holds.forgetRestored,
    *holds() {
      for (const [datapointId, hold] of holds.all()) {
        if (!isHeld(hold)) continue
        yield { datapointId, hold, state: applier.stateOf(datapointId, hold), trouble: applier.trouble(datapointId) }
      }
    },
    start() {
      if (started) return
      started = true
      for (const [datapointId] of holds.all()) applier.changed(datapointId)
    },
    close() {
      closed = true
      applier.close()
    },
  }
}
