import type { LiveOverride } from '../rows.ts'

const STATE_ORDER: Record<LiveOverride['state'], number> = { active: 0, superseded: 1, queued: 2 }

/** Sorts overrides for reading: active, superseded, queued, each by start. */
export function inReadingOrder(overrides: readonly LiveOverride[]): LiveOverride[] {
  return overrides.toSorted(
    (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || Date.parse(a.from) - Date.parse(b.from),
  )
}
