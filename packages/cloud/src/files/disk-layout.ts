import { mkdir, rename } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { flushAll } from './flush.ts'
import type { FileKey } from './keys.ts'

/** Where the file of a key lies below `root`. Blobs are spread, so that no folder has a hundred thousand. */
export function pathOf(root: string, key: FileKey): string {
  const parts = key.split('/')
  const name = parts.pop() ?? ''
  return join(root, ...parts, ...(key.startsWith('blobs/') ? [name.slice(0, 2)] : []), name)
}

/**
 * Gives a finished and flushed file its final name in one step: whoever looks finds the old one or the new one, whole.
 * When it resolves, that is so after a power cut too.
 */
export async function moveIntoPlace(root: string, temporary: string, path: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(temporary, path)
  await flushAll(root, foldersBetween(root, folder))
}

/** The folder and those above it up to `root`: a new folder is there for good when its parent was flushed. */
export function foldersBetween(root: string, folder: string): string[] {
  const levels = relative(root, folder).split(sep)
  return [root, ...levels.map((_, index) => join(root, ...levels.slice(0, index + 1)))]
}
