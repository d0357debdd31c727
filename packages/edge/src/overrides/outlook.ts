import type { PlacedOverride, Hold as ShownHold } from '@plantroom/contract/control-state'
import type { ReportedValue } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Override } from '../store/override-store.ts'
import type { HeldDatapoint } from '../writing/arbiter.ts'
import { type Allowed, type Claim, highestClaim, setpointOf, writerOf } from '../writing/hold.ts'
import { items } from './sorted-tree.ts'
import type { Moment, StartedOverride, Timeline } from './timeline.ts'

/** The two clocks are not read at the same instant. A smaller difference is not a disagreement. */
const CLOCK_NOISE_MS = 1_000

/** What happens to the active override of a datapoint if none is placed or cancelled. */
export interface Outlook {
  active: Override
  /** Wall time at which it stops being active: it ends, or a later one starts. */
  until: number
  /** The override that is active then; `undefined` when there is none. */
  next: Override | undefined
}

/** Returns `undefined` where no override is active. Pure; the cost grows with the number of overrides. */
export function outlook(timeline: Timeline, now: Moment): Outlook | undefined {
  const { active } = timeline
  if (!active) return undefined
  const until = activeUntil(active, timeline, now)
  let next: Override | undefined
  for (const override of items(timeline.started)) if (endOf(override, now) > until) next = later(next, override)
  for (const override of items(timeline.queued)) {
    if (override.from > until) break
    if (override.to > until) next = later(next, override)
  }
  return { active, until, next }
}

/** Yields the overrides of a datapoint with their state: started ones in the order of acceptance, then queued ones. */
export function* overridesOf(
  timeline: Timeline,
): Generator<{ override: Override; state: PlacedOverride['state'] }, void> {
  for (const override of items(timeline.started)) {
    yield { override, state: override.id === timeline.active?.id ? 'active' : 'superseded' }
  }
  for (const override of items(timeline.queued)) yield { override, state: 'queued' }
}

function activeUntil(active: StartedOverride, timeline: Timeline, now: Moment): number {
  const end = endOf(active, now)
  // The queue is sorted by start.
  for (const { seq, from } of items(timeline.queued)) {
    if (from >= end) break
    if (seq > active.seq) return from
  }
  return end
}

/** Returns the end in wall time, even where the wall clock was set back and the monotonic clock ends it earlier. */
function endOf({ to, until }: StartedOverride, { wall, monotonic }: Moment): number {
  const runsOut = wall + (until - monotonic)
  return runsOut < to - CLOCK_NOISE_MS ? Math.round(runsOut) : to
}

const later = (a: Override | undefined, b: Override) => (a && a.seq > b.seq ? a : b)

/**
 * Describes a hold for people: which writer holds the datapoint at which value, until when, and what comes next. Pure.
 * `plain` is the plain value; `null` where it is unknown.
 */
export function describeHold(
  { datapointId, hold, state, ...held }: HeldDatapoint,
  { plain, outlook, ...allowed }: { plain: ReportedValue; outlook: Outlook | undefined } & Allowed,
): ShownHold {
  const { holder, claims } = hold
  const trouble = { trouble: held.trouble?.trouble ?? null, troubleReason: held.trouble?.reason ?? null }
  const atPlain = { by: 'plain', value: plain } as const
  const by = (claim: Claim | undefined) =>
    claim ? { by: writerOf(claim), value: setpointOf(claim, plain, allowed) } : atPlain
  const noOverride = { overrideId: null, until: null }
  if (!holder) return { datapointId, state, ...atPlain, ...noOverride, next: atPlain, beneath: atPlain, ...trouble }

  const { 'demand-response': _, ...local } = claims
  const beneath = by(highestClaim(local))
  if (holder.claim.by !== 'demand-response') {
    const { [holder.claim.by]: _, ...others } = local
    return {
      datapointId,
      state,
      ...by(holder.claim),
      ...noOverride,
      next: by(highestClaim(others)),
      beneath,
      ...trouble,
    }
  }
  const { next: later } = outlook ?? {}
  const next = later ? by({ by: 'demand-response', want: { value: later.value } }) : beneath
  const active = outlook ? { overrideId: outlook.active.id, until: formatTimestamp(outlook.until) } : noOverride
  return { datapointId, state, ...by(holder.claim), ...active, next, beneath, ...trouble }
}
