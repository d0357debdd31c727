import { archiveRefused, entryLabel, entryRefused, type Refuse } from '../refusal.ts'
import type { Entry } from './archive.ts'
import { type ByteSource, createWindow, uint32, type Window } from './byte-source.ts'
import type { DirectoryEntry } from './directory.ts'
import { FLAGS, STORED } from './header-fields.ts'
import {
  checkLocalHeader,
  isDescriptorOf,
  LOCAL_FIXED_SIZE,
  LOCAL_SIGNATURE,
  localHeaderLength,
} from './local-headers.ts'

const LONGEST_DESCRIPTOR = 24
// A hidden entry starts immediately, or after a data descriptor.
const SHOWN_GAP = LONGEST_DESCRIPTOR + 4
// After a small entry the next headers are near, so one read covers them; after a large one reading ahead is useless.
const SMALL_ENTRY = 16_384
const READ_AHEAD = 65_536
const READ_ALONE = 1_024

/**
 * Returns the files in order of offset. Verifies that every local header agrees with the directory and that entries are
 * contiguous from the first byte of the archive to the directory, which leaves no room for hidden data.
 */
export function readLayout(source: ByteSource, listed: readonly DirectoryEntry[], directoryOffset: number): Entry[] {
  const window = createWindow(source)
  const ordered = inOrderOfOffset(listed)
  const files: Entry[] = []
  const bytesBefore = ordered[0]?.headerOffset ?? directoryOffset
  if (bytesBefore > 0) throw archiveRefused(`${bytesBefore} bytes before the first entry`)
  const last = ordered.at(-1)
  if (last && last.headerOffset + LOCAL_FIXED_SIZE > directoryOffset) {
    throw entryRefused(last.index, last.path, 'points into the directory')
  }
  for (let place = 0; place < ordered.length; place += 1) {
    const entry = ordered[place] as DirectoryEntry
    const next = ordered[place + 1]
    const offset = checkEntry(window, entry, next, directoryOffset)
    if (entry.isFolder) continue
    const { path, index, compressedSize, size, crc32 } = entry
    const method = entry.method === STORED ? 'stored' : 'deflated'
    files.push({ path, index, method, offset, compressedSize, size, crc32 })
  }
  return files
}

function inOrderOfOffset(listed: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  const isOrdered = listed.every((entry, place) => place === 0 || isBefore(listed[place - 1], entry))
  return isOrdered ? listed : listed.toSorted((one, other) => one.headerOffset - other.headerOffset)
}

function isBefore(one: DirectoryEntry | undefined, other: DirectoryEntry): boolean {
  return one !== undefined && one.headerOffset <= other.headerOffset
}

/** Returns the offset of the entry's data. */
function checkEntry(
  window: Window,
  entry: DirectoryEntry,
  next: DirectoryEntry | undefined,
  directoryOffset: number,
): number {
  const refuse: Refuse = (rule) => entryRefused(entry.index, entry.path, rule)
  const { headerOffset, compressedSize } = entry
  const end = next?.headerOffset ?? directoryOffset
  const ahead = readAhead(entry)
  let at = window.at(headerOffset, LOCAL_FIXED_SIZE, ahead)
  if (uint32(window.bytes, at) !== LOCAL_SIGNATURE) throw refuse('no local header at its offset')
  const length = localHeaderLength(window.bytes, at)
  const dataOffset = headerOffset + length
  const gap = end - dataOffset - compressedSize
  if (gap < 0) throw refuse(next ? `overlaps ${entryLabel(next.index, next.path)}` : 'extends into the directory')
  at = window.at(headerOffset, length, ahead)
  checkLocalHeader(window.bytes, at, entry, refuse)
  const position = dataOffset + compressedSize
  if (gap > 0)
    checkGap(window, window.at(position, Math.min(gap, SHOWN_GAP), next ? readAhead(next) : 0), gap, entry, refuse)
  else if (entry.flags & FLAGS.descriptor) throw refuse('the data descriptor is missing')
  return dataOffset
}

/** Verifies that only the data descriptor, if any, lies between the data of an entry and the next header. */
function checkGap({ bytes }: Window, at: number, gap: number, entry: DirectoryEntry, refuse: Refuse): void {
  const hasDescriptor = (entry.flags & FLAGS.descriptor) !== 0
  if (hasDescriptor && isDescriptorOf(entry, bytes, at, gap)) return
  if (hasDescriptor && gap <= LONGEST_DESCRIPTOR) throw refuse('the data descriptor does not match the directory')
  const shown = bytes.subarray(at, at + Math.min(gap, SHOWN_GAP))
  throw refuse(
    shown.includes('PK\x03\x04', 0, 'latin1')
      ? 'is followed by a local entry that the directory does not name'
      : `is followed by ${gap} bytes that do not belong to any entry`,
  )
}

function readAhead({ compressedSize }: DirectoryEntry): number {
  return compressedSize < SMALL_ENTRY ? READ_AHEAD : READ_ALONE
}
