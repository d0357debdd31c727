import { constants } from 'node:fs'
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushAll, freeBytes as freeBytesOf } from '../../../platform/files/index.ts'
import { type SendOptions, type SentFile, type Target, TargetFailure, temporaryName } from './target.ts'

/** The database and uploads need room on the same disk, perhaps. */
const RESERVE_BYTES = 128 * 1024 * 1024
const SEGMENT = /^[A-Za-z0-9äöõüÄÖÕÜ_()-][A-Za-z0-9äöõüÄÖÕÜ ._()-]{0,99}$/
const MAX_SEGMENTS = 8

/** Says why a path below the folder of a site is not allowed; `undefined` when it is. */
export function problemOfPath(path: string): string | undefined {
  if (path === '') return undefined
  const segments = path.normalize('NFC').split('/')
  if (segments.length > MAX_SEGMENTS) return `path has more than ${MAX_SEGMENTS} levels`
  if (segments.every((segment) => SEGMENT.test(segment) && !/[. ]$/.test(segment))) return undefined
  return 'path may have letters, digits, spaces and _ - . ( ) between single slashes, and no level may begin or end with a dot or a space'
}

/** A folder of one site, below the folder that the operator set. No two sites share one. */
export function openFolder(
  place: { root: string; organizationId: string; siteId: string; path: string },
  { freeBytes = freeBytesOf }: { freeBytes?: (folder: string) => Promise<number> } = {},
): Target {
  const { root, organizationId, siteId } = place
  const path = place.path.normalize('NFC')

  /** Walks down from the root and refuses links: nothing outside it is ever written or removed. */
  async function requireFolder(): Promise<string> {
    if (problemOfPath(path) !== undefined) throw new TargetFailure('the path of the folder is not allowed: correct it')
    let folder = await realpath(root).catch(() => {
      throw new TargetFailure(
        'the folder for exports does not exist: ask the operator to create PLANTROOM_EXPORT_FOLDER',
      )
    })
    for (const segment of [organizationId, siteId, ...path.split('/').filter((text) => text !== '')]) {
      folder = join(folder, segment)
      await mkdir(folder, { mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      if (!(await lstat(folder)).isDirectory()) {
        throw new TargetFailure(`${segment} is a link or a file, not a folder: ask the operator to replace it`)
      }
    }
    return folder
  }

  async function write(folder: string, temporary: string, file: SentFile, options: SendOptions): Promise<void> {
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o640)
    try {
      for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
        options.signal.throwIfAborted()
        options.progress()
        for (let done = 0; done < chunk.length; ) {
          done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten
        }
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    const { size } = await stat(temporary)
    if (size !== file.size) throw new TargetFailure(`the file in ${folder} has ${size} bytes instead of ${file.size}`)
  }

  return {
    put: (name, file, options) =>
      explained(options.signal, async () => {
        const folder = await requireFolder()
        await rm(join(folder, temporaryName(name, options.attempt - 1)), { force: true })
        if ((await freeBytes(folder)) - file.size < RESERVE_BYTES) throw full()
        const temporary = join(folder, temporaryName(name, options.attempt))
        try {
          await write(folder, temporary, file, options)
          await rename(temporary, join(folder, name))
          await flushAll(folder, [folder])
        } catch (error) {
          await rm(temporary).catch(() => {})
          throw error
        }
      }),

    read: (name, signal) =>
      explained(signal, async () =>
        readFile(join(await requireFolder(), name), { flag: constants.O_RDONLY | constants.O_NOFOLLOW }),
      ),

    remove: (name, signal) => explained(signal, async () => rm(join(await requireFolder(), name), { force: true })),
    close() {},
  }
}

const full = () => new TargetFailure('the disk of the export folder is full: ask the operator to free space')

async function explained<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof TargetFailure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOSPC' || code === 'EDQUOT') throw full()
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new TargetFailure('the export folder cannot be written: ask the operator to allow it for this service')
    }
    throw new TargetFailure(`the export folder cannot be used (${code}): ask the operator`)
  }
}
