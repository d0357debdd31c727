import { shown } from '@plantroom/contract/shown'
import { LIMITS } from '@plantroom/fpl/limits'
import type { ManifestAttachment } from '@plantroom/fpl/manifest'
import type { Account } from '../account.ts'
import type { ProblemList } from '../problems.ts'
import type { SourceFile } from '../source.ts'
import { safeName, type UsedNames, uniqueName, usableContentType } from './file-names.ts'
import type { FileStore, FoundFile } from './file-store.ts'

/** A file of the package that will be written after its manifest. */
export interface StoredFile {
  readonly path: string
  readonly content: AsyncIterable<Uint8Array>
}

export interface AttachDeps {
  readonly files: FileStore
  readonly allowMissing: boolean
  readonly account: Account
  readonly problems: ProblemList
}

/** Finds the files of requests and comments and gives each its path in the package. */
export interface Attacher {
  /** True if a file has exactly this path, or this name if it has no folder. */
  has(path: string): boolean
  /**
   * Returns the attachments of one request or comment. `missed` receives the name of each file that is not there, if that
   * is allowed; otherwise it is a problem.
   */
  attach(
    place: string,
    column: string,
    files: readonly SourceFile[],
    missed: (name: string) => void,
  ): ManifestAttachment[]
  /** All files, in the order of their paths in the package. */
  stored(): readonly StoredFile[]
}

export function createAttacher(deps: AttachDeps): Attacher {
  const stored: StoredFile[] = []
  /** A file that several requests name is stored once. */
  const paths = new Map<FoundFile, string>()

  function store(name: string, content: () => AsyncIterable<Uint8Array>): string {
    const path = `attachments/${stored.length + 1}/${name}`
    stored.push({ path, content: lazily(content) })
    return path
  }

  function pathOf(place: string, column: string, file: SourceFile, name: string): string | undefined {
    if (file.read) return store(name, () => whole(file.read))
    const found = deps.files.find(file.paths)
    if (found === 'several')
      return refuse(
        place,
        column,
        `several files are called ${shown(file.name)}; put each in the folder that the source names`,
      )
    if (!found) return undefined
    if (found.bytes > LIMITS.fileBytes)
      return refuse(place, column, `${shown(found.path)} exceeds 100 MB; remove or shrink it`)
    const known = paths.get(found)
    if (known !== undefined) return known
    const path = store(name, () => found.content())
    paths.set(found, path)
    return path
  }

  function refuse(place: string, column: string, message: string): '' {
    deps.problems.add({ place, column, message })
    return ''
  }

  return {
    has: deps.files.has,
    attach(place, column, files, missed) {
      const used: UsedNames = new Map()
      return files.flatMap((file) => {
        const safe = safeName(file.name)
        const path = pathOf(place, column, file, safe)
        if (path === '') return []
        if (path === undefined) {
          if (deps.allowMissing) missed(file.name)
          else deps.problems.add({ place, column, message: describeMissing(file.name, deps.files) })
          return []
        }
        const name = uniqueName(safe, used)
        if (name !== file.name) deps.account.add(place, column, file.name, { code: 'changed-file-name' })
        const contentType = usableContentType(file.contentType)
        return [{ path, name, ...(contentType !== undefined && { contentType }) }]
      })
    },
    stored: () => stored,
  }
}

function describeMissing(name: string, files: FileStore): string {
  const place = files.label === '' ? 'no folder or ZIP file with attachments was given' : `it is not in ${files.label}`
  return `the file ${shown(name)} is missing: ${place}; add it, or allow missing files`
}

/** Opens a file only when the writer asks for it. */
function lazily(content: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => content()[Symbol.asyncIterator]() }
}

async function* whole(read: SourceFile['read']): AsyncGenerator<Uint8Array, void> {
  if (read) yield await read()
}
