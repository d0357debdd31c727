import type { Clock } from './clock.ts'

/** What took long because something failed must not wait as long again. */
const LONGEST_REST_MS = 1_000

/** How much work runs and waits. A bound that is left out does not exist. */
export interface FairQueueLimits {
  /** Works that run at once, of all groups. */
  atOnce?: number
  atOncePerGroup?: number | ((group: string) => number)
  /** Works that wait, of all groups. When they are that many, the group with the most gives way to one with fewer. */
  waiting?: number
  waitingPerGroup: number
  /** With a clock, a place of a group rests after a work for as long as the work took: half of the time is the others'. */
  rest?: Clock
}

/** Why work was refused: its group has too much waiting, or all groups together have. */
export type Full = 'group' | 'all'

/** Work of several groups, which are served in turn, so that the long queue of one group does not delay the others. */
export interface FairQueue {
  /** Reports whether work of this group would run at once. */
  hasPlace(group: string): boolean
  /**
   * Runs `work` when it is the turn of its group; within a group, in the order of arrival. Rejects without running it when
   * there is no room to wait, or when `signal` is aborted while it waits.
   */
  run<Result>(group: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

interface Waiter {
  start(): void
  reject(reason: unknown): void
}

interface Group {
  name: string
  running: number
  waiting: Waiter[]
}

/** `refuse` makes the error of work that has no room to wait. A group without work takes no memory. */
export function createFairQueue(limits: FairQueueLimits, refuse: (full: Full) => Error): FairQueue {
  const { atOnce = Infinity, atOncePerGroup = Infinity, waiting: maxWaiting = Infinity } = limits
  const { waitingPerGroup, rest } = limits
  const groups = new Map<string, Group>()
  /** The groups whose next work may start as soon as there is room for it, the next one first. */
  const turns = new Set<Group>()
  let running = 0
  let waiting = 0

  const mostOf = typeof atOncePerGroup === 'function' ? atOncePerGroup : () => atOncePerGroup
  const mayStart = (group: Group) => group.running < mostOf(group.name)

  function startNext(): void {
    for (const group of turns) {
      if (running >= atOnce) return
      turns.delete(group)
      const next = group.waiting.shift()
      if (!next) continue
      waiting -= 1
      running += 1
      group.running += 1
      // To the end of the queue: the other groups come first.
      if (group.waiting.length > 0 && mayStart(group)) turns.add(group)
      next.start()
    }
  }

  async function perform<Result>(group: Group, work: () => Promise<Result>): Promise<Result> {
    const begun = rest?.monotonic() ?? 0
    try {
      return await work()
    } finally {
      running -= 1
      if (rest) rest.after(Math.min(rest.monotonic() - begun, LONGEST_REST_MS), () => leave(group))
      else leave(group)
      startNext()
    }
  }

  function leave(group: Group): void {
    group.running -= 1
    if (group.waiting.length > 0) turns.add(group)
    forgetIfEmpty(group)
    startNext()
  }

  function forgetIfEmpty(group: Group): void {
    if (group.running === 0 && group.waiting.length === 0) {
      groups.delete(group.name)
      turns.delete(group)
    }
  }

  /** Makes room for one more of this group, or returns why there is none. */
  function makeRoom(group: Group): Full | undefined {
    if (group.waiting.length >= waitingPerGroup) return 'group'
    if (waiting < maxWaiting) return undefined
    let longest = group
    for (const other of groups.values()) if (other.waiting.length > longest.waiting.length) longest = other
    if (longest.waiting.length <= group.waiting.length + 1) return 'all'
    waiting -= 1
    longest.waiting.pop()?.reject(refuse('all'))
    return undefined
  }

  function wait(group: Group, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { start: leave(resolve), reject: leave(reject) }
      function leave<Value>(settle: (value: Value) => void) {
        return (value: Value) => {
          signal?.removeEventListener('abort', abort)
          settle(value)
        }
      }
      function abort(): void {
        const place = group.waiting.indexOf(waiter)
        if (place < 0) return
        group.waiting.splice(place, 1)
        waiting -= 1
        if (group.waiting.length === 0) turns.delete(group)
        forgetIfEmpty(group)
        waiter.reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      group.waiting.push(waiter)
      waiting += 1
      if (mayStart(group)) turns.add(group)
    })
  }

  const groupOf = (name: string): Group => groups.get(name) ?? { name, running: 0, waiting: [] }
  const hasPlace = (group: Group) => running < atOnce && mayStart(group) && group.waiting.length === 0

  return {
    hasPlace: (name) => hasPlace(groupOf(name)),
    run(name, work, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      const group = groupOf(name)
      if (hasPlace(group)) {
        groups.set(name, group)
        running += 1
        group.running += 1
        return perform(group, work)
      }
      const full = makeRoom(group)
      if (full) return Promise.reject(refuse(full))
      groups.set(name, group)
      // `then`, not a call from the work that ended: the log lines of the work belong to its own request.
      return wait(group, signal).then(() => perform(group, work))
    },
  }
}
