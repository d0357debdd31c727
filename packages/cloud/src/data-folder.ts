import { constants } from 'node:fs'
import { access, mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '@plantroom/base/folder-lock'
import { Failure } from '@plantroom/contract/failure'

/** Creates the data folder if it is missing. Throws a failure with a remedy when it cannot be written. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(
      'unavailable',
      `the data folder ${folder} cannot be written (${code}): set PLANTROOM_DATA to a folder that can`,
    )
  }
}

/** The mark of a restore that has begun its last step in this folder. */
export function restoringIn(folder: string) {
  const path = join(folder, 'restoring')
  return {
    exists: () =>
      access(path).then(
        () => true,
        () => false,
      ),
    set: () => writeFile(path, 'plantroom restore\n', { flush: true, mode: 0o600 }),
    clear: () => rm(path, { force: true }),
  }
}

/** Throws when a restore into this folder was interrupted: database, files and secrets may not belong together. */
export async function refuseHalfRestored(folder: string): Promise<void> {
  if (!(await restoringIn(folder).exists())) return
  throw new Failure(
    'unavailable',
    `a restore into ${folder} was interrupted at its last step: run plantroom restore with the same backup again`,
  )
}

/** Locks the folder for this process; the returned function releases it. */
export function takeFolder(folder: string): () => void {
  const release = lockFolder(folder)
  if (release) return release
  throw new Failure(
    'unavailable',
    `the data folder ${folder} is in use by another Plantroom: stop it or set PLANTROOM_DATA to another folder`,
  )
}

/** The disk of the folder, in bytes. */
export async function diskOf(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** Rejects when the folder can no longer be written. */
export async function checkFolder(folder: string): Promise<void> {
  await access(folder, constants.W_OK)
  const { bavail } = await statfs(folder)
  if (bavail === 0) throw new Error('the disk is full')
}
