import type { LiveDevice } from '@plantroom/contract/control-state'
import { type OverrideView, seesOverride } from '../access/index.ts'
import type { NamedState } from './caller-name-store.ts'

/**
 * Returns the state of a device as a caller may see it: holds and overrides of others stay, without what identifies
 * them or who placed them.
 */
export function visibleTo(view: OverrideView, named: NamedState): LiveDevice {
  const { notes: _notes, memory: _memory, pendingReleases, ...state } = named
  if (view === 'all') return { ...state, ...(pendingReleases && { pendingReleases }) }
  const seen = new Set<string>()
  const overrides = state.overrides.map((override) => {
    if (!seesOverride(view, override.placedBy)) {
      return { ...override, id: null, reqId: null, placedBy: null, placedByName: null }
    }
    seen.add(override.id)
    return override
  })
  const holds = state.holds.map((hold) =>
    hold.overrideId !== null && !seen.has(hold.overrideId) ? { ...hold, overrideId: null } : hold,
  )
  return { ...state, holds, overrides }
}
