import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { lockFolder } from '@plantroom/base/folder-lock'
import { Failure } from '@plantroom/contract/failure'

/** Makes the data folder, or says in one line why it cannot be used. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(
      'unavailable',
      `the data folder ${folder} cannot be written (${code}): set PLANTROOM_DATA to one that can`,
    )
  }
}

/** Takes the folder for this process alone; the returned function gives it back. */
export function takeFolder(folder: string): () => void {
  const giveBack = lockFolder(folder)
  if (giveBack) return giveBack
  throw new Failure(
    'unavailable',
    `the data folder ${folder} is in use by another Plantroom: stop it or set PLANTROOM_DATA to another folder`,
  )
}

/** Rejects when nothing can be written any more. */
export async function checkFolder(folder: string): Promise<void> {
  await access(folder, constants.W_OK)
  const { bavail } = await statfs(folder)
  if (bavail === 0) throw new Error('the disk is full')
}
