import { BOUNDS, LIMITS } from '../limits.ts'
import { archiveRefused, entryRefused, type Refuse } from '../refusal.ts'
import { type ByteSource, createWindow, uint16, uint32, uint64, type Window } from './byte-source.ts'
import type { DirectoryPlace } from './end-records.ts'
import { brokenNameRule, decodeName } from './entry-names.ts'
import { brokenKindRule, brokenPackingRule, checkUnicodePath, readExtras, STORED } from './header-fields.ts'

/** One directory record that breaks no rule on its own. */
export interface DirectoryEntry {
  readonly index: number
  /** Ends with a slash for a folder. */
  readonly path: string
  readonly isFolder: boolean
  readonly flags: number
  readonly method: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  /** Offset of the local header. */
  readonly headerOffset: number
}

const SIGNATURE = 0x02014b50
const FIXED_SIZE = 46
const SATURATED_16 = 0xffff
const SATURATED_32 = 0xffffffff
// An empty deflate stream, which writers that treat a folder as an empty file leave behind.
const EMPTY_DEFLATE = 2

/** Returns every directory record in order. Counts the records and compares the number with the declared one. */
export function readDirectory(source: ByteSource, place: DirectoryPlace): DirectoryEntry[] {
  const window = createWindow(source)
  const end = place.offset + place.size
  const entries: DirectoryEntry[] = []
  let files = 0
  let allFilesBytes = 0
  for (let position = place.offset; position < end; ) {
    if (entries.length === BOUNDS.entries) throw archiveRefused('more than 100,000 entries')
    const length = recordLength(window, position, end, entries.length)
    const at = window.at(position, length, end - position)
    const entry = readRecord(window.bytes, at, entries.length)
    entries.push(entry)
    position += length
    if (entry.isFolder) continue
    files += 1
    allFilesBytes += entry.size
    if (files > LIMITS.files) throw archiveRefused('more than 50,000 files')
    if (allFilesBytes > LIMITS.allFilesBytes) throw archiveRefused('the files exceed 10 GB in total')
  }
  if (entries.length !== place.entries) {
    throw archiveRefused(`the end record declares ${place.entries} entries, but the directory has ${entries.length}`)
  }
  return entries
}

function recordLength(window: Window, position: number, end: number, index: number): number {
  if (position + FIXED_SIZE > end) throw entryRefused(index, '', 'its record extends past the directory')
  const at = window.at(position, FIXED_SIZE, end - position)
  const { bytes } = window
  if (uint32(bytes, at) !== SIGNATURE) throw entryRefused(index, '', 'a directory record is missing')
  const length = FIXED_SIZE + uint16(bytes, at + 28) + uint16(bytes, at + 30) + uint16(bytes, at + 32)
  if (position + length > end) throw entryRefused(index, '', 'its record extends past the directory')
  return length
}

function readRecord(bytes: Buffer, at: number, index: number): DirectoryEntry {
  const nameEnd = at + FIXED_SIZE + uint16(bytes, at + 28)
  const path = decodeName(bytes, at + FIXED_SIZE, nameEnd, index)
  const refuse: Refuse = (rule) => entryRefused(index, path, rule)
  const extras = readExtras(bytes, nameEnd, nameEnd + uint16(bytes, at + 30), refuse)
  checkUnicodePath(extras, path, refuse)
  const { size, compressedSize, headerOffset } = readPlace(bytes, at, extras.zip64, refuse)
  const isFolder = path.endsWith('/')
  const flags = uint16(bytes, at + 8)
  const method = uint16(bytes, at + 10)
  const entry = {
    index,
    path,
    isFolder,
    flags,
    method,
    crc32: uint32(bytes, at + 16),
    compressedSize,
    size,
    headerOffset,
  }
  const rule =
    brokenNameRule(path) ??
    brokenPackingRule(uint16(bytes, at + 6), flags, method) ??
    brokenKindRule(isFolder, uint32(bytes, at + 38)) ??
    brokenSizeRule(entry)
  if (rule) throw refuse(rule)
  return entry
}

/** Returns the sizes and the offset, each from the zip64 extra if the record has no room for it. */
function readPlace(bytes: Uint8Array, at: number, zip64: Uint8Array | undefined, refuse: Refuse) {
  const short = {
    size: uint32(bytes, at + 24),
    compressedSize: uint32(bytes, at + 20),
    headerOffset: uint32(bytes, at + 42),
  }
  const disk = uint16(bytes, at + 34)
  const sizeEnd = short.size === SATURATED_32 ? 8 : 0
  const compressedEnd = sizeEnd + (short.compressedSize === SATURATED_32 ? 8 : 0)
  const offsetEnd = compressedEnd + (short.headerOffset === SATURATED_32 ? 8 : 0)
  const wanted = offsetEnd + (disk === SATURATED_16 ? 4 : 0)
  if (wanted > 0 && !zip64) throw refuse('the zip64 extra is missing')
  if (zip64 && zip64.length !== wanted) throw refuse('the zip64 extra has the wrong size')
  if ((wanted > offsetEnd && zip64 ? uint32(zip64, offsetEnd) : disk) !== 0) throw refuse('is on another disk')
  if (!zip64) return short
  return {
    size: sizeEnd > 0 ? uint64(zip64, 0) : short.size,
    compressedSize: compressedEnd > sizeEnd ? uint64(zip64, sizeEnd) : short.compressedSize,
    headerOffset: offsetEnd > compressedEnd ? uint64(zip64, compressedEnd) : short.headerOffset,
  }
}

function brokenSizeRule({ isFolder, method, size, compressedSize }: DirectoryEntry): string | null {
  if (isFolder) {
    return size > 0 || compressedSize > (method === STORED ? 0 : EMPTY_DEFLATE) ? 'is a folder with data' : null
  }
  if (size > LIMITS.fileBytes) return 'exceeds 100 MB'
  return method === STORED && size !== compressedSize ? 'is stored, but its two sizes differ' : null
}
