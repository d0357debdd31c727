import type { Clock } from '@plantroom/base/clock'
import { dependsOnZone, intervalStart } from '@plantroom/contract/interval-start'

/** Bounds the wait, so that a step of the wall clock is noticed. */
const LONGEST_WAIT_MS = 30_000
/** A busy device may be this late. Later than that, a live value no longer belongs to that time. */
const LATEST_MS = 5_000

/** The items of one interval and the time they are due at, where an interval begins and the one before it ends. */
export interface Due<Item> {
  at: number
  items: readonly Item[]
}

/** One timer for many items that recur at whole seconds, aligned to the wall clock of their site. */
export interface AlignedTimer<Item> {
  /** Replaces the items. */
  apply(items: Iterable<Item>): void
  close(): void
}

interface Group<Item> {
  intervalMs: number
  timeZone: string
  items: Item[]
}

/** Skips times that a clock step jumps over. Repeats times that occur again after the clock is set back. */
export function createAlignedTimer<Item>(deps: {
  clock: Clock
  /** Returns the interval in seconds; 0 for never. */
  secondsOf(item: Item): number
  /** Returns the time zone whose clock the item is aligned to; UTC by default. */
  timeZoneOf?(item: Item): string
  /** How late an item may be due before it is skipped. */
  latestMs?: number
  /** Called with everything that is due now, one group per interval. */
  due(groups: readonly Due<Item>[]): void
}): AlignedTimer<Item> {
  const { clock, secondsOf, timeZoneOf = () => 'UTC', latestMs = LATEST_MS, due } = deps
  const groups = new Map<string, Group<Item>>()
  let doneUpTo = clock.now()
  let cancel = () => {}

  function wake(): void {
    const now = clock.now()
    const found: Due<Item>[] = []
    let wait = LONGEST_WAIT_MS
    for (const { intervalMs, timeZone, items } of groups.values()) {
      const at = intervalStart(now, intervalMs, timeZone)
      if (at > doneUpTo && now - at <= latestMs) found.push({ at, items })
      // From the middle of the next interval, because this one is longer or shorter when the site's clock changes.
      const next = intervalStart(at + 1.5 * intervalMs, intervalMs, timeZone)
      if (next > now) wait = Math.min(wait, next - now)
    }
    doneUpTo = now
    cancel()
    if (groups.size > 0) cancel = clock.after(wait, wake)
    if (found.length > 0) due(found)
  }

  return {
    apply(items) {
      if (groups.size === 0) doneUpTo = clock.now()
      groups.clear()
      for (const item of items) {
        const intervalMs = secondsOf(item) * 1000
        if (!(intervalMs > 0)) continue
        const timeZone = dependsOnZone(intervalMs) ? timeZoneOf(item) : 'UTC'
        const key = `${intervalMs} ${timeZone}`
        const group = groups.get(key)
        if (group) group.items.push(item)
        else groups.set(key, { intervalMs, timeZone, items: [item] })
      }
      wake()
    },
    close() {
      groups.clear()
      cancel()
    },
  }
}
