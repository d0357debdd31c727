import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '@plantroom/base/folder-lock'
import { newId } from '@plantroom/base/ids'

/** Where a process keeps what it has not finished writing. */
export interface Scratch {
  folder: string
  /** A path that nobody else uses. */
  path(): string
  close(): Promise<void>
}

/**
 * Takes a folder of its own below `parent` and clears those of processes that died. Each holds a lock on its folder,
 * which goes with it: one that lives, here or in another process, is never disturbed.
 */
export async function openScratch(parent: string): Promise<Scratch> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const { folder, giveBack } = await takeNew(parent)
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const other = join(parent, entry.name)
    if (entry.isDirectory() && other !== folder) await clear(other)
  }
  return {
    folder,
    path: () => join(folder, newId('tmp')),
    async close() {
      await rm(folder, { recursive: true, force: true })
      giveBack()
    },
  }
}

async function takeNew(parent: string): Promise<{ folder: string; giveBack: () => void }> {
  for (;;) {
    const folder = join(parent, newId('scratch'))
    await mkdir(folder, { mode: 0o700 })
    const giveBack = tryLock(folder)
    // Another start may have cleared it in the moment before it was locked.
    if (giveBack && existsSync(join(folder, 'lock'))) return { folder, giveBack }
    giveBack?.()
  }
}

async function clear(folder: string): Promise<void> {
  const giveBack = tryLock(folder)
  if (!giveBack) return
  await rm(folder, { recursive: true, force: true })
  giveBack()
}

function tryLock(folder: string): (() => void) | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    // It has just been cleared by another start, or by its owner.
    if (!existsSync(folder)) return undefined
    throw error
  }
}
