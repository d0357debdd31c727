import { items } from './sorted-tree.ts'
import type { Held, Moment, Open, Window } from './step.ts'

/** The two clocks are not read in the same instant: by less than this, they do not disagree. */
const CLOCK_NOISE_MS = 1_000

/** What becomes of the window that rules a datapoint, if nobody places or cancels anything. */
export interface Outlook {
  ruling: Window
  /** When it stops to rule, in wall time: it ends, or one that was accepted later has its time come. */
  until: number
  /** The window that rules then; `undefined` when there is none. */
  next: Window | undefined
}

/** `undefined` where no window rules. Pure; costs as much as there are overrides. */
export function outlook(held: Held, now: Moment): Outlook | undefined {
  const { ruling } = held
  if (!ruling) return undefined
  const until = lastsUntil(ruling, held, now)
  let next: Window | undefined
  for (const window of items(held.open)) if (endOf(window, now) > until) next = later(next, window)
  for (const window of items(held.queued)) {
    if (window.from > until) break
    if (window.to > until) next = later(next, window)
  }
  return { ruling, until, next }
}

/** The overrides of a datapoint and what each is at: in the order of acceptance, then those whose time has not come. */
export function* windowsOf(held: Held): Generator<{ window: Window; state: 'active' | 'superseded' | 'queued' }, void> {
  for (const window of items(held.open))
    yield { window, state: window.id === held.ruling?.id ? 'active' : 'superseded' }
  for (const window of items(held.queued)) yield { window, state: 'queued' }
}

function lastsUntil(ruling: Open, held: Held, now: Moment): number {
  const end = endOf(ruling, now)
  // The first to begin comes first.
  for (const { seq, from } of items(held.queued)) {
    if (from >= end) break
    if (seq > ruling.seq) return from
  }
  return end
}

/** By the wall clock, also where that was set back and the monotonic clock ends the window before its time. */
function endOf({ to, until }: Open, { wall, monotonic }: Moment): number {
  const runsOut = wall + (until - monotonic)
  return runsOut < to - CLOCK_NOISE_MS ? Math.round(runsOut) : to
}

const later = (a: Window | undefined, b: Window) => (a && a.seq > b.seq ? a : b)
