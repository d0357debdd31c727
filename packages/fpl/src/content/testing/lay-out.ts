import { crc32, deflateRawSync } from 'node:zlib'
import type { Entry } from '../../archive/archive.ts'

export interface FileParts {
  content: Uint8Array
  method?: Entry['method']
  /** The bytes stored in place of the content that `method` would produce. */
  data?: Uint8Array
  /** Header fields that override the true values. */
  declared?: Partial<Pick<Entry, 'size' | 'crc32' | 'compressedSize'>>
}

const HEADER = Buffer.alloc(40, 'h')

/** Lays out files with headers between them and returns the entries that an archive would list. */
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

/** Compressible text that differs for each seed. */
export function textOf(length: number, seed = 0): Buffer {
  const lines = Array.from({ length: Math.ceil(length / 16) }, (_, line) => `${(line * 7919 + seed) % 99991} degrees; `)
  return Buffer.from(lines.join('').padEnd(length, '.').slice(0, length))
}
