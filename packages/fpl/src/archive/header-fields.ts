import { crc32 } from 'node:zlib'
import type { Refuse } from '../refusal.ts'
import { uint16, uint32 } from './byte-source.ts'

/** Bits of the general-purpose flags. */
export const FLAGS = { encrypted: 0x0001, descriptor: 0x0008, strongEncryption: 0x0040, maskedHeaders: 0x2000 } as const

/** Compression level bits: irrelevant to a reader, and sometimes different in the two headers. */
export const DEFLATE_LEVEL = 0x0006
const UTF8 = 0x0800
const KNOWN_FLAGS = DEFLATE_LEVEL | FLAGS.descriptor | UTF8
const ANY_ENCRYPTION = FLAGS.encrypted | FLAGS.strongEncryption | FLAGS.maskedHeaders

export const STORED = 0
const DEFLATED = 8

/** 6.3, the newest version of the format. Some writers repeat the operating system of "made by" in the high byte. */
const NEWEST_VERSION = 63

/** Returns the rule that the method, flags or version break, or null. */
export function brokenPackingRule(versionNeeded: number, flags: number, method: number): string | null {
  if (flags & ANY_ENCRYPTION) return 'is encrypted'
  if (method !== STORED && method !== DEFLATED) return `method ${method} is neither stored nor deflate`
  if (flags & ~KNOWN_FLAGS) return `has unknown flags (0x${(flags & ~KNOWN_FLAGS).toString(16)})`
  const version = versionNeeded & 0xff
  return version > NEWEST_VERSION ? `needs unknown version ${version} of the format` : null
}

const REGULAR_FILE = 0x8
const FOLDER = 0x4
const SYMBOLIC_LINK = 0xa
const DOS_VOLUME_LABEL = 0x08
const DOS_FOLDER = 0x10

/**
 * Returns the rule that these attributes break, or null. Some readers honour the Unix mode in the upper half only in
 * archives made on Unix, some in all, so this checks it in all.
 */
export function brokenKindRule(isFolder: boolean, externalAttributes: number): string | null {
  const type = externalAttributes >>> 28
  if (type === SYMBOLIC_LINK) return 'is a symbolic link'
  if (type !== 0 && type !== FOLDER && type !== REGULAR_FILE) return 'is a special file'
  if (externalAttributes & DOS_VOLUME_LABEL) return 'is a volume label'
  if (isFolder)
    return type === REGULAR_FILE ? 'is a folder according to its name, but a file according to its attributes' : null
  return type === FOLDER || externalAttributes & DOS_FOLDER
    ? 'is a file according to its name, but a folder according to its attributes'
    : null
}

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
