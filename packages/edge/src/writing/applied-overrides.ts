import type { ReportedValue } from '@plantroom/contract/reports'
import type { Change, Commits } from '../store/commits.ts'
import type { AppliedStore } from '../store/hold-store.ts'
import type { Claim, Holder } from './hold.ts'

/**
 * Tracks which overrides have an `applied` entry and no `released` entry yet, so that each gets exactly one of both.
 * Claims without an override id are not tracked.
 */
export interface AppliedOverrides {
  /** Returns false when the override already has its `applied` entry. */
  open(to: Change, holder: Holder): boolean
  /** Replaces the value before with a better one. */
  correct(to: Change, holder: Holder): void
  isOpen(overrideId: string): boolean
  valueBefore(claim: Claim): ReportedValue | undefined
  close(to: Change, claim: Claim): void
}

export function createAppliedOverrides(deps: { commits: Commits; applied: AppliedStore }): AppliedOverrides {
  const { commits, applied } = deps
  const open = commits.stagedMap<string, { valueBefore: ReportedValue }>(
    applied.load().map(([overrideId, valueBefore]) => [overrideId, { valueBefore }]),
  )

  function put(to: Change, overrideId: string, valueBefore: ReportedValue): void {
    open.set(overrideId, { valueBefore })
    applied.put(to, overrideId, valueBefore)
  }

  return {
    open(to, { claim: { overrideId }, valueBefore }) {
      if (overrideId === undefined) return true
      if (open.get(overrideId)) return false
      put(to, overrideId, valueBefore)
      return true
    },
    correct(to, { claim: { overrideId }, valueBefore }) {
      if (overrideId === undefined || open.get(overrideId)?.valueBefore === valueBefore) return
      put(to, overrideId, valueBefore)
    },
    isOpen: (overrideId) => open.get(overrideId) !== undefined,
    valueBefore: ({ overrideId }) => (overrideId === undefined ? undefined : open.get(overrideId)?.valueBefore),
    close(to, { overrideId }) {
      if (overrideId === undefined || !open.get(overrideId)) return
      open.set(overrideId, undefined)
      applied.remove(to, overrideId)
    },
  }
}
