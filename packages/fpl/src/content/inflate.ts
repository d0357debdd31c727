import { crc32, gunzipSync, type InflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib'
import type { Entry } from '../archive/archive.ts'
import { confirmContent, confirmStreamEnd, refusalOfInflating } from './confirm.ts'

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const GZIP_MAGIC = GZIP_HEADER.subarray(0, 3)
const GZIP_TRAILER_BYTES = 8

/** The bytes `inflateTogether` needs in `scratch` per entry, in addition to its compressed data. */
export const FRAME_BYTES = GZIP_HEADER.length + GZIP_TRAILER_BYTES

/** Returns the content of a deflated entry. Throws `PackageRefused` unless it matches the entry's headers. */
export function inflateAlone(entry: Entry, compressed: Uint8Array): Uint8Array {
  const { content, consumed } = inflateOrRefuse(entry, compressed)
  confirmStreamEnd(entry, consumed)
  confirmContent(entry, content.length, crc32(content))
  return content
}

/**
 * Inflates several non-empty entries into one buffer, one after the other. Returns undefined if it cannot vouch for
 * each of them; the caller then inflates them one by one. Setting up an inflater costs as much as inflating a few
 * kilobytes, so this one handles them all: with a header and a trailer around each, the entries form the members of one
 * gzip file, and zlib verifies the checksum and size of each.
 */
export function inflateTogether(
  entries: readonly Entry[],
  compressedOf: (entry: Entry) => Uint8Array,
  scratch: Buffer,
): Uint8Array | undefined {
  let [end, size] = [0, 0]
  for (const entry of entries) {
    scratch.set(GZIP_HEADER, end)
    end += GZIP_HEADER.length
    scratch.set(compressedOf(entry), end)
    end += entry.compressedSize
    scratch.writeUInt32LE(entry.crc32, end)
    scratch.writeUInt32LE(entry.size, end + 4)
    end += GZIP_TRAILER_BYTES
    size += entry.size
  }
  const members = scratch.subarray(0, end)
  // A hostile entry could contain gzip members or extend into the next entry. If the only magic bytes are ours, every
  // member ends right before one of our headers, at a trailer with the size of that entry. An entry that another one
  // has swallowed then has no member for its trailer, and the sum of sizes is too small.
  if (!hasOnlyOurHeaders(members, entries)) return undefined
  try {
    const { content, consumed } = inflateUpTo(size, gunzipSync, members)
    return consumed === end && content.length === size ? content : undefined
  } catch {
    return undefined
  }
}

/** Frees the memory of a content immediately. Left to the garbage collector, memory grew by 60 MB per thread. */
export function release(content: Uint8Array): void {
  if (content.buffer instanceof ArrayBuffer) content.buffer.transfer(0)
}

function hasOnlyOurHeaders(members: Buffer, entries: readonly Entry[]): boolean {
  let [header, from] = [0, 0]
  for (const { compressedSize } of entries) {
    if (members.indexOf(GZIP_MAGIC, from) !== header) return false
    from = header + 1
    header += compressedSize + FRAME_BYTES
  }
  return members.indexOf(GZIP_MAGIC, from) === -1
}

function inflateOrRefuse(entry: Entry, compressed: Uint8Array): Inflated {
  try {
    return inflateUpTo(entry.size, inflateRawSync, compressed)
  } catch (error) {
    throw refusalOfInflating(entry, error)
  }
}

interface Inflated {
  content: Uint8Array
  /** Input bytes up to the end of the stream. */
  consumed: number
}

/** `Buffer` allocates smaller sizes from a shared pool, which cannot be released. */
const SMALLEST_CHUNK = 1 << 16

/** Inflates and stops at the first byte past `size`. */
function inflateUpTo(
  size: number,
  inflate: (input: Uint8Array, options: ZlibOptions) => unknown,
  input: Uint8Array,
): Inflated {
  // One extra byte of room lets zlib detect the end without a second chunk, so the output is never concatenated.
  const options = { info: true, chunkSize: Math.max(size + 1, SMALLEST_CHUNK), maxOutputLength: Math.max(size, 1) }
  // With `info` the function returns this shape, although its type says otherwise.
  const { buffer, engine } = inflate(input, options) as { buffer: Uint8Array; engine: InflateRaw }
  return { content: buffer, consumed: engine.bytesWritten }
}
