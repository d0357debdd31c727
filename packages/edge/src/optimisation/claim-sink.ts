import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { HoldingWriter } from '@plantroom/contract/writers'
import type { Claim, Claims } from '../writing/hold.ts'

export type Want = Claim['want']
/** A writer of local optimisation. */
export type LocalWriter = Exclude<HoldingWriter, 'demand-response'>

/** Takes the claims of local optimisation. The arbiter behind it decides which writer holds and when to write. */
export interface ClaimSink {
  /**
   * States what a writer wants from a datapoint, or withdraws it with `undefined`. Never throws, and is cheap when
   * nothing changes: writers repeat every claim at every evaluation, which repairs claims lost to a full disk.
   */
  claim(datapointId: string, by: LocalWriter, want: Want | undefined): void
  /** Returns the current claims, including those restored after a restart. */
  claims(datapointId: string): Claims
}

/**
 * Withdraws a writer's claims on datapoints that it no longer drives. Covers the datapoints in `before` and those of the
 * system itself, because a restart may come between saving a system and withdrawing the claims it no longer has.
 */
export function withdrawUndriven(
  sink: ClaimSink,
  by: LocalWriter,
  { system, before, driven }: { system: TechnicalSystem; before: ReadonlySet<string>; driven: ReadonlySet<string> },
): void {
  const own = system.connections.flatMap(({ datapoints }) => datapoints.map(({ id }) => id))
  const orphaned = own.filter((id) => sink.claims(id)[by] !== undefined)
  for (const id of new Set([...before, ...orphaned])) if (!driven.has(id)) sink.claim(id, by, undefined)
}
