import { askedAfter, doubtAsked } from './doubts.ts'
import { createDraft, type Draft, drain, lower, raise } from './draft.ts'
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
  const { ceiling, hysteresisKw, patience } = seen
  const draft = createDraft(before, seen, now)
  const { meter } = draft.seen
  const excess = excessNow(before, draft.seen)
  if (!meter || excess === undefined) {
    return { state: { ...before, loads: draft.states }, isExhausted: false, movedKw: 0 }
  }
  const isShown = showsEffect(before, meter)
  const isInDoubt = isShown && doubtAsked(draft, before.acted?.asked)
  const left = excess > 0 ? lower(draft, excess) : 0
  const gapSeconds = Math.min((meter.at - (before.readAt ?? meter.at)) / 1000, LONGEST_GAP_SECONDS)
  const outlook = {
    excessKw: left,
    atOnceKw: meter.kw + draft.movedKw - ceiling.peakKw,
    delaySeconds: REACTION_SECONDS + patience * gapSeconds,
  }
  // A load that does not follow was seen on two readings already.
  const above = mustStop(draft, outlook) ? (isInDoubt ? patience : before.above + 1) : 0
  const room = -excess - hysteresisKw
  const unstopped = above >= patience ? stop(draft, outlook) : 0
  const unmet = unstopped - drain(draft, Math.min(left, unstopped))
  if (above === 0) {
    const rest = resume(draft, room, outlook)
    if (rest > 0) raise(draft, rest)
  }
  keepOff(draft, room)
  const { movedKw } = draft
  const acted = movedKw === 0 ? settled(before, isShown) : actedNow(draft, before, meter.kw)
  return {
    state: { loads: draft.states, above, readAt: meter.at, ...(acted && { acted }) },
    isExhausted: unmet > 0 && Math.abs(movedKw) < hysteresisKw,
    movedKw,
  }
}

function actedNow(draft: Draft, { acted }: RegulatorState, meterKw: number): RegulatorState['acted'] {
  const asked = askedAfter(draft, acted?.asked)
  return { at: draft.now, expectedKw: meterKw + Math.max(0, draft.movedKw), ...(asked && { asked }) }
}

/** What loads were asked is judged once. */
function settled({ acted }: RegulatorState, isShown: boolean): RegulatorState['acted'] {
  return acted && isShown ? { at: acted.at, expectedKw: acted.expectedKw } : acted
}

/** Reports whether a reading shows what the last change did. */
const showsEffect = ({ acted }: RegulatorState, meter: { at: number }) =>
  acted === undefined || (meter.at > acted.at && meter.at - acted.at >= REACTION_SECONDS * 1000)

/** Returns by how much the reading is above what is allowed; `undefined` while it may not show the last change. */
function excessNow(before: RegulatorState, { meter, ceiling, hysteresisKw }: Seen) {
  if (!meter) return undefined
  const { acted } = before
  const excess = meter.kw - ceiling.allowedKw
  if (!acted || showsEffect(before, meter)) return excess
  // What came on top of our own change is certain.
  const onTop = Math.min(meter.kw - acted.expectedKw, excess)
  return meter.at > acted.at && onTop > hysteresisKw ? onTop : undefined
}
