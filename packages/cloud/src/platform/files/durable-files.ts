import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, rename, statfs } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { FileKey } from './keys.ts'

/** Returns how much may still be written to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Returns the path of a file below `root`. Blobs are spread over folders, so that none has a hundred thousand files. */
export function pathOf(root: string, key: FileKey): string {
  const parts = key.split('/')
  const name = parts.pop() ?? ''
  return join(root, ...parts, ...(key.startsWith('blobs/') ? [name.slice(0, 2)] : []), name)
}

/**
 * Renames a complete, flushed file to its final name. Readers see either the old file or the new one. Once this resolves, the
 * new one survives a power cut.
 */
export async function moveIntoPlace(root: string, temporary: string, path: string): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(temporary, path)
  await flushAll(root, foldersBetween(root, folder))
}

/** Returns the folder and its parents up to `root`: a new folder is durable once its parent was flushed. */
export function foldersBetween(root: string, folder: string): string[] {
  const levels = relative(root, folder).split(sep)
  return [root, ...levels.map((_, index) => join(root, ...levels.slice(0, index + 1)))]
}

const FLUSHED_TOGETHER = 8

/**
 * Flushes files and folders, so that they survive a power cut. All are on the file system of `folder`: for many files,
 * flushing the whole file system is usually faster than flushing each.
 */
export async function flushAll(folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length < FLUSHED_TOGETHER || !(await flushFileSystem(folder))) await flushEach(paths)
}

/** Runs `sync -f`, because Node has no `syncfs`. Returns false where the command is missing. */
async function flushFileSystem(folder: string): Promise<boolean> {
  const child = spawn('sync', ['-f', folder], { stdio: 'ignore' })
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } catch {
    return false
  }
}

async function flushEach(paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += FLUSHED_TOGETHER) {
    await Promise.all(paths.slice(from, from + FLUSHED_TOGETHER).map(flushOne))
  }
}

async function flushOne(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
