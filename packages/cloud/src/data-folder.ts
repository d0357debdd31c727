import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
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
