import { brokenNameRule } from './archive/entry-names.ts'
import { pathKey } from './archive/path-keys.ts'
import { refuseSharedPaths } from './archive/shared-paths.ts'
import { BOUNDS, LIMITS } from './limits.ts'

/** Counts what goes into a package, and stops the writer where a reader would refuse the result. */
export interface Tally {
  /** A new file begins. Returns its name as the archive holds it. */
  open(path: string): Uint8Array
  /** These bytes are of the open file's content. Given back, to be passed on. */
  content<Bytes extends Uint8Array>(bytes: Bytes): Bytes
  /** These bytes go out next. Given back, to be passed on. */
  written<Bytes extends Uint8Array>(bytes: Bytes): Bytes
  /** So many bytes will follow in the directory. */
  directory(bytes: number): void
  /** How many bytes went out. */
  position(): number
  /** All files have been written: may the directory follow? Returns its size. */
  close(): number
}

const END_RECORDS = 98
const LONGEST_NAME = 65_535
const SHOWN = 100

export function createTally(): Tally {
  let position = 0
  let directorySize = 0
  /** By the key under which some file system would take them for one. */
  const paths = new Map<string, string>()
  let allFiles = 0
  let open = { path: '', size: 0 }

  function checkPackageSize(): void {
    if (position + directorySize + END_RECORDS > LIMITS.packageBytes) throw notWritten('the package would exceed 5 GB')
  }

  return {
    open(path) {
      const name = Buffer.from(path)
      const rule = brokenFileRule(path, name)
      if (rule) throw notWritten(`${path.slice(0, SHOWN)}: ${rule}`)
      const key = pathKey(path)
      if (paths.has(key)) throw notWritten(`${path.slice(0, SHOWN)}: there are two of this path`)
      if (paths.size === LIMITS.files) throw notWritten('it would hold more than 50,000 files')
      paths.set(key, path)
      open = { path, size: 0 }
      return name
    },
    content(bytes) {
      open.size += bytes.length
      allFiles += bytes.length
      if (open.size > LIMITS.fileBytes) throw notWritten(`${open.path.slice(0, SHOWN)}: the file exceeds 100 MB`)
      if (allFiles > LIMITS.allFilesBytes) throw notWritten('its files would exceed 10 GB in all')
      return bytes
    },
    written(bytes) {
      position += bytes.length
      checkPackageSize()
      return bytes
    },
    directory(bytes) {
      directorySize += bytes
      if (directorySize > BOUNDS.directoryBytes)
        throw notWritten('its directory would be too large: names are too long')
      checkPackageSize()
    },
    position: () => position,
    close() {
      // A file that is also a folder is found when all are known. The words are the reader's, who would refuse it.
      refuseSharedPaths([...paths.values()].map((path, index) => ({ path, index })))
      return directorySize
    },
  }
}

function brokenFileRule(path: string, name: Uint8Array): string | null {
  if (!path.isWellFormed()) return 'the name is not valid Unicode'
  if (path.endsWith('/')) return 'the name is that of a folder'
  return name.length > LONGEST_NAME ? 'the name is too long' : brokenNameRule(path)
}

/** What the writer says when a reader would refuse the package. */
function notWritten(why: string): Error {
  return new Error(`The package cannot be written: ${why}`)
}
