import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Three files of unit tests have up to 35 databases of 12 MB each, and each end-to-end test has a server. Twice of it. */
const NEEDED_BYTES = 4e9
const NAME = /^plantroom-(\d+)$/

/**
 * Makes a folder for the temporary files of this run: in memory if there is plenty, where a database takes a third of the
 * time. Removes those of runs that were killed.
 */
export async function fastFolder(): Promise<AsyncDisposable & { path: string }> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  const parent = Math.min(free, freemem()) > NEEDED_BYTES ? MEMORY : tmpdir()
  await removeLeft(parent)
  const path = join(parent, `plantroom-${process.pid}`)
  await mkdir(path, { mode: 0o700 })
  return { path, [Symbol.asyncDispose]: () => remove(path) }
}

/** Removes the folders of processes that are gone. */
export async function removeLeft(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid && (!isRunning(pid) || pid === process.pid)) await remove(join(parent, name))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What a process that was just killed still writes must not fail the run. */
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
