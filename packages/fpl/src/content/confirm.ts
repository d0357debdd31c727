import type { Entry } from '../archive/archive.ts'
import { entryRefused } from '../archive/entry-refused.ts'
import type { PackageRefused } from '../refusal.ts'

/** What came out of an entry must be what the archive says of it. */
export function confirmContent(entry: Entry, size: number, crc32: number): void {
  if (size > entry.size) throw contentTooLong(entry)
  if (size < entry.size) throw refused(entry, `its content has ${size} bytes, not the declared ${entry.size}`)
  if (crc32 !== entry.crc32) throw refused(entry, 'its content does not match its checksum (CRC-32)')
}

/** Compressed data must end with its deflate stream: readers disagree on what to do with more. */
export function confirmStreamEnd(entry: Entry, consumed: number): void {
  const left = entry.compressedSize - consumed
  if (left > 0) throw refused(entry, `its compressed data ends ${left} bytes before the declared end`)
}

export function contentTooLong(entry: Entry): PackageRefused {
  return refused(entry, `its content is longer than the declared ${entry.size} bytes`)
}

/** In our words what zlib says of damaged data; any other error as it is. */
export function refusalOfInflating(entry: Entry, error: unknown): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ERR_BUFFER_TOO_LARGE':
      return contentTooLong(entry)
    case 'Z_BUF_ERROR':
      return refused(entry, 'its compressed data is cut off')
    case 'Z_DATA_ERROR':
      return refused(entry, 'its compressed data is damaged')
    default:
      return error
  }
}

function refused({ index, path }: Entry, rule: string): PackageRefused {
  return entryRefused(index, path, rule)
}
