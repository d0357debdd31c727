import type { Override } from '../store/override-store.ts'
import { first, insert, last, type Order, remove, type Tree } from './sorted-tree.ts'

/** Wall time may be stepped in either direction; monotonic time only grows. */
export interface Moment {
  wall: number
  monotonic: number
}

/** A window that has started. `until` is the monotonic time at which it ends even if the wall clock is set back. */
interface StartedWindow {
  to: number
  until: number
}
export interface StartedOverride extends Override, StartedWindow {}

/** Returns when a window that starts now ends by the monotonic clock. */
export const runsOutAt = (to: number, now: Moment) => now.monotonic + (to - now.wall)

/** Reports whether a window is over by either clock. */
export const isOver = ({ to, until }: StartedWindow, now: Moment) => to <= now.wall || until <= now.monotonic

/** The overrides on one datapoint. Immutable. */
export interface Timeline {
  queued: Tree<Override>
  /** The same overrides three times: by acceptance, and by the two times at which each may end. */
  started: Tree<StartedOverride>
  byTo: Tree<StartedOverride>
  byUntil: Tree<StartedOverride>
  /** The started override that was accepted last. */
  active: StartedOverride | undefined
}

export type Effect = { kind: 'discard' | 'release' | 'apply'; override: Override }

export const EMPTY_TIMELINE: Timeline = {
  queued: undefined,
  started: undefined,
  byTo: undefined,
  byUntil: undefined,
  active: undefined,
}

const bySeq: Order<Override> = (a, b) => a.seq - b.seq
const byFrom: Order<Override> = (a, b) => a.from - b.from || a.seq - b.seq
const byTo: Order<Override> = (a, b) => a.to - b.to || a.seq - b.seq
const byUntil: Order<StartedOverride> = (a, b) => a.until - b.until || a.seq - b.seq

/** Adds an override to the queue. `step` starts it when its time comes. */
export function place(timeline: Timeline, override: Override): Timeline {
  return { ...timeline, queued: insert(timeline.queued, override, byFrom) }
}

/** Removes an override, queued or started. The next `step` finds the one that becomes active instead. */
export function withdraw(timeline: Timeline, override: Override): Timeline {
  const queued = remove(timeline.queued, override, byFrom)
  if (queued !== timeline.queued) return { ...timeline, queued }
  const started = find(timeline.started, override)
  return started ? end(timeline, started) : timeline
}

/** Starts and ends overrides by the time. Pure: the caller saves `timeline`, then carries out the effects. Safe to repeat. */
export function step(timeline: Timeline, now: Moment): { timeline: Timeline; effects: Effect[] } {
  const effects: Effect[] = []
  let next = timeline

  for (let due = first(next.queued); due && due.from <= now.wall; due = first(next.queued)) {
    next = start(next, due, now)
  }
  for (let ended = endedBy(next, now); ended; ended = endedBy(next, now)) {
    next = end(next, ended)
    effects.push({ kind: 'discard', override: ended })
  }

  const active = last(next.started)
  if (active?.id !== timeline.active?.id) {
    if (timeline.active) effects.push({ kind: 'release', override: timeline.active })
    if (active) effects.push({ kind: 'apply', override: active })
  }
  return { timeline: { ...next, active }, effects }
}

/** Returns in how many milliseconds `step` may have something to do; `undefined` when nothing is pending. */
export function nextWake(timeline: Timeline, now: Moment): number | undefined {
  const starts = first(timeline.queued)
  const ends = first(timeline.byTo)
  const runsOut = first(timeline.byUntil)
  const waits = [
    starts && starts.from - now.wall,
    ends && ends.to - now.wall,
    runsOut && runsOut.until - now.monotonic,
  ].filter((wait) => wait !== undefined)
  return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits))
}

export const isEmpty = (timeline: Timeline) => !timeline.queued && !timeline.started

function start(timeline: Timeline, override: Override, now: Moment): Timeline {
  const started = { ...override, until: runsOutAt(override.to, now) }
  return {
    ...timeline,
    queued: remove(timeline.queued, override, byFrom),
    started: insert(timeline.started, started, bySeq),
    byTo: insert(timeline.byTo, started, byTo),
    byUntil: insert(timeline.byUntil, started, byUntil),
  }
}

function end(timeline: Timeline, override: StartedOverride): Timeline {
  return {
    ...timeline,
    started: remove(timeline.started, override, bySeq),
    byTo: remove(timeline.byTo, override, byTo),
    byUntil: remove(timeline.byUntil, override, byUntil),
  }
}

function endedBy(timeline: Timeline, now: Moment): StartedOverride | undefined {
  return [first(timeline.byTo), first(timeline.byUntil)].find((one) => one && isOver(one, now))
}

function find(tree: Tree<StartedOverride>, { seq }: Override): StartedOverride | undefined {
  let node = tree
  while (node && node.item.seq !== seq) node = seq < node.item.seq ? node.left : node.right
  return node?.item
}
