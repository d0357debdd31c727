import type { Refuse } from '../refusal.ts'
import { uint16, uint32, uint64 } from './byte-source.ts'
import type { DirectoryEntry } from './directory.ts'
import { isNameOf } from './entry-names.ts'
import { brokenPackingRule, checkUnicodePath, DEFLATE_LEVEL, FLAGS, readExtras } from './header-fields.ts'

export const LOCAL_SIGNATURE = 0x04034b50
export const LOCAL_FIXED_SIZE = 30
const DESCRIPTOR_SIGNATURE = 0x08074b50
const SATURATED = 0xffffffff

/** Returns the length of a local header, computed from its fixed part. */
export function localHeaderLength(bytes: Uint8Array, at: number): number {
  return LOCAL_FIXED_SIZE + uint16(bytes, at + 26) + uint16(bytes, at + 28)
}

/** Rejects the local header at `at` if it disagrees with the directory: some readers trust the one, some the other. */
export function checkLocalHeader(bytes: Uint8Array, at: number, entry: DirectoryEntry, refuse: Refuse): void {
  const flags = uint16(bytes, at + 6)
  const method = uint16(bytes, at + 8)
  const nameStart = at + LOCAL_FIXED_SIZE
  const nameEnd = nameStart + uint16(bytes, at + 26)
  if (!isNameOf(entry.path, bytes, nameStart, nameEnd)) throw refuse('the local header has a different name')
  if (method !== entry.method) throw refuse('the local header has a different method')
  if ((flags ^ entry.flags) & ~DEFLATE_LEVEL) throw refuse('the local header has different flags')
  const rule = brokenPackingRule(uint16(bytes, at + 4), flags, method)
  if (rule) throw refuse(rule)
  const extras = readExtras(bytes, nameEnd, nameEnd + uint16(bytes, at + 28), refuse)
  checkUnicodePath(extras, entry.path, refuse)

  // A writer to a pipe may know some values, or none, before it has written the data.
  const mayBeZero = (entry.flags & FLAGS.descriptor) !== 0
  const { compressedSize, size } = localSizes(bytes, at, extras.zip64, refuse)
  if (!isRight(uint32(bytes, at + 14), entry.crc32, mayBeZero)) throw refuse('the local header has a different CRC')
  if (!isRight(compressedSize, entry.compressedSize, mayBeZero) || !isRight(size, entry.size, mayBeZero)) {
    throw refuse('the local header has different sizes')
  }
}

function isRight(value: number, expected: number, mayBeZero: boolean): boolean {
  return value === expected || (mayBeZero && value === 0)
}

function localSizes(bytes: Uint8Array, at: number, zip64: Uint8Array | undefined, refuse: Refuse) {
  const compressedSize = uint32(bytes, at + 18)
  const size = uint32(bytes, at + 22)
  const saturated = (size === SATURATED ? 8 : 0) + (compressedSize === SATURATED ? 8 : 0)
  if (saturated === 0) {
    if (zip64 && !isUnusedReserve(zip64, compressedSize, size)) throw refuse('the zip64 extra has the wrong size')
    return { compressedSize, size }
  }
  if (!zip64) throw refuse('the zip64 extra is missing')
  if (zip64.length !== saturated) throw refuse('the zip64 extra has the wrong size')
  return {
    size: size === SATURATED ? uint64(zip64, 0) : size,
    compressedSize: compressedSize === SATURATED ? uint64(zip64, saturated - 8) : compressedSize,
  }
}

/** True for a zeroed zip64 extra: Commons Compress reserves room for one and leaves it if the file turns out small. */
function isUnusedReserve(zip64: Uint8Array, compressedSize: number, size: number): boolean {
  if (zip64.length !== 16) return false
  const [first, second] = [uint64(zip64, 0), uint64(zip64, 8)]
  return (first === 0 && second === 0) || (first === size && second === compressedSize)
}

/** True if the `length` bytes at `at`, all bytes between the data and the next header, are the entry's descriptor. */
export function isDescriptorOf(entry: DirectoryEntry, bytes: Uint8Array, at: number, length: number): boolean {
  const isSigned = length === 16 || length === 24
  const isWide = length === 20 || length === 24
  if (!isSigned && !isWide && length !== 12) return false
  if (isSigned && uint32(bytes, at) !== DESCRIPTOR_SIGNATURE) return false
  const crcAt = isSigned ? at + 4 : at
  const compressedSize = isWide ? uint64(bytes, crcAt + 4) : uint32(bytes, crcAt + 4)
  const size = isWide ? uint64(bytes, crcAt + 12) : uint32(bytes, crcAt + 8)
  return uint32(bytes, crcAt) === entry.crc32 && compressedSize === entry.compressedSize && size === entry.size
}
