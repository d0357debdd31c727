import { crc32, deflateRawSync } from 'node:zlib'
import type { Entry } from '../../archive/archive.ts'

export interface FileParts {
  content: Uint8Array
  method?: Entry['method']
  /** What lies in the archive in place of the content as `method` would have it. */
  data?: Uint8Array
  /** What the archive says in place of the truth. */
  declared?: Partial<Pick<Entry, 'size' | 'crc32' | 'compressedSize'>>
}

const HEADER = Buffer.alloc(40, 'h')

/** Files one after the other with headers between them, and the entries that an archive would list for them. */
export function layOut(files: readonly FileParts[]): { bytes: Buffer<ArrayBuffer>; entries: Entry[] } {
  const parts: Uint8Array[] = []
  let offset = 0
  const entries = files.map(({ content, method = 'stored', data, declared }, index): Entry => {
    const packed = data ?? (method === 'deflated' ? deflateRawSync(content) : content)
    parts.push(HEADER, packed)
    const at = offset + HEADER.length
    offset = at + packed.length
    const truth = { size: content.length, crc32: crc32(content), compressedSize: packed.length }
    return { path: `attachments/${index}.txt`, index, method, offset: at, ...truth, ...declared }
  })
  return { bytes: Buffer.concat([...parts, HEADER]), entries }
}

/** Text that compresses well, and is another for each seed. */
export function textOf(length: number, seed = 0): Buffer {
  const lines = Array.from({ length: Math.ceil(length / 16) }, (_, line) => `${(line * 7919 + seed) % 99991} degrees; `)
  return Buffer.from(lines.join('').padEnd(length, '.').slice(0, length))
}
