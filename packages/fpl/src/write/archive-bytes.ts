import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { dataDescriptor, directoryRecord, endRecords, localHeader, type WrittenEntry } from './records.ts'
import { createTally, type Tally } from './tally.ts'

/** One file of a package. Its length is known only after reading it. */
export interface FileToWrite {
  readonly path: string
  readonly content: Chunks
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
type Written = Omit<WrittenEntry, 'name' | 'offset'>

// Deflate also gets its input in blocks of this size, so its output does not depend on the chunks of the source.
const BLOCK = 65_536
const OUTPUT_BLOCK = 262_144
/** How much the source may be ahead of deflate, which runs in a thread of its own. */
const AHEAD = 4 * BLOCK
// Photos, videos and office files gain less than this from compression. They are stored, which also reads faster.
const WORTHWHILE = 0.9

/** Returns the bytes of an archive in blocks. Requests files one at a time, as the blocks are consumed. */
export function archiveBytes(files: AsyncIterable<FileToWrite>): AsyncGenerator<Uint8Array, void> {
  return inBlocks(archiveParts(files), OUTPUT_BLOCK)
}

async function* archiveParts(files: AsyncIterable<FileToWrite>): AsyncGenerator<Uint8Array, void> {
  const tally = createTally()
  const directory: Buffer[] = []
  for await (const file of files) {
    const name = tally.open(file.path)
    const offset = tally.position()
    const written = yield* filePart(name, file.content, tally)
    const record = directoryRecord({ ...written, name, offset })
    tally.directory(record.length)
    directory.push(record)
  }
  const size = tally.close()
  yield* directory
  yield endRecords({ entries: directory.length, size, offset: tally.position() })
}

async function* filePart(name: Uint8Array, content: Chunks, tally: Tally): AsyncGenerator<Uint8Array, Written> {
  const blocks = counted(inBlocks(content, BLOCK), tally)
  try {
    const first = await blocks.next()
    const head = first.value ?? new Uint8Array()
    const trial = deflateRawSync(head)
    const method = trial.length < head.length * WORTHWHILE ? 'deflated' : 'stored'
    const second = await blocks.next()
    if (!second.done) return yield* longFilePart(name, method, joined([head, second.value], blocks), tally)

    const data = method === 'deflated' ? trial : head
    const sizes = { crc32: crc32(head), compressedSize: data.length, size: head.length }
    const entry = { method, described: false, ...sizes } as const
    yield tally.written(localHeader({ ...entry, name }))
    yield tally.written(data)
    return entry
  } finally {
    // Close the source even if the consumer stops in the middle of a file.
    await blocks.return(undefined)
  }
}

async function* longFilePart(
  name: Uint8Array,
  method: 'stored' | 'deflated',
  content: AsyncIterable<Uint8Array>,
  tally: Tally,
): AsyncGenerator<Uint8Array, Written> {
  const sums = { crc32: 0, compressedSize: 0, size: 0 }
  async function* summed() {
    for await (const chunk of content) {
      sums.crc32 = crc32(chunk, sums.crc32)
      sums.size += chunk.length
      yield chunk
    }
  }

  yield tally.written(localHeader({ name, method, described: true, ...sums }))
  for await (const chunk of method === 'deflated' ? deflated(summed()) : summed()) {
    sums.compressedSize += chunk.length
    yield tally.written(chunk)
  }
  const entry = { method, described: true, ...sums }
  yield tally.written(dataDescriptor({ name, ...entry }))
  return entry
}

// An error of the source surfaces in the iteration, so the callback has nothing to do.
function deflated(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Every stream takes `highWaterMark`, although the types of zlib do not list it.
  return pipeline(content, createDeflateRaw({ chunkSize: BLOCK, ...{ highWaterMark: AHEAD } }), () => {})
}

async function* counted(blocks: AsyncIterable<Uint8Array>, tally: Tally): AsyncGenerator<Uint8Array, undefined> {
  for await (const block of blocks) yield tally.content(block)
}

async function* joined(read: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* read
  yield* rest
}

/** Regroups bytes into blocks of `size`, each in a new buffer, because a source may reuse its own. */
async function* inBlocks(chunks: Chunks, size: number): AsyncGenerator<Uint8Array, void> {
  let block = new Uint8Array()
  let filled = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const piece = chunk.subarray(start, start + size - filled)
      start += piece.length
      block = withRoom(block, filled + piece.length, size)
      block.set(piece, filled)
      filled += piece.length
      if (filled === size) {
        yield block
        block = new Uint8Array()
        filled = 0
      }
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

// Most attachments are far smaller than a block.
function withRoom(block: Uint8Array<ArrayBuffer>, needed: number, most: number): Uint8Array<ArrayBuffer> {
  if (needed <= block.length) return block
  const larger = new Uint8Array(Math.min(2 * needed, most))
  larger.set(block)
  return larger
}
