import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { contentVersion } from './content-version.ts'
import { flushAll, foldersBetween, freeBytes, pathOf } from './durable-files.ts'
import { explainWrite } from './file-store.ts'
import { openIfThere, publish, statPackage } from './file-versions.ts'
import { organizationOfPackage, type PackageKey, readPackageKey } from './keys.ts'
import { allNumbers, type PartStore, type PartUpload } from './part-store.ts'
import { receiveFile } from './receive-file.ts'
import type { Scratch } from './scratch.ts'
import type { SumOf } from './sums.ts'
import { RESERVE_BYTES } from './upload-reservations.ts'
import type { UploadTurn } from './upload-turns.ts'

const COPY_BYTES = 1024 * 1024
const FOLDER = 'parts'

/** A part as its signed address describes it. */
export interface PartGrant {
  storeId: string
  number: number
  size: number
  sha256: string
}

type Listed = Pick<PartUpload, 'key' | 'storeId'>

export interface DiskParts extends Omit<PartStore, 'url'> {
  /** Stores one part. Once this resolves, the part survives a power cut. Rejects bytes other than those of the grant. */
  receive(key: PackageKey, part: PartGrant, source: Readable, onBytes?: (bytes: number) => void): Promise<void>
  /** What the unfinished uploads of an organization will take. */
  bytesOf(organizationId: string): Promise<number>
}

interface DiskPartsDeps {
  scratch: Scratch
  clock: Clock
  sumOf: SumOf
  turns(organizationId: string): UploadTurn
}

/**
 * Keeps the parts of each upload in one file at their places, with a list of those that are complete. A part arrives in a
 * temporary file and is copied when its checksum is right: a stored part is never overwritten by anything else.
 */
export function openDiskParts(root: string, deps: DiskPartsDeps): DiskParts {
  const { scratch, clock, sumOf, turns } = deps
  const place = ({ key, storeId }: Listed) => folderOf(root, key, storeId)

  return {
    async begin(key, size) {
      if ((await freeBytes(root)) - RESERVE_BYTES < size) throw new Failure('full', NO_ROOM)
      const storeId = newId('parts')
      const folder = place({ key, storeId })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await using file = await open(dataIn(folder), 'wx', 0o600)
      // Its whole length counts from now on, although the disk takes only what is written.
      await file.truncate(size)
      await file.sync()
      await flushAll(root, foldersBetween(root, folder))
      return storeId
    },

    async receive(key, part, source, onBytes) {
      const folder = place({ key, storeId: part.storeId })
      if (!(await openable(dataIn(folder)))) throw goneUpload()
      const turn = turns(organizationOfPackage(key))
      const temporary = scratch.path()
      try {
        await using file = await open(temporary, 'wx+', 0o600)
        await receiveFile(source, file, clock, { onBytes, flush: false, turn })
        const sum = await turn(() => sumOf(file, { from: 0, to: part.size }))
        if (sum !== part.sha256) throw notThePart(part.number)
        if ((await readSums(folder)).get(part.number) === part.sha256) return
        await turn(() => copyPart(file, folder, part))
        await appendSum(folder, part)
      } catch (error) {
        throw explainWrite(error)
      } finally {
        await rm(temporary, { force: true })
      }
    },

    stored: async (upload) => new Set((await readSums(place(upload))).keys()),

    async finish(upload, sums) {
      const folder = place(upload)
      const path = pathOf(root, upload.key)
      const version = contentVersion(sums, upload.size)
      const current = await statPackage(path, deps)
      // Finished before, by a process that could not say so any more.
      const isFinished = current?.version === version && !(await openable(dataIn(folder)))
      if (!isFinished) {
        const done = await readSums(folder)
        if (!allNumbers(upload.size).every((number) => done.get(number) === sums[number - 1])) throw goneUpload()
        await publishData(root, { folder, path, version }, scratch)
      }
      await rm(folder, { recursive: true, force: true })
    },

    abort: (upload) => rm(place(upload), { recursive: true, force: true }),

    list: (before) => listUploads(root, before),

    async bytesOf(organizationId) {
      let total = 0
      for await (const { folder } of foldersBelow(root, organizationId)) {
        total += (await stat(dataIn(folder)).catch(() => ({ size: 0 }))).size
      }
      return total
    },
  }
}

export const NO_ROOM = 'the disk of the service is too full for this file; contact the operator, then send it again'

const dataIn = (folder: string) => join(folder, 'data')
const sumsIn = (folder: string) => join(folder, 'sums')

function folderOf(root: string, key: PackageKey, storeId: string): string {
  const [, ...levels] = key.split('/')
  return join(root, FOLDER, ...levels, storeId)
}

async function openable(path: string): Promise<boolean> {
  const file = await openIfThere(path)
  await file?.close()
  return file !== undefined
}

const goneUpload = () =>
  new Failure('notFound', 'this upload is gone: it was completed, cancelled or replaced; start it again')
const notThePart = (number: number) =>
  new Failure('invalid', `the bytes are not those of part ${number} that the address was made for: send the part again`)

/** Writes a checked part to its place and flushes it. Two senders of one part write the same bytes. */
async function copyPart(from: FileHandle, folder: string, { number, size }: PartGrant): Promise<void> {
  await using data = await open(dataIn(folder), 'r+').catch(refuseGone)
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, size))
  const offset = (number - 1) * PART_BYTES
  for (let done = 0; done < size; ) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, done)
    if (bytesRead === 0) throw new Error('a temporary file became shorter')
    for (let written = 0; written < bytesRead; ) {
      written += (await data.write(buffer, written, bytesRead - written, offset + done + written)).bytesWritten
    }
    done += bytesRead
  }
  await data.datasync()
}

/** A line begins with its own line break: what a power cut left of an earlier one does not spoil it. */
async function appendSum(folder: string, { number, sha256 }: PartGrant): Promise<void> {
  await using file = await open(sumsIn(folder), 'a', 0o600).catch(refuseGone)
  await appendFile(file, `\n${number} ${sha256}\n`)
  await file.datasync()
}

const LINE = /^(\d{1,5}) ([0-9a-f]{64})$/

async function readSums(folder: string): Promise<ReadonlyMap<number, string>> {
  const text = await readFile(sumsIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const sums = new Map<number, string>()
  for (const line of text.split('\n')) {
    const [, number, sum] = LINE.exec(line) ?? []
    if (number !== undefined && sum !== undefined) sums.set(Number(number), sum)
  }
  return sums
}

async function publishData(
  root: string,
  { folder, path, version }: { folder: string; path: string; version: string },
  scratch: Scratch,
): Promise<void> {
  try {
    await publish(root, { temporary: dataIn(folder), path, version }, scratch)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw goneUpload()
    throw explainWrite(error)
  }
}

function refuseGone(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? goneUpload() : error
}

async function* listUploads(root: string, before: Date): AsyncGenerator<Listed> {
  for await (const { folder, key, storeId } of foldersBelow(root)) {
    const { birthtimeMs } = await stat(folder).catch(() => ({ birthtimeMs: Number.POSITIVE_INFINITY }))
    if (birthtimeMs < before.getTime()) yield { key, storeId }
  }
}

/** Lists the folders of uploads, of an organization or of all. */
async function* foldersBelow(root: string, organizationId = ''): AsyncGenerator<Listed & { folder: string }> {
  const top = join(root, FOLDER)
  const entries = await readdir(join(top, organizationId), { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (entry.name !== 'data') continue
    const folder = entry.parentPath
    const key = readPackageKey(`packages/${relative(top, dirname(folder)).split(sep).join('/')}`)
    if (key) yield { folder, key, storeId: basename(folder) }
  }
}
