import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { AppliedStore, HoldStore } from '../store/hold-store.ts'
import type { StagedMap } from '../store/staged-map.ts'
import type { AppliedOverrides } from './applied-overrides.ts'
import type { Hold } from './hold.ts'
import { type HoldDocument, toDocument } from './hold-document.ts'

export interface HoldsDeps {
  commits: Commits
  holdStore: HoldStore<HoldDocument>
  applied: AppliedStore
  audit: Audit
  /** The wall time by which overrides are judged, and entries dated. */
  wallTime: () => number
}

/** The holds in memory, and what recording a step of one needs. */
export interface HoldsState extends HoldsDeps {
  holds: StagedMap<string, Hold>
  overrides: AppliedOverrides
}

/** Replaces the hold of a datapoint; `undefined` forgets it. */
export function keep({ holds, holdStore }: HoldsState, to: Change, datapointId: string, hold: Hold | undefined): void {
  holds.set(datapointId, hold)
  if (hold) holdStore.put(to, datapointId, toDocument(hold))
  else holdStore.remove(to, datapointId)
}
