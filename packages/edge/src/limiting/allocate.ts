import type { LoadSeen } from '../optimisation/regulator-state.ts'

/**
 * Divides a power among loads without looking at a meter: the most important load gets what it wants first. Returns the most
 * that each may draw. What supplies power does not enlarge the share of others: nobody can read whether it does.
 */
export function allocate(loads: readonly LoadSeen[], kw: number): ReadonlyMap<string, number> {
  let left = Math.max(0, kw)
  const shares = new Map<string, number>()
  for (const load of loads.toSorted((a, b) => b.priority - a.priority)) {
    if (load.kind === 'modulating') {
      const share = Math.min(Math.max(left, load.minKw), load.maxKw)
      shares.set(load.id, share)
      left -= Math.max(0, Math.min(share, load.wantedKw))
    } else {
      const runs = load.wantedKw === 0 || (load.ratedKw ?? 0) <= left
      shares.set(load.id, runs ? Number.POSITIVE_INFINITY : 0)
      if (runs) left -= load.wantedKw
    }
  }
  return shares
}
