import type { Clock } from '@plantroom/base/clock'

/** So that a step of the wall clock is noticed. */
const LONGEST_WAIT_MS = 30_000
/** A moment of hard work must not cost a quarter of an hour its value; much later, the value is not of that time. */
const LATEST_MS = 5_000

/** Those of one interval, and the time that they are due for: unix time a whole multiple of the interval. */
export interface Due<Item> {
  at: number
  items: readonly Item[]
}

/** One timer for many things that each come again after whole seconds, all aligned to the wall clock. */
export interface AlignedTimer<Item> {
  /** From now on these and no others. */
  apply(items: Iterable<Item>): void
  close(): void
}

/** Times that a step of the clock has passed over are left out; those that come again after a step back come again. */
export function createAlignedTimer<Item>(deps: {
  clock: Clock
  /** 0 is never. */
  secondsOf(item: Item): number
  /** All that is due at this moment: once for each interval. */
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
