import type { Placement } from '@plantroom/openadr/placements'
import { type PlacementTarget, targetKey } from '@plantroom/openadr/target'

/** A placement that was made and is still wanted as far as we know. */
export interface Placed {
  id: string
  key: string
  target: PlacementTarget
  value: number
  from: number
  to: number
  attempt: number
  /** `null`: nothing could be sent. */
  dispatchId: string | null
  /** When it was tried the last time. */
  triedAt: number
  /** What became of it at the controllers. */
  outcome: 'pending' | 'accepted' | 'refused' | 'unreached' | 'unplanned'
}

/** What to do about what was placed. */
export interface Difference {
  add: readonly Placement[]
  /** The same as before, under the key that it has by now. */
  keep: readonly { placed: Placed; placement: Placement }[]
  /** Placed again: it was refused or not reached. */
  retry: readonly { placed: Placed; placement: Placement }[]
  /** No longer wanted. With `replacedBy`, released when that placement is there. */
  end: readonly { placed: Placed; replacedBy: Placement | undefined }[]
  /** When one is to be tried again. */
  retryAt: number
}

/** A controller that rejects, or a site that cannot be limited, is tried again: it may have been commissioned since. */
const REFUSED_MS = 5 * 60_000
const UNPLANNED_MS = 60_000

/**
 * Compares what was placed with what is wanted. A placement that says the same is kept, whatever its event has become. What is
 * new replaces what it overlaps, which is released only then. Pure.
 */
export function differenceOf(all: readonly Placed[], wanted: readonly Placement[], now: number): Difference {
  const before = new Map(all.map((placed) => [contentOf(placed, now), placed]))
  const [add, keep, retry] = [[] as Placement[], [] as Kept[], [] as Kept[]]
  let retryAt = Number.POSITIVE_INFINITY
  const kept = new Set<Placed>()
  for (const placement of wanted) {
    const placed = before.get(contentOf(placement, now))
    if (!placed || kept.has(placed)) {
      add.push(placement)
      continue
    }
    kept.add(placed)
    const due = dueAgain(placed)
    if (due <= now) retry.push({ placed, placement })
    else keep.push({ placed, placement })
    if (due > now) retryAt = Math.min(retryAt, due)
  }
  const replacing = Map.groupBy(add, ({ target }) => targetKey(target))
  const end = all.flatMap((placed) => {
    if (kept.has(placed)) return []
    const replacedBy = replacing
      .get(targetKey(placed.target))
      ?.find(({ from, to }) => from < placed.to && placed.from < to)
    return [{ placed, replacedBy }]
  })
  return { add, keep, retry, end, retryAt }
}

type Kept = Difference['keep'][number]

/** Equal for what says the same from now on. */
const contentOf = ({ target, value, from, to }: Pick<Placement, 'target' | 'value' | 'from' | 'to'>, now: number) =>
  JSON.stringify([targetKey(target), value, from <= now ? 0 : from, to])

function dueAgain({ outcome, triedAt }: Placed): number {
  if (outcome === 'unreached') return triedAt
  if (outcome === 'refused') return triedAt + REFUSED_MS
  return outcome === 'unplanned' ? triedAt + UNPLANNED_MS : Number.POSITIVE_INFINITY
}
