import { brokenNameRule, pathKey } from '../archive/entry-names.ts'
import { refuseSharedPaths } from '../archive/shared-paths.ts'
import { BOUNDS, LIMITS } from '../limits.ts'

/** Counts what goes into a package and stops the writer as soon as a reader would reject the result. */
export interface Tally {
  /** Starts a new file. Returns its name as archive bytes. */
  open(path: string): Uint8Array
  /** Counts bytes of the open file's content and returns them. */
  content<Bytes extends Uint8Array>(bytes: Bytes): Bytes
  /** Counts bytes that are written next and returns them. */
  written<Bytes extends Uint8Array>(bytes: Bytes): Bytes
  /** Reserves bytes in the directory. */
  directory(bytes: number): void
  /** Returns the number of bytes written so far. */
  position(): number
  /** Checks, after the last file, that the directory may follow. Returns its size. */
  close(): number
}

const END_RECORDS = 98
const LONGEST_NAME = 65_535
const SHOWN = 100

export function createTally(): Tally {
  let position = 0
  let directorySize = 0
  /** By the key under which some file system would consider paths equal. */
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
      if (paths.has(key)) throw notWritten(`${path.slice(0, SHOWN)}: the path is used twice`)
      if (paths.size === LIMITS.files) throw notWritten('the package would have more than 50,000 files')
      paths.set(key, path)
      open = { path, size: 0 }
      return name
    },
    content(bytes) {
      open.size += bytes.length
      allFiles += bytes.length
      if (open.size > LIMITS.fileBytes) throw notWritten(`${open.path.slice(0, SHOWN)}: the file exceeds 100 MB`)
      if (allFiles > LIMITS.allFilesBytes) throw notWritten('the files would exceed 10 GB in total')
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
        throw notWritten('the directory would be too large; use shorter file names')
      checkPackageSize()
    },
    position: () => position,
    close() {
      // Conflicts between files and folders show only when all paths are known. The wording is the reader's.
      refuseSharedPaths([...paths.values()].map((path, index) => ({ path, index })))
      return directorySize
    },
  }
}

function brokenFileRule(path: string, name: Uint8Array): string | null {
  if (!path.isWellFormed()) return 'the name is not valid Unicode'
  if (path.endsWith('/')) return 'the name ends in a slash, as for a folder'
  return name.length > LONGEST_NAME ? 'the name is too long' : brokenNameRule(path)
}

/** Creates the writer's error for a package that a reader would reject. */
function notWritten(why: string): Error {
  return new Error(`The package cannot be written: ${why}`)
}
