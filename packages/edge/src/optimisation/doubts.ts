import type { Draft } from './draft.ts'
import type { Asked } from './regulator-state.ts'

/** For how long nothing is planned with a load that did not follow. */
const DOUBT_MS = 1_800_000
/** A load follows when the meter falls by this part of what was asked of it. Everything else may have risen meanwhile. */
const LEAST_PART = 0.25
/** What is asked must be this many times the room for noise, so that the meter can show it. */
const NOTICEABLE = 8

/** Returns what was asked of loads that supply, and has not been judged yet; `undefined` after a step without that. */
export function askedAfter({ asked, seen }: Draft, before: Asked | undefined): Asked | undefined {
  if (asked.kw <= 0) return undefined
  const fromKw = before?.fromKw ?? seen.meter?.kw ?? 0
  return { ids: new Set([...(before?.ids ?? []), ...asked.ids]), kw: asked.kw + (before?.kw ?? 0), fromKw }
}

/**
 * Doubts loads that were asked to supply more without an effect on the meter: a storage that is empty, or refuses. They are
 * still asked, and others move as if they were not there. Returns whether there are any.
 */
export function doubtAsked({ states, seen, now }: Draft, asked: Asked | undefined): boolean {
  const { meter, hysteresisKw } = seen
  if (!meter || !asked || asked.kw < NOTICEABLE * hysteresisKw) return false
  if (asked.fromKw - meter.kw >= LEAST_PART * asked.kw) return false
  for (const id of asked.ids) {
    const state = states.get(id)
    if (state) states.set(id, { ...state, doubtedUntil: now + DOUBT_MS })
  }
  return true
}
