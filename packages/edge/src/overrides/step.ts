import { first, insert, last, type Order, remove, type Tree } from './sorted-tree.ts'

/** A setpoint with its bounds, `from` inclusive and `to` exclusive. `seq` grows in the order of acceptance. */
export interface Window {
  id: string
  seq: number
  datapointId: string
  value: number
  from: number
  to: number
  reqId: string
  /** Whoever asked for it. Nothing is decided by it. */
  placedBy: string
}

/** Wall time may be stepped in either direction, monotonic time only grows. */
export interface Moment {
  wall: number
  monotonic: number
}

/** A window whose time has come: `until` is the monotonic time at which it ends even if the wall clock was set back. */
export interface Open extends Window {
  until: number
}

/** The windows held on one datapoint. */
export interface Held {
  queued: Tree<Window>
  /** The same windows three times: by acceptance, by the two times at which they may end. */
  open: Tree<Open>
  byTo: Tree<Open>
  byUntil: Tree<Open>
  /** Of those that cover now, the one accepted last. */
  ruling: Open | undefined
}

export type Effect = { kind: 'discard'; window: Window } | { kind: 'release' | 'apply'; window: Window }

export const NOTHING_HELD: Held = {
  queued: undefined,
  open: undefined,
  byTo: undefined,
  byUntil: undefined,
  ruling: undefined,
}

const bySeq: Order<Window> = (a, b) => a.seq - b.seq
const byFrom: Order<Window> = (a, b) => a.from - b.from || a.seq - b.seq
const byTo: Order<Window> = (a, b) => a.to - b.to || a.seq - b.seq
const byUntil: Order<Open> = (a, b) => a.until - b.until || a.seq - b.seq

/** With one more window, which `step` puts in force when its time has come. */
export function place(held: Held, window: Window): Held {
  return { ...held, queued: insert(held.queued, window, byFrom) }
}

/** Without this window, wherever it stood. The next `step` finds the one that rules instead. */
export function withdraw(held: Held, window: Window): Held {
  const queued = remove(held.queued, window, byFrom)
  if (queued !== held.queued) return { ...held, queued }
  const open = find(held.open, window)
  return open ? close(held, open) : held
}

/** One look at the time. Pure: the caller saves `held`, then carries out the effects. Safe to repeat. */
export function step(held: Held, now: Moment): { held: Held; effects: Effect[] } {
  const effects: Effect[] = []
  let next = held

  for (let begun = first(next.queued); begun && begun.from <= now.wall; begun = first(next.queued)) {
    next = open(next, begun, now)
  }
  for (let ended = endedBy(next, now); ended; ended = endedBy(next, now)) {
    next = close(next, ended)
    effects.push({ kind: 'discard', window: ended })
  }

  const ruling = last(next.open)
  if (ruling?.id !== held.ruling?.id) {
    if (held.ruling) effects.push({ kind: 'release', window: held.ruling })
    if (ruling) effects.push({ kind: 'apply', window: ruling })
  }
  return { held: { ...next, ruling }, effects }
}

/** In how many milliseconds `step` may have something to do; `undefined` when there is nothing to wait for. */
export function nextWake(held: Held, now: Moment): number | undefined {
  const begins = first(held.queued)
  const ends = first(held.byTo)
  const runsOut = first(held.byUntil)
  const waits = [
    begins && begins.from - now.wall,
    ends && ends.to - now.wall,
    runsOut && runsOut.until - now.monotonic,
  ].filter((wait) => wait !== undefined)
  return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits))
}

export const isEmpty = (held: Held) => !held.queued && !held.open

function open(held: Held, window: Window, now: Moment): Held {
  const opened = { ...window, until: now.monotonic + (window.to - now.wall) }
  return {
    ...held,
    queued: remove(held.queued, window, byFrom),
    open: insert(held.open, opened, bySeq),
    byTo: insert(held.byTo, opened, byTo),
    byUntil: insert(held.byUntil, opened, byUntil),
  }
}

function close(held: Held, window: Open): Held {
  return {
    ...held,
    open: remove(held.open, window, bySeq),
    byTo: remove(held.byTo, window, byTo),
    byUntil: remove(held.byUntil, window, byUntil),
  }
}

function endedBy(held: Held, now: Moment): Open | undefined {
  const ended = first(held.byTo)
  if (ended && ended.to <= now.wall) return ended
  const ranOut = first(held.byUntil)
  return ranOut && ranOut.until <= now.monotonic ? ranOut : undefined
}

function find(tree: Tree<Open>, window: Window): Open | undefined {
  let node = tree
  while (node && node.item.seq !== window.seq) node = window.seq < node.item.seq ? node.left : node.right
  return node?.item
}
