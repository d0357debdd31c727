import { crc32 } from 'node:zlib'
import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { confirmContent } from './confirm.ts'
import { FRAME_BYTES, inflateAlone, inflateTogether, release } from './inflate.ts'

/** The maximum size of a run in the file, and of the inflated content of its deflated entries. */
const RUN_BYTES = 1 << 20
/** The maximum size of an entry, compressed or inflated, that is read as a whole. */
const WHOLE_BYTES = 1 << 22

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

export interface RunReader extends Disposable {
  /** Reads a run with one call and yields the content of its entries, each valid until the next is requested. */
  read(run: Run): Generator<{ entry: Entry; content: Uint8Array }>
}

export function createRunReader(source: ByteSource): RunReader {
  const buffer = Buffer.allocUnsafe(WHOLE_BYTES)
  let scratch = Buffer.allocUnsafe(WHOLE_BYTES + FRAME_BYTES)

  function* read({ entries, start, end }: Run) {
    source.read(buffer.subarray(0, end - start), start)
    const bytesOf = ({ offset, compressedSize }: Entry) =>
      buffer.subarray(offset - start, offset - start + compressedSize)

    const deflated = entries.filter(({ method, size }) => method === 'deflated' && size > 0)
    const needed = deflated.reduce((sum, { compressedSize }) => sum + compressedSize + FRAME_BYTES, 0)
    // The headers between entries are larger than our frames in a real archive, but the caller may pass any entries.
    if (needed > scratch.length) scratch = Buffer.allocUnsafe(needed)
    const together = deflated.length > 0 ? inflateTogether(deflated, bytesOf, scratch) : undefined

    let done = 0
    for (const entry of entries) {
      if (entry.method === 'stored') {
        yield { entry, content: confirmed(entry, bytesOf(entry)) }
      } else if (!together || entry.size === 0) {
        const content = inflateAlone(entry, bytesOf(entry))
        yield { entry, content }
        release(content)
      } else {
        yield { entry, content: together.subarray(done, done + entry.size) }
        done += entry.size
      }
    }
    if (together) release(together)
  }

  return {
    read,
    [Symbol.dispose]() {
      release(buffer)
      release(scratch)
    },
  }
}

function confirmed(entry: Entry, content: Uint8Array): Uint8Array {
  confirmContent(entry, content.length, crc32(content))
  return content
}
