import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { confirmContent, confirmStreamEnd, contentTooLong, refusalOfInflating } from './confirm.ts'
import { release } from './inflate.ts'
import { createRunReader, isLarge, runsOf } from './runs.ts'

/**
 * Receives the content of an entry: a small one as a whole, a large one in chunks, an empty one as zero bytes. `bytes`
 * are valid until the call returns or its promise settles; reading waits for that. `isLast` is true only after the
 * size, checksum and end of data were verified: earlier chunks are unverified.
 */
export type EntryVisitor = (entry: Entry, bytes: Uint8Array, isLast: boolean) => void | Promise<void>

/**
 * Passes the content of a verified archive's entries to `visit`, in order of offset, and verifies each: its size, its
 * checksum, and where its compressed data ends. Throws `PackageRefused` at the first mismatch, or the abort reason of
 * `signal`. Uses about 12 MB of memory for any entries.
 */
export async function readEntries(
  source: ByteSource,
  entries: readonly Entry[],
  visit: EntryVisitor,
  signal?: AbortSignal,
): Promise<void> {
  using reader = createRunReader(source)
  for (const run of runsOf(entries)) {
    signal?.throwIfAborted()
    const [first] = run.entries
    if (first && isLarge(first)) {
      await readLarge(source, first, visit, signal)
      continue
    }
    for (const { entry, content } of reader.read(run)) {
      const pending = visit(entry, content, true)
      // Awaiting every one of 50,000 entries would take a noticeable part of the total time.
      if (pending) await pending
    }
    await yieldToEventLoop()
  }
}

const READ_BYTES = 1 << 18
/** Fewer, larger chunks: each costs a turn of the event loop and one of the inflating thread. */
const INFLATED_BYTES = 1 << 20

/** Reads one entry in chunks, in about 4 MB of memory whatever its size. Throws like `readEntries`. */
async function readLarge(source: ByteSource, entry: Entry, visit: EntryVisitor, signal?: AbortSignal): Promise<void> {
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
    await yieldToEventLoop()
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
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
