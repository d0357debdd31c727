import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { SourceError } from '../source.ts'

/** How the bytes of a text file become characters. */
export interface Encoding {
  /** As in the WHATWG encoding standard. */
  readonly name: string
  /** True if neither the file nor a person says it. */
  readonly isAssumed: boolean
}

const CHUNK_BYTES = 1 << 18
const BOMS: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Finds the encoding of a file: from its mark, by trying UTF-8, or from the letters of old code pages. */
export async function detectEncoding(path: string): Promise<Encoding> {
  let rest: Uint8Array = new Uint8Array()
  let isFirst = true
  for await (const chunk of chunksOf(path)) {
    if (isFirst) {
      isFirst = false
      const marked = BOMS.find(([, bom]) => bom.every((byte, index) => chunk[index] === byte))
      if (marked && marked[0] !== 'utf-8') return { name: marked[0], isAssumed: false }
      const unmarked = marked ? undefined : unmarkedUtf16(chunk)
      if (unmarked) return { name: unmarked, isAssumed: true }
    }
    const bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.length - openBytes(bytes)
    if (!isUtf8(bytes.subarray(0, end))) return codePageOf(path)
    rest = Buffer.from(bytes.subarray(end))
  }
  return rest.length > 0 ? codePageOf(path) : { name: 'utf-8', isAssumed: false }
}

function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES })
}

/** Returns how many bytes at the end begin a character that the next chunk continues. */
function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Returns the encoding that a person named. Throws a `SourceError` for one that does not exist. */
export function namedEncoding(name: string): Encoding {
  try {
    return { name: new TextDecoder(name).encoding, isAssumed: false }
  } catch {
    const message = `${name} is not a known encoding; use for example utf-8, utf-16le, windows-1252 or windows-1257`
    throw new SourceError([{ place: 'encoding', message }])
  }
}

/** Yields a file as UTF-8, whatever its encoding, without its byte-order mark. */
export async function* utf8Chunks(path: string, { name }: Encoding): AsyncGenerator<Buffer, void> {
  const chunks = chunksOf(path)
  if (name === 'utf-8') {
    let isFirst = true
    for await (const chunk of chunks) {
      const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
      isFirst = false
      yield hasMark ? chunk.subarray(3) : chunk
    }
    return
  }
  const decoder = new TextDecoder(name)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** Recognizes UTF-16 without a mark: in most texts every second byte is 0. */
function unmarkedUtf16(chunk: Uint8Array): string | undefined {
  const zeros = [0, 0]
  const length = Math.min(chunk.length, 4096)
  for (let at = 0; at < length; at += 1) if (chunk[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > length / 5 && even < length / 50) return 'utf-16le'
  return even > length / 5 && odd < length / 50 ? 'utf-16be' : undefined
}

/**
 * Windows-1252 contains ISO-8859-1. Windows-1257 differs from it for š and ž, where 1252 has the Icelandic ð and þ; ä, ö,
 * õ and ü are the same in both.
 */
async function codePageOf(path: string): Promise<Encoding> {
  const counts = new Uint32Array(256)
  for await (const chunk of chunksOf(path)) for (const byte of chunk) counts[byte] = (counts[byte] ?? 0) + 1
  return { name: nameOfCodePage(counts), isAssumed: true }
}

function nameOfCodePage(counts: Uint32Array): string {
  const of = (...bytes: readonly number[]) => bytes.reduce((sum, byte) => sum + (counts[byte] ?? 0), 0)
  const baltic = of(0xf0, 0xfe, 0xd0, 0xde)
  const western = of(0x8a, 0x8e, 0x9a, 0x9e)
  if (baltic > western) return 'windows-1257'
  const controls = counts.subarray(0x80, 0xa0).reduce((sum, count) => sum + count, 0)
  // ISO-8859-15 has the euro where others have the currency sign, and no letters below 0xa0.
  return of(0xa4) > 0 && controls === 0 ? 'iso-8859-15' : 'windows-1252'
}
