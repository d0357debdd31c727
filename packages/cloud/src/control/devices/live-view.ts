import type { ForeignHold, Hold, KeyLiveDevice, LiveDevice } from '@plantroom/contract/control-state'
import { type OverrideView, seesOverride } from '../../organization/access/index.ts'
import type { NamedState } from './caller-name-store.ts'

/**
 * Returns the state of a device as a caller may see it. People who do not manage the site see every hold and override,
 * without what identifies it or who placed it. A key sees its own, and which kind of writer holds something else.
 */
export function visibleTo(view: OverrideView, named: NamedState): LiveDevice | KeyLiveDevice {
  const { notes: _notes, memory: _memory, rolledBack: _rolledBack, pendingReleases, trial, ...state } = named
  if (view === 'all') return { ...state, ...(pendingReleases && { pendingReleases }), ...(trial && { trial }) }
  if (view !== 'none') return visibleToKey(view, state)
  return {
    ...state,
    holds: state.holds.map((hold) => ({ ...hold, overrideId: null })),
    overrides: state.overrides.map((override) => ({ ...override, ...HIDDEN })),
    ...powerLimitFor(view, state),
  }
}

const HIDDEN = { id: null, reqId: null, placedBy: null, placedByName: null }

/** Everybody sees how much a site may draw and until when; who placed the limit is for that caller and managers. */
function powerLimitFor(view: OverrideView, { powerLimit }: NamedState): Pick<LiveDevice, 'powerLimit'> {
  if (!powerLimit) return {}
  const limits = powerLimit.limits.map((limit) =>
    seesOverride(view, limit.placedBy) ? limit : { ...limit, ...HIDDEN },
  )
  return { powerLimit: { ...powerLimit, limits } }
}

type Placed = NamedState['overrides'][number]

/** Names each field: what a later controller adds could show a key something about others. */
function visibleToKey(view: OverrideView, state: NamedState): KeyLiveDevice {
  const { at, clockSuspect, connections, limits, overridesLeftOut } = state
  const overrides = state.overrides.filter(({ placedBy }) => seesOverride(view, placedBy))
  const byDatapoint = Map.groupBy(overrides, ({ datapointId }) => datapointId)
  const holds = state.holds.map((hold) => holdFor(hold, byDatapoint.get(hold.datapointId) ?? []))
  return {
    ...{ at, clockSuspect, connections, holds, overrides },
    ...(limits && { limits }),
    ...powerLimitFor(view, state),
    ...(overridesLeftOut !== undefined && { overridesLeftOut: null }),
  }
}

/** `own`: the overrides of the key on that datapoint. It learns neither what other writers want nor when they begin. */
function holdFor(hold: Hold, own: readonly Placed[]): Hold | ForeignHold {
  const { datapointId, by, overrideId, until, next, beneath } = hold
  const active = own.find(({ id }) => id === overrideId)
  if (!active) return { datapointId, by }
  const isOwnTime = own.some(({ from, to }) => until === from || until === to)
  const writers = { next: withoutForeignValue(next), beneath: withoutForeignValue(beneath) }
  return { ...hold, ...writers, until: isOwnTime ? until : active.to }
}

/** An earlier controller does not say every writer. */
const withoutForeignValue = (writer: Hold['next']) => (writer?.by === 'plain' ? writer : { ...writer, value: null })
