import { LIMITS } from '../limits.ts'
import { archiveRefused } from '../refusal.ts'
import type { Archive, Entry } from './archive.ts'
import type { ByteSource } from './byte-source.ts'
import { readDirectory } from './directory.ts'
import { findDirectory } from './end-records.ts'
import { composed, hasTooManyMarks } from './entry-names.ts'
import { readLayout } from './layout.ts'
import { refuseSharedPaths } from './shared-paths.ts'

/**
 * Verifies the structure of an archive. Rejects with `PackageRefused` anything that two ZIP readers could interpret
 * differently, whether or not the manifest mentions it. Does not read file content: sizes and CRCs are as declared.
 */
export function verifyArchive(source: ByteSource): Archive {
  if (source.size > LIMITS.packageBytes) throw archiveRefused('the package exceeds 5 GB')
  const place = findDirectory(source)
  const listed = readDirectory(source, place)
  refuseSharedPaths(listed)
  const files = readLayout(source, listed, place.offset)
  const byPath = new Map<string, Entry>()
  for (const file of files) byPath.set(composed(file.path), file)
  return { files, find: (path) => (hasTooManyMarks(path) ? undefined : byPath.get(composed(path))) }
}
