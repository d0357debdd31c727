import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '@plantroom/base/folder-lock'
import { newId } from '@plantroom/base/ids'
import { explainWrite } from './file-store.ts'

/** A folder for files that a process has not finished writing. */
export interface Scratch {
  folder: string
  /** Returns an unused path. */
  path(): string
  close(): Promise<void>
}

/**
 * Creates a locked folder below `parent` and removes the folders of dead processes. A lock ends with its process, so folders in
 * use are never touched.
 */
export async function openScratch(parent: string): Promise<Scratch> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const { folder, unlock } = await createLocked(parent)
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const other = join(parent, entry.name)
    if (entry.isDirectory() && other !== folder) await removeIfUnlocked(other)
  }
  return {
    folder,
    path: () => join(folder, newId('tmp')),
    async close() {
      await rm(folder, { recursive: true, force: true })
      unlock()
    },
  }
}

async function createLocked(parent: string): Promise<{ folder: string; unlock: () => void }> {
  for (;;) {
    const folder = join(parent, newId('scratch'))
    await mkdir(folder, { mode: 0o700 })
    const unlock = tryLock(folder)
    // Another process may have removed the folder right before it was locked.
    if (unlock && existsSync(join(folder, 'lock'))) return { folder, unlock }
    unlock?.()
  }
}

async function removeIfUnlocked(folder: string): Promise<void> {
  const unlock = tryLock(folder)
  if (!unlock) return
  await rm(folder, { recursive: true, force: true })
  unlock()
}

function tryLock(folder: string): (() => void) | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    // Another process or its owner has just removed it.
    if (!existsSync(folder)) return undefined
    throw error
  }
}

interface TemporaryFile {
  write(chunk: Uint8Array): void
  size(): number
  /** Closes the file and returns its path. */
  close(): string
  discard(): void
}

/** Opens a new file for synchronous writes. A failed write removes it. */
export function openTemporaryFile(path: string): TemporaryFile {
  let file: number | undefined
  let size = 0
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
    return path
  }
  const discard = () => {
    close()
    rmSync(path, { force: true })
  }
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    throw explainWrite(error)
  }
  return {
    write(chunk) {
      if (file === undefined) throw new Error('cannot write to a closed file')
      try {
        // A nearly full disk writes a part and fails at the next call.
        for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done, chunk.length - done)
        size += chunk.length
      } catch (error) {
        discard()
        throw explainWrite(error)
      }
    },
    size: () => size,
    close,
    discard,
  }
}
