import { BOUNDS } from '../limits.ts'
import { archiveRefused } from '../refusal.ts'
import { type ByteSource, uint16, uint32, uint64 } from './byte-source.ts'

/** The location of the directory and its declared number of entries. */
export interface DirectoryPlace {
  readonly offset: number
  readonly size: number
  readonly entries: number
}

interface EndRecord extends DirectoryPlace {
  readonly disk: number
  readonly directoryDisk: number
  readonly entriesOnDisk: number
}

const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const END_SIZE = 22
const LONGEST_COMMENT = 0xffff
/**
 * Programs that write tapes fill the last block with zeros: `bsdtar --format zip -cf -` does, up to 10,240 bytes. Every
 * reader searches at least this far for the end record, because a comment may be as long.
 */
const MOST_PADDING = 0xffff
const NO_END = 'no end record was found; the file is not a ZIP archive or is truncated'
const TOO_MANY_ZEROS =
  'more than 65,535 zero bytes after the end: write the archive to a file instead of a pipe or a tape, or cut them off'
const LOCATOR_SIGNATURE = 0x07064b50
const LOCATOR_SIZE = 20
const ZIP64_SIGNATURE = 0x06064b50
const ZIP64_SIZE = 56
/** The record's size field excludes the signature and itself. */
const ZIP64_SIZE_FIELD = 44

/**
 * Follows the end records to the directory. Throws `PackageRefused` if two readers could find different directories.
 */
export function findDirectory(source: ByteSource): DirectoryPlace {
  const endPosition = findEndRecord(source)
  const classic = readEndRecord(readAt(source, endPosition, END_SIZE))
  const zip64Position = findZip64Record(source, endPosition)
  const record = zip64Position === null ? classic : readZip64Record(source, zip64Position, classic)
  if (record.disk !== 0 || record.directoryDisk !== 0) throw archiveRefused('the archive spans several disks')
  const { entries, entriesOnDisk, offset, size } = record
  if (entries !== entriesOnDisk) {
    throw archiveRefused(`the end record has two different entry counts, ${entriesOnDisk} and ${entries}`)
  }
  const recordsPosition = zip64Position ?? endPosition
  if (offset + size !== recordsPosition) {
    throw archiveRefused(
      `the directory ends at ${offset + size} according to its offset and size, but the end records start at ${recordsPosition}`,
    )
  }
  if (size > BOUNDS.directoryBytes) throw archiveRefused('the directory is larger than 24 MB')
  return { offset, size, entries }
}

/**
 * Finds the only end record whose comment ends with the file, or before zeros that fill its last block. Rejects any later
 * signature and any other record whose comment ends there, because another reader could choose it. Earlier signatures are
 * fine: a stored archive contains its own. Zeros contain no signature, so they cannot hide a record.
 */
function findEndRecord(source: ByteSource): number {
  const tailPosition = Math.max(0, source.size - END_SIZE - LONGEST_COMMENT - MOST_PADDING)
  const tail = readAt(source, tailPosition, source.size - tailPosition)
  const zeros = startOfZeros(tail)
  const reaching: number[] = []
  let last = -1
  for (let at = tail.indexOf(END_SIGNATURE); at !== -1; at = tail.indexOf(END_SIGNATURE, at + 1)) {
    last = at
    if (at + END_SIZE <= tail.length && isBetween(zeros, afterComment(tail, at), tail.length)) reaching.push(at)
  }
  if (last === -1) throw archiveRefused(zeros === 0 && tail.length > 0 ? TOO_MANY_ZEROS : NO_END)
  const [found] = reaching
  if (found === undefined) throw misplacedEnd(tail, last)
  if (reaching.length > 1 || found !== last) throw archiveRefused('several end records')
  if (tail.length - afterComment(tail, found) > MOST_PADDING) throw archiveRefused(TOO_MANY_ZEROS)
  return tailPosition + found
}

function startOfZeros(bytes: Uint8Array): number {
  let at = bytes.length
  while (at > 0 && bytes[at - 1] === 0) at -= 1
  return at
}

const isBetween = (least: number, value: number, most: number) => least <= value && value <= most

function misplacedEnd(tail: Uint8Array, at: number) {
  if (at + END_SIZE > tail.length) return archiveRefused('the end record is truncated')
  const excess = tail.length - afterComment(tail, at)
  if (excess <= 0) return archiveRefused('the archive comment is truncated')
  return archiveRefused(`${excess} bytes after the end; an archive ends with its end record: remove what follows it`)
}

function afterComment(tail: Uint8Array, at: number): number {
  return at + END_SIZE + uint16(tail, at + 20)
}

function readEndRecord(bytes: Uint8Array): EndRecord {
  return {
    disk: uint16(bytes, 4),
    directoryDisk: uint16(bytes, 6),
    entriesOnDisk: uint16(bytes, 8),
    entries: uint16(bytes, 10),
    size: uint32(bytes, 12),
    offset: uint32(bytes, 16),
  }
}

/** Returns null if there is no locator. The classic record is then authoritative, whatever its values. */
function findZip64Record(source: ByteSource, endPosition: number): number | null {
  const locatorPosition = endPosition - LOCATOR_SIZE
  if (locatorPosition < 0) return null
  const locator = readAt(source, locatorPosition, LOCATOR_SIZE)
  if (uint32(locator, 0) !== LOCATOR_SIGNATURE) return null
  if (uint32(locator, 4) !== 0 || uint32(locator, 16) > 1) throw archiveRefused('the archive spans several disks')
  const position = uint64(locator, 8)
  if (position + ZIP64_SIZE > locatorPosition)
    throw archiveRefused('the zip64 locator does not point to a zip64 end record')
  const record = readAt(source, position, ZIP64_SIZE)
  if (uint32(record, 0) !== ZIP64_SIGNATURE)
    throw archiveRefused('the zip64 locator does not point to a zip64 end record')
  if (uint64(record, 4) !== ZIP64_SIZE_FIELD) {
    throw archiveRefused('the zip64 end record has extensible data or a wrong size')
  }
  if (position + ZIP64_SIZE !== locatorPosition) {
    throw archiveRefused('the zip64 end record does not end where its locator starts')
  }
  return position
}

function readZip64Record(source: ByteSource, position: number, classic: EndRecord): EndRecord {
  const bytes = readAt(source, position, ZIP64_SIZE)
  const record = {
    disk: uint32(bytes, 16),
    directoryDisk: uint32(bytes, 20),
    entriesOnDisk: uint64(bytes, 24),
    entries: uint64(bytes, 32),
    size: uint64(bytes, 40),
    offset: uint64(bytes, 48),
  }
  const agrees =
    agree(classic.disk, 0xffff, record.disk) &&
    agree(classic.directoryDisk, 0xffff, record.directoryDisk) &&
    agree(classic.entriesOnDisk, 0xffff, record.entriesOnDisk) &&
    agree(classic.entries, 0xffff, record.entries) &&
    agree(classic.size, 0xffffffff, record.size) &&
    agree(classic.offset, 0xffffffff, record.offset)
  if (!agrees) throw archiveRefused('the zip64 end record disagrees with the end record')
  return record
}

function agree(classic: number, saturated: number, full: number): boolean {
  return classic === full || classic === saturated
}

function readAt(source: ByteSource, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  source.read(bytes, position)
  return bytes
}
