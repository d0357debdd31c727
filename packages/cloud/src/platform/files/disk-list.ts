import { type Dirent, linkSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '@plantroom/base/ids'
import { pathOf } from './durable-files.ts'
import { type FileKey, readKey } from './keys.ts'

type Kind = 'packages' | 'blobs' | 'exports'

interface ListedFile {
  key: FileKey
  path: string
}

/** Lists the files of a disk store, folder by folder. Files that appear meanwhile may be missing. */
export function* listDiskFiles(root: string, kinds: readonly Kind[]): Generator<ListedFile> {
  for (const kind of kinds) yield* listFolder(root, [kind])
}

function* listFolder(root: string, levels: readonly string[]): Generator<ListedFile> {
  for (const entry of entriesOf(join(root, ...levels))) {
    if (entry.isDirectory()) yield* listFolder(root, [...levels, entry.name])
    const key = entry.isFile() ? keyOf([...levels, entry.name]) : undefined
    if (key) yield { key, path: pathOf(root, key) }
  }
}

/** Attachments have one folder more on disk than in their keys. */
function keyOf(levels: readonly string[]): FileKey | undefined {
  return readKey(...(levels[0] === 'blobs' ? levels.toSpliced(2, 1) : levels))
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Links packages and exports, which imports and time remove, into `folder` and adds the links to `linked`. Repeated, it adds
 * what is new. Attachments are never removed.
 */
export function linkShortLived(root: string, folder: string, linked: Map<FileKey, string>): void {
  for (const { key, path } of listDiskFiles(root, ['packages', 'exports'])) {
    const before = linked.get(key)
    const inode = inodeOf(path)
    if (inode === undefined || (before !== undefined && inodeOf(before) === inode)) continue
    const target = join(folder, newId('file'))
    try {
      linkSync(path, target)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Removed just now, or a file system without links: then the file itself is read.
      if (code !== 'ENOENT') linked.set(key, path)
      continue
    }
    if (before !== undefined && before !== path) rmSync(before, { force: true })
    linked.set(key, target)
  }
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino
