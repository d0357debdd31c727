import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

const AT_ONCE = 8

/**
 * Resolves when these files and folders would outlive a power cut. All lie on the file system of `folder`, which is
 * flushed as a whole: for many small files that mostly takes less time than one flush each.
 */
export async function flushAll(folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length < AT_ONCE || !(await flushFileSystem(folder))) await flushEach(paths)
}

/** Node has no `syncfs`; the command has been part of every Linux for ten years. Elsewhere: false. */
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
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    await Promise.all(paths.slice(from, from + AT_ONCE).map(flushOne))
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
