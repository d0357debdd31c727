import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Claim, Claims } from '../writing/claims.ts'

export type Want = Claim['want']
export type LocalClaimant = 'peak-shaving' | 'deviation'

/** Where local optimisation states what it wants. Who gets it, and when equipment is written, is decided there. */
export interface ClaimSink {
  /**
   * States what a claimant wants of a datapoint, or withdraws it with `undefined`. Cheap when nothing changes, for
   * everything is stated again at every look: what was lost on the way (a full disk) is mended so. Never throws.
   */
  claim(datapointId: string, by: LocalClaimant, want: Want | undefined): void
  /** The standing claims, also those that were restored after a restart. */
  standing(datapointId: string): Claims
}

/** The live value of a datapoint; `undefined` when it is unreadable or its link is down. */
export interface Meter {
  read(datapointId: string): MeterReading | undefined
}

export interface MeterReading {
  value: number
  ageMs: number
}

/**
 * Withdraws what stands on datapoints that nobody drives any more: those of `before`, and those of the system itself,
 * for a restart may have come between saving a system and withdrawing what it no longer wants.
 */
export function withdrawUndriven(
  sink: ClaimSink,
  by: LocalClaimant,
  { system, before, driven }: { system: TechnicalSystem; before: ReadonlySet<string>; driven: ReadonlySet<string> },
): void {
  const own = system.connections.flatMap(({ datapoints }) => datapoints.map(({ id }) => id))
  const orphaned = own.filter((id) => sink.standing(id)[by] !== undefined)
  for (const id of new Set([...before, ...orphaned])) if (!driven.has(id)) sink.claim(id, by, undefined)
}
