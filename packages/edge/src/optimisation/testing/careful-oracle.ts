/** One second of a quarter of an hour, as the regulator made it. */
export interface SecondSeen {
  /** The power of everything that is not moved. */
  fixedKw: number
  /** The highest power of everything else that has to be reckoned with from now on. */
  worstKw: number
  /** The loads that run, and for how long they may not be stopped yet. */
  running: readonly { id: string; kw: number; onSeconds: number }[]
}

/**
 * Returns whether a quarter of an hour is kept by an oracle that knows the past and the stated worst case, and not the future.
 * It runs the loads that the regulator runs, while everything could still rise to the worst case at once without a mean above
 * the ceiling. Otherwise it starts none and stops all that may stop. Other than the regulator, it does so without delay and
 * may start a load again at once.
 */
export function isKeptCarefully(seconds: readonly SecondSeen[], ceilingKw: number): boolean {
  const budget = ceilingKw * seconds.length
  let used = 0
  let on = new Set(seconds[0]?.running.map(({ id }) => id))
  for (const [second, { fixedKw, worstKw, running }] of seconds.entries()) {
    const left = seconds.length - second
    // A load that may stop still runs for this second.
    const committed = running.reduce((sum, { kw, onSeconds }) => sum + kw * Math.min(left, Math.max(1, onSeconds)), 0)
    const isSafe = used + worstKw * left + committed <= budget
    const kept = running.filter(({ id, onSeconds }) => isSafe || (on.has(id) && onSeconds > 0))
    on = new Set(kept.map(({ id }) => id))
    used += fixedKw + kept.reduce((sum, { kw }) => sum + kw, 0)
  }
  return used <= budget
}
