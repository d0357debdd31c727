import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { confirmContent, confirmStreamEnd, contentTooLong, refusalOfInflating } from './confirm.ts'
import type { EntryVisitor } from './entry-visitor.ts'
import { release } from './inflate.ts'

const READ_BYTES = 1 << 18
/** Fewer, larger chunks: each costs a turn of the event loop and one of the inflating thread. */
const INFLATED_BYTES = 1 << 20

/** Reads one entry in chunks, in about 4 MB of memory whatever its size. Throws like `readEntries`. */
export async function readLarge(
  source: ByteSource,
  entry: Entry,
  visit: EntryVisitor,
  signal?: AbortSignal,
): Promise<void> {
  if (entry.method === 'stored') await readStored(source, entry, visit, signal)
  else await readDeflated(source, entry, visit, signal)
}

async function readStored(source: ByteSource, entry: Entry, visit: EntryVisitor, signal?: AbortSignal): Promise<void> {
  const { offset, compressedSize } = entry
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let crc = 0
  for (let done = 0; done < compressedSize; ) {
    signal?.throwIfAborted()
    const chunk = buffer.subarray(0, Math.min(READ_BYTES, compressedSize - done))
    source.read(chunk, offset + done)
    crc = crc32(chunk, crc)
    done += chunk.length
    const isLast = done === compressedSize
    if (isLast) confirmContent(entry, done, crc)
    await visit(entry, chunk, isLast)
    await turnOfOthers()
  }
}

async function readDeflated(
  source: ByteSource,
  entry: Entry,
  visit: EntryVisitor,
  signal?: AbortSignal,
): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: INFLATED_BYTES })
  let [size, crc] = [0, 0]
  // Hold back one chunk: the last one is known to be right only after the stream has ended.
  let held: Uint8Array = new Uint8Array(0)
  const take = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > entry.size) throw contentTooLong(entry)
      crc = crc32(chunk, crc)
      if (held.length > 0) await visit(entry, held, false)
      // The inflater fills one buffer after another, each with several chunks.
      if (held.buffer !== chunk.buffer) release(held)
      held = chunk
    }
  }
  try {
    await pipeline(compressedChunks(source, entry), inflate, take, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw refusalOfInflating(entry, error)
  }
  confirmStreamEnd(entry, inflate.bytesWritten)
  confirmContent(entry, size, crc)
  await visit(entry, held, true)
}

function* compressedChunks(source: ByteSource, { offset, compressedSize }: Entry): Generator<Uint8Array> {
  // One buffer is enough: a chunk exceeds the inflater's high-water mark, so it asks for the next one only after it has
  // consumed this one.
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  for (let done = 0; done < compressedSize; ) {
    const chunk = buffer.subarray(0, Math.min(READ_BYTES, compressedSize - done))
    source.read(chunk, offset + done)
    done += chunk.length
    yield chunk
  }
}

/** Yields to the event loop. Reading is synchronous, so nothing could abort it otherwise. */
export function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
