import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Finding, ok, problem, reasonOf, warning } from './check.ts'

const OTHERS = 0o007
const GB = 1_000_000_000
const MB = 1_000_000

/** Whether the data folder can be written, flushed and kept secret. Writes one small file and removes it. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) return [await whyMissing(folder, found)]
  if (!found.isDirectory()) {
    return [problem(`${folder} is not a folder`, 'remove it, or set PLANTROOM_DATA to a folder')]
  }
  const findings = [await writeAndFlush(folder)]
  if ((found.mode & OTHERS) !== 0) {
    findings.push(warning(`everyone on this machine can look into ${folder}`, `chmod o= ${folder}`))
  }
  return findings
}

async function whyMissing(folder: string, { code }: NodeJS.ErrnoException): Promise<Finding> {
  const remedy = 'set PLANTROOM_DATA to a folder that this user may write, or run this as the user of the service'
  if (code !== 'ENOENT') return problem(`${folder} cannot be opened (${code})`, remedy)
  let parent = dirname(folder)
  while (parent !== dirname(parent) && !(await exists(parent))) parent = dirname(parent)
  const isWritable = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  )
  return isWritable
    ? ok(`${folder} does not exist yet; the first start creates it`)
    : problem(`${folder} does not exist, and this user may not create it`, remedy)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function writeAndFlush(folder: string): Promise<Finding> {
  const path = join(folder, `doctor-${randomUUID()}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile('probe')
      await file.sync()
    } finally {
      await file.close()
    }
    return ok(`${folder} can be written and flushed`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy =
      code === 'ENOSPC'
        ? 'free space on its disk'
        : code === 'EROFS'
          ? 'mount its disk for writing; a file system that became read-only by itself often has a failing disk'
          : 'give it to the user of the service (chown), or run this as that user'
    return problem(`${folder} cannot be written (${reasonOf(error)})`, remedy)
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** Whether the disk of a folder has room. `enough` and `little` are in bytes. */
export async function checkDisk(
  folder: string,
  { enough, little }: { enough: number; little: number },
): Promise<Finding> {
  let place = folder
  while (place !== dirname(place) && !(await exists(place))) place = dirname(place)
  const { bavail, bsize, files, ffree } = await statfs(place)
  const free = bavail * bsize
  const text = `${free >= GB ? `${(free / GB).toFixed(1)} GB` : `${Math.floor(free / MB)} MB`} free at ${place}`
  const remedy = 'free space, or move the data folder to a larger disk'
  if (files > 0 && ffree === 0)
    return problem(`no file can be created at ${place}: it has no inodes left`, 'remove files')
  if (free < little) return problem(text, remedy)
  return free < enough ? warning(text, remedy) : ok(text)
}
