import type { Entry } from '../archive/archive.ts'
import { entryRefused, type PackageRefused } from '../refusal.ts'

/** Throws unless the content of an entry matches its headers. */
export function confirmContent(entry: Entry, size: number, crc32: number): void {
  if (size > entry.size) throw contentTooLong(entry)
  if (size < entry.size) throw refused(entry, `its content has ${size} bytes, not the declared ${entry.size}`)
  if (crc32 !== entry.crc32) throw refused(entry, 'its content does not match its checksum (CRC-32)')
}

/** Throws unless the compressed data ends with its deflate stream: readers disagree about trailing bytes. */
export function confirmStreamEnd(entry: Entry, consumed: number): void {
  const left = entry.compressedSize - consumed
  if (left > 0) throw refused(entry, `its compressed data ends ${left} bytes before the declared end`)
}

export function contentTooLong(entry: Entry): PackageRefused {
  return refused(entry, `its content is longer than the declared ${entry.size} bytes`)
}

/** Translates zlib errors about damaged data into a `PackageRefused`; returns any other error unchanged. */
export function refusalOfInflating(entry: Entry, error: unknown): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ERR_BUFFER_TOO_LARGE':
      return contentTooLong(entry)
    case 'Z_BUF_ERROR':
      return refused(entry, 'its compressed data is truncated')
    case 'Z_DATA_ERROR':
      return refused(entry, 'its compressed data is damaged')
    default:
      return error
  }
}

function refused({ index, path }: Entry, rule: string): PackageRefused {
  return entryRefused(index, path, rule)
}
