import type { Entry } from '../archive/archive.ts'

/** The maximum size of a run in the file, and of the inflated content of its deflated entries. */
const RUN_BYTES = 1 << 20
/** The maximum size of an entry, compressed or inflated, that is read as a whole. */
export const WHOLE_BYTES = 1 << 22

/** Unrelated bytes between two entries that are read too, because that is cheaper than another read. */
const WIDEST_GAP = 1 << 16

/** Entries that are read with one call: bytes `start` to `end` of the file. */
export interface Run {
  readonly entries: readonly Entry[]
  readonly start: number
  readonly end: number
}

/** True if an entry is too large for a run with others. It is read in chunks. */
export function isLarge({ compressedSize, size }: Entry): boolean {
  return compressedSize > WHOLE_BYTES || size > WHOLE_BYTES
}

/** Groups entries, in order of offset, into as few runs as the buffers allow. */
export function* runsOf(entries: readonly Entry[]): Generator<Run> {
  let run: OpenRun | undefined
  for (const entry of inOrderOfOffset(entries)) {
    if (run && joins(run, entry)) {
      add(run, entry)
      continue
    }
    if (run) yield run
    run = { entries: [], start: entry.offset, end: entry.offset, inflated: 0, isClosed: isLarge(entry) }
    add(run, entry)
  }
  if (run) yield run
}

interface OpenRun extends Run {
  entries: Entry[]
  end: number
  inflated: number
  isClosed: boolean
}

function joins(run: OpenRun, entry: Entry): boolean {
  return (
    !run.isClosed &&
    !isLarge(entry) &&
    entry.offset - run.end <= WIDEST_GAP &&
    endOf(entry) - run.start <= RUN_BYTES &&
    run.inflated + inflatedSize(entry) <= RUN_BYTES
  )
}

function add(run: OpenRun, entry: Entry): void {
  run.entries.push(entry)
  run.end = Math.max(run.end, endOf(entry))
  run.inflated += inflatedSize(entry)
}

const endOf = ({ offset, compressedSize }: Entry) => offset + compressedSize
const inflatedSize = ({ method, size }: Entry) => (method === 'deflated' ? size : 0)

export function inOrderOfOffset(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => a.offset - b.offset)
}
