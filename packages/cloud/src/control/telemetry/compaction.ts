import { type Db, inTransaction } from '../../platform/db/database.ts'
import { decodeBlock, encodeBlock } from './block.ts'
import { type Block, DAY_MS, readBlocks, writeBlocks } from './block-store.ts'
import { findOldestFrame, findOldFrames, listParts, lockGroup, takeFrames } from './compaction-store.ts'
import { encodeHours } from './hours.ts'
import { NO_VALUES, type Series, unite, without } from './series.ts'

/** Bounds the memory of a step: with 32 values each, some 10 MB. A day of one frame per second takes several steps. */
const MAX_FRAMES = 20_000
/** A part with more values gets no more of them. A day of one value per second fits into one. */
const MAX_PART_VALUES = 100_000
/** How many groups are looked up at a time. */
const PAGE = 500
/** Values that arrive this long after the end of their day need no second compaction. */
const SETTLED_MS = 2 * 3_600_000

interface CompactionOptions {
  now: number
  /** Aborted when the process stops. */
  signal?: AbortSignal
  maxFrames?: number
  maxPartValues?: number
}

/** Frames from before this time are compacted: days that ended two hours ago. */
export const compactedBefore = (now: number): number => Math.floor((now - SETTLED_MS) / DAY_MS) * DAY_MS

/**
 * Moves the frames of past days into blocks, one group and day per transaction. Several workers may do it at a time, and
 * it can end at any moment: what is not moved yet stays a frame. Resolves with the number of values moved.
 */
export async function compactMeasurements(db: Db, options: CompactionOptions): Promise<number> {
  const before = compactedBefore(options.now)
  let values = 0
  for (let after = 0; ; ) {
    const page = await findOldFrames(db, { after, before, limit: PAGE })
    for (const { groupId, oldest } of page) {
      after = groupId
      let next = oldest
      while (next !== null && !options.signal?.aborted) {
        const step = await compactStep(db, { groupId, day: Math.floor(next / DAY_MS), before }, options)
        values += step.values
        next = step.next
      }
    }
    if (page.length < PAGE || options.signal?.aborted) return values
  }
}

interface StepResult {
  values: number
  /** The time of the oldest frame that is left to compact. */
  next: number | null
}

/** Moves the frames of a group and day, or the first of them. */
function compactStep(
  db: Db,
  { groupId, day, before }: { groupId: number; day: number; before: number },
  { maxFrames = MAX_FRAMES, maxPartValues = MAX_PART_VALUES }: CompactionOptions,
): Promise<StepResult> {
  return inTransaction(db, async (tx) => {
    // Another worker has it: both would replace the same blocks.
    if (!(await lockGroup(tx, groupId))) return { values: 0, next: null }
    const taken = await takeFrames(tx, groupId, { from: day * DAY_MS, to: (day + 1) * DAY_MS, limit: maxFrames })
    const parts = await listParts(tx, groupId, day)
    const blocks: Block[] = []
    let values = 0
    for (const [slot, series] of taken) {
      const counts = parts.filter((part) => part.slot === slot).map(({ count }) => count)
      const block = await mergeBlock(tx, { groupId, slot, day }, series, { counts, maxPartValues })
      if (block) blocks.push(block)
      values += series.at.length
    }
    if (blocks.length > 0) await writeBlocks(tx, groupId, blocks)
    // From this day on: deleted frames before it would have to be passed again.
    return { values, next: await findOldestFrame(tx, groupId, { from: day * DAY_MS, to: before }) }
  })
}

/** Adds the new ones of these values to the last part of the day, or to a new part. Values that the day has count first. */
async function mergeBlock(
  tx: Db,
  { groupId, slot, day }: { groupId: number; slot: number; day: number },
  series: Series,
  { counts, maxPartValues }: { counts: readonly number[]; maxPartValues: number },
): Promise<Block | undefined> {
  let added = series
  let last = NO_VALUES
  for (const part of counts.keys()) {
    const [stored] = await readBlocks(tx, { groupId, slot }, [{ day, part }])
    if (!stored) continue
    last = decodeBlock(stored.data, day * DAY_MS)
    added = without(added, last)
  }
  if (added.at.length === 0) return undefined
  const isNew = counts.length === 0 || last.at.length + added.at.length > maxPartValues
  const merged = isNew ? added : unite(last, added)
  return {
    slot,
    day,
    part: isNew ? counts.length : counts.length - 1,
    count: merged.at.length,
    hours: encodeHours(merged, day * DAY_MS),
    data: encodeBlock(merged, day * DAY_MS),
  }
}
