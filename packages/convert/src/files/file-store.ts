import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ArchiveRefused, openArchive } from '@plantroom/fpl/read-archive'
import { SourceError } from '../source.ts'

/** A file beside a source. */
export interface FoundFile {
  /** The path in the folder or archive. */
  readonly path: string
  readonly bytes: number
  content(): AsyncIterable<Uint8Array>
}

/** The files beside a source. Only files that were listed when it was opened can be found. */
export interface FileStore extends Disposable {
  /** How to name it in a message. */
  readonly label: string
  /**
   * Returns the file with the first of these paths that is there, in any case and Unicode form; otherwise the only file with
   * the name of one that has no folder; `several` if more than one has that name. A file that was found by its name alone
   * is found for one path with a folder only: two requests may each have a `photo.jpg` of their own, of which one is missing.
   */
  find(paths: readonly string[]): FoundFile | 'several' | undefined
  /** True if a file has exactly this path, or this name if it has no folder. */
  has(path: string): boolean
}

const MOST_FILES = 200_000

/** Opens a folder or a ZIP file. Throws a `SourceError` if it is neither. Without a path it has no files. */
export function openFileStore(path: string | undefined): FileStore {
  if (path === undefined) return { label: '', find: () => undefined, has: () => false, [Symbol.dispose]() {} }
  try {
    if (statSync(path).isDirectory()) return { label: path, ...finder(filesIn(path)), [Symbol.dispose]() {} }
    const archive = openArchive(path)
    const files = archive.files.map((entry) => ({
      path: entry.path,
      bytes: entry.size,
      content: () => archive.content(entry),
    }))
    return { label: path, ...finder(files), [Symbol.dispose]: () => archive[Symbol.dispose]() }
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): Error {
  if (error instanceof SourceError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT')
    return new SourceError([{ place: path, message: 'does not exist; name a folder or a ZIP file' }])
  if (!(error instanceof ArchiveRefused) && code === undefined) return error as Error
  return new SourceError([{ place: path, message: `is neither a folder nor a ZIP file that can be read: ${message}` }])
}

/** Lists regular files. Links are left out: one could lead anywhere on the machine. */
function filesIn(folder: string): FoundFile[] {
  const files: FoundFile[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    if (files.length === MOST_FILES) {
      throw new SourceError([{ place: folder, message: `has more than ${MOST_FILES} files; move the others away` }])
    }
    const path = join(entry.parentPath, entry.name)
    files.push({
      path: relative(folder, path).split(sep).join('/'),
      get bytes() {
        return statSync(path).size
      },
      content: () => createReadStream(path),
    })
  }
  return files
}

const key = (path: string) =>
  path
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function finder(files: readonly FoundFile[]): Pick<FileStore, 'find' | 'has'> {
  const byPath = new Map(files.map((file) => [key(file.path), file]))
  const byName = new Map<string, FoundFile | 'several'>()
  for (const file of files) {
    const name = nameIn(key(file.path))
    byName.set(name, byName.has(name) ? 'several' : file)
  }
  /** The first path for which a file was found by its name. */
  const foundFor = new Map<FoundFile, string>()
  return {
    has: (path) => byPath.has(key(path)) || byName.has(key(path)),
    find(paths) {
      const [asked = '', ...others] = paths.map(key)
      for (const path of [asked, ...others.filter((other) => other.includes('/'))]) {
        const file = byPath.get(path)
        if (file) return file
      }
      for (const name of [asked, ...others]) {
        const file = name.includes('/') ? undefined : byName.get(name)
        if (file === undefined) continue
        if (file === 'several' || !asked.includes('/')) return file
        const first = foundFor.get(file) ?? asked
        foundFor.set(file, first)
        return first === asked ? file : undefined
      }
      return undefined
    },
  }
}
