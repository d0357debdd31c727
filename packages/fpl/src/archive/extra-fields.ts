import { crc32 } from 'node:zlib'
import { uint16, uint32 } from './bytes.ts'
import type { Refuse } from './entry-refused.ts'

/** The extra fields that affect the meaning of a header. All others are ignored. */
export interface Extras {
  readonly zip64?: Uint8Array
  readonly unicodePath?: Uint8Array
}

const NONE: Extras = {}
const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075
const FIELD_HEADER = 4

/** Parses the extra fields in the bytes from `from` up to `to`. */
export function readExtras(bytes: Uint8Array, from: number, to: number, refuse: Refuse): Extras {
  if (from === to) return NONE
  const found: { zip64?: Uint8Array; unicodePath?: Uint8Array } = {}
  let at = from
  while (at + FIELD_HEADER <= to) {
    const id = uint16(bytes, at)
    const end = at + FIELD_HEADER + uint16(bytes, at + 2)
    if (end > to) throw refuse('an extra field extends past its end')
    if (id === ZIP64) {
      if (found.zip64) throw refuse('the zip64 extra appears twice')
      found.zip64 = bytes.subarray(at + FIELD_HEADER, end)
    } else if (id === UNICODE_PATH) {
      if (found.unicodePath) throw refuse('the Unicode path extra appears twice')
      found.unicodePath = bytes.subarray(at + FIELD_HEADER, end)
    }
    at = end
  }
  // Tools that align data pad with one to three zeros.
  for (; at < to; at += 1) if (bytes[at] !== 0) throw refuse('an extra field extends past its end')
  return found
}

/** Readers that know this extra use its name, others use the header's, so both must be equal. */
export function checkUnicodePath({ unicodePath }: Extras, path: string, refuse: Refuse): void {
  if (!unicodePath) return
  const name = Buffer.from(path)
  const isRight =
    unicodePath.length >= 5 &&
    unicodePath[0] === 1 &&
    uint32(unicodePath, 1) === crc32(name) &&
    Buffer.compare(unicodePath.subarray(5), name) === 0
  if (!isRight) throw refuse('the Unicode path extra differs from the name')
}
