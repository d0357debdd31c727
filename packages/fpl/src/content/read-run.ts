import { crc32 } from 'node:zlib'
import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { confirmContent } from './confirm.ts'
import { FRAME_BYTES, inflateAlone, inflateTogether, release } from './inflate.ts'
import { type Run, WHOLE_BYTES } from './runs.ts'

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
