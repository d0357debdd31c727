import { createDraft, lower, raise } from './draft.ts'
import type { RegulatorState, Seen } from './regulator-state.ts'
import { keepOff, mustStop, resume, stop } from './switching.ts'

/** How long a load and the meter take to show a change. */
const REACTION_SECONDS = 10
/** Readings that are further apart do not say when the next one comes. */
const LONGEST_GAP_SECONDS = 90

export interface Step {
  state: RegulatorState
  /** True when every load is moved as far as it may be, and the reading is still too high. */
  isExhausted: boolean
  /** By how much the loads will draw more than before, or less. */
  movedKw: number
}

/**
 * Moves loads so that the next readings are at most what is allowed. Modulating loads move first and at once. Then switching
 * ones stop in the order of priority, as late as the ceiling allows where it is one of an average. Room is given back in
 * reverse order, and only on readings that show the effect of the last change. Pure.
 */
export function regulate(before: RegulatorState, seen: Seen, now: number): Step {
  const { meter, ceiling, hysteresisKw, patience } = seen
  const draft = createDraft(before, seen, now)
  const excess = excessNow(before, seen)
  if (!meter || excess === undefined) {
    return { state: { ...before, loads: draft.states }, isExhausted: false, movedKw: 0 }
  }
  const left = excess > 0 ? lower(draft, excess) : 0
  const gapSeconds = Math.min((meter.at - (before.readAt ?? meter.at)) / 1000, LONGEST_GAP_SECONDS)
  const outlook = {
    excessKw: left,
    atOnceKw: meter.kw + draft.movedKw - ceiling.peakKw,
    delaySeconds: REACTION_SECONDS + patience * gapSeconds,
  }
  const above = mustStop(draft, outlook) ? before.above + 1 : 0
  const room = -excess - hysteresisKw
  const unmet = above >= patience ? stop(draft, outlook) : 0
  if (above === 0) {
    const rest = resume(draft, room, outlook)
    if (rest > 0) raise(draft, rest)
  }
  keepOff(draft, room)
  const { movedKw } = draft
  const acted = movedKw === 0 ? before.acted : { at: now, expectedKw: meter.kw + Math.max(0, movedKw) }
  return {
    state: { loads: draft.states, above, readAt: meter.at, ...(acted && { acted }) },
    isExhausted: unmet > 0 && movedKw === 0,
    movedKw,
  }
}

/** Returns by how much the reading is above what is allowed; `undefined` while it may not show the last change. */
function excessNow({ acted }: RegulatorState, { meter, ceiling, hysteresisKw }: Seen) {
  if (!meter) return undefined
  const excess = meter.kw - ceiling.allowedKw
  if (!acted || (meter.at > acted.at && meter.at - acted.at >= REACTION_SECONDS * 1000)) return excess
  // What came on top of our own change is certain.
  const onTop = Math.min(meter.kw - acted.expectedKw, excess)
  return meter.at > acted.at && onTop > hysteresisKw ? onTop : undefined
}
