import type { Clock } from '@plantroom/base/clock'

/** Bounds the wait, so that a step of the wall clock is noticed. */
const LONGEST_WAIT_MS = 30_000
/** A busy device may be this late. Later than that, the value no longer belongs to that time. */
const LATEST_MS = 5_000

/** The items of one interval and the time they are due at, a whole multiple of the interval in unix time. */
export interface Due<Item> {
  at: number
  items: readonly Item[]
}

/** One timer for many items that recur at whole seconds, aligned to the wall clock. */
export interface AlignedTimer<Item> {
  /** Replaces the items. */
  apply(items: Iterable<Item>): void
  close(): void
}

/** Skips times that a clock step jumps over. Repeats times that occur again after the clock is set back. */
export function createAlignedTimer<Item>(deps: {
  clock: Clock
  /** Returns the interval in seconds; 0 for never. */
  secondsOf(item: Item): number
  /** Called with everything that is due now, one group per interval. */
  due(groups: readonly Due<Item>[]): void
}): AlignedTimer<Item> {
  const { clock, secondsOf, due } = deps
  const byInterval = new Map<number, Item[]>()
  let doneUpTo = clock.now()
  let cancel = () => {}

  function wake(): void {
    const now = clock.now()
    const groups: Due<Item>[] = []
    for (const [intervalMs, items] of byInterval) {
      const at = now - (now % intervalMs)
      if (at > doneUpTo && now - at <= LATEST_MS) groups.push({ at, items })
    }
    doneUpTo = now
    arm(now)
    if (groups.length > 0) due(groups)
  }

  function arm(now: number): void {
    cancel()
    if (byInterval.size === 0) return
    let wait = LONGEST_WAIT_MS
    for (const intervalMs of byInterval.keys()) wait = Math.min(wait, intervalMs - (now % intervalMs))
    cancel = clock.after(wait, wake)
  }

  return {
    apply(items) {
      if (byInterval.size === 0) doneUpTo = clock.now()
      byInterval.clear()
      for (const item of items) {
        const intervalMs = secondsOf(item) * 1000
        if (!(intervalMs > 0)) continue
        const group = byInterval.get(intervalMs)
        if (group) group.push(item)
        else byInterval.set(intervalMs, [item])
      }
      wake()
    },
    close() {
      byInterval.clear()
      cancel()
    },
  }
}
