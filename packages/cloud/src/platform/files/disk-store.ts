import { type BigIntStats, createWriteStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { partRange } from '@plantroom/contract/uploads'
import { findVersion, forgetVersion } from './content-version.ts'
import { openDiskBlobBatch } from './disk-blobs.ts'
import { type DiskParts, openDiskParts } from './disk-parts.ts'
import { mediaType } from './download-headers.ts'
import { freeBytes, moveIntoPlace, pathOf } from './durable-files.ts'
import { explainWrite, type FileStat, type FileStore, gone, replaced, type StoredPackage } from './file-store.ts'
import {
  hasVersion,
  identityOf,
  openIfThere,
  publish,
  statOf,
  statPackage,
  type VersionDeps,
  versionLike,
} from './file-versions.ts'
import {
  type FileKey,
  organizationOfPackage,
  type PackageKey,
  packagesFolder,
  readPackageKey,
  siteFolders,
} from './keys.ts'
import { receiveFile } from './receive-file.ts'
import type { Scratch } from './scratch.ts'
import { type Grant, readGrant, signGrant } from './signed-address.ts'
import { createContentSum, createSums } from './sums.ts'
import { createUploadTurns, type UploadTurn } from './upload-turns.ts'

const COPY_BYTES = 1024 * 1024

interface DiskStoreDeps {
  /** Created if missing. */
  folder: string
  /** On the file system of `folder`. */
  scratch: Scratch
  secret: Buffer
  /** Prefix of addresses. A function, because it is known only once the service listens. */
  baseUrl(): string
  clock: Clock
}

/** A file store that also serves its own addresses, as S3 does. */
export interface DiskStore extends FileStore {
  /** Verifies an address. Throws `forbidden` when it is invalid or expired. */
  verify(request: Parameters<typeof readGrant>[1]): Grant
  freeBytes(): Promise<number>
  /** The size of all packages of an organization, with those of which only some parts have arrived. Looks at each file. */
  packageBytes(organizationId: string): Promise<number>
  /** Stores an upload completely or not at all, replacing an earlier one. Calls `onBytes` for all that arrives. */
  receive(key: PackageKey, source: Readable, onBytes?: (bytes: number) => void): Promise<FileStat>
  receivePart: DiskParts['receive']
  /** Opens the current file; later uploads do not affect the reader. */
  open(key: FileKey): Promise<OpenFile | undefined>
}

interface OpenFile extends FileStat {
  read(range?: { from: number; to: number }): Readable
  close(): Promise<void>
}

/** Stores files in a folder. Never writes to a final name: a rename replaces the file, and readers keep the old one. */
export async function openDiskStore(deps: DiskStoreDeps): Promise<DiskStore> {
  const { folder: root, scratch, secret, clock } = deps
  await mkdir(root, { recursive: true, mode: 0o700 })
  const place = (key: FileKey) => pathOf(root, key)

  function address(path: string, grant: Grant): string {
    return `${deps.baseUrl()}/${path}?${signGrant(secret, grant)}`
  }
  const expiry = (seconds: number) => Math.ceil(clock.now() / 1000) + seconds

  const turns = createUploadTurns()
  // Turns of their own: the next part is written while the checksum of one is computed.
  const sumTurns = createUploadTurns()
  const versions = { scratch, sumOf: createSums() }
  const parts = openDiskParts(root, { ...versions, clock, turns })

  return {
    async uploadUrl(key, { expiresInS }) {
      const [, ...parts] = key.split('/')
      return address(`uploads/${parts.join('/')}`, { method: 'PUT', key, expires: expiry(expiresInS) })
    },

    async downloadUrl(key, { filename, contentType, expiresInS }) {
      const grant = { filename: filename.toWellFormed(), contentType: mediaType(contentType) }
      return address(`downloads/${key}`, { method: 'GET', key, expires: expiry(expiresInS), ...grant })
    },

    stat: (key) => (isPackage(key) ? statPackage(place(key), versions) : statOf(place(key))),

    fetch: (key, version, folder) => linkVersion(place(key), version, folder, versions),

    async read(key) {
      const file = await open(place(key), 'r').catch(refuseMissing)
      return file.createReadStream()
    },

    async put(key, path) {
      try {
        await moveIntoPlace(root, await moveNearby(path, scratch), place(key))
      } catch (error) {
        throw explainWrite(error)
      }
    },

    remove: (key, version) => removeVersion(place(key), version, versions),

    async removeSite(organizationId, siteId) {
      for (const folder of siteFolders(organizationId, siteId))
        await rm(join(root, folder), { recursive: true, force: true })
    },

    listPackages: (organizationId) => listPackages(root, organizationId),

    limitsUploads: true,

    openBlobBatch: (siteId) => openDiskBlobBatch(root, siteId, scratch),

    verify: (request) => readGrant(secret, request, clock.now()),

    freeBytes: () => freeBytes(root),

    packageBytes: async (organizationId) =>
      (await packageBytes(root, organizationId)) + (await parts.bytesOf(organizationId)),

    parts: {
      ...parts,
      async url({ key, storeId, size }, { number, sha256 }, { expiresInS }) {
        const [, ...levels] = key.split('/')
        const part = { storeId, number, sha256, size: partRange(size, number).size }
        const path = `uploads/${levels.join('/')}/${storeId}/${number}`
        return address(path, { method: 'PUT', key, expires: expiry(expiresInS), part })
      },
    },

    receivePart: parts.receive,

    async receive(key, source, onBytes) {
      const organizationId = organizationOfPackage(key)
      const turn = { write: turns(organizationId), sum: sumTurns(organizationId) }
      return receiveInto(root, place(key), { source, onBytes, turn }, { ...versions, clock })
    },

    async open(key) {
      const file = await openIfThere(place(key))
      if (!file) return undefined
      const { size, version } = identityOf(await file.stat({ bigint: true }))
      return {
        size,
        version,
        read: (range) =>
          file.createReadStream({ highWaterMark: COPY_BYTES, ...(range && { start: range.from, end: range.to }) }),
        close: () => file.close(),
      }
    },
  }
}

/** Links the file into `folder` if it still is this version. Later uploads do not affect the link. */
async function linkVersion(path: string, version: string, folder: string, deps: VersionDeps): Promise<string> {
  const file = await open(path, 'r').catch(refuseMissing)
  try {
    if ((await versionLike(version, file, path, deps)) !== version) throw replaced()
    const linked = join(folder, newId('file'))
    await linkOpen(path, file, linked)
    return linked
  } finally {
    await file.close()
  }
}

/** Removes a file if it is this version, or any version if none is given. */
async function removeVersion(path: string, version: string | undefined, deps: VersionDeps): Promise<void> {
  const isOther = async (at: string) => version !== undefined && !(await hasVersion(at, version, path, deps))
  if (await isOther(path)) return
  // Renamed before the second check, so that an upload in between is not removed by mistake.
  const aside = deps.scratch.path()
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (await isOther(aside)) {
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      // EEXIST: another upload arrived in the meantime and stays.
      if (error.code !== 'EEXIST') throw error
    })
  } else {
    await forgetVersion(path)
  }
  await rm(aside, { force: true })
}

interface Arriving {
  source: Readable
  onBytes: ((bytes: number) => void) | undefined
  turn: { write: UploadTurn; sum: UploadTurn }
}

/** Writes an upload to a temporary file and moves it into place when it is complete. */
async function receiveInto(
  root: string,
  path: string,
  { source, onBytes, turn }: Arriving,
  { scratch, sumOf, clock }: VersionDeps & { clock: Clock },
): Promise<FileStat> {
  const temporary = scratch.path()
  try {
    const version = await receiveSummed()
    return await publish(root, { temporary, path, version }, scratch)
  } catch (error) {
    await rm(temporary, { force: true })
    throw explainWrite(error)
  }

  async function receiveSummed(): Promise<string> {
    await using file = await open(temporary, 'wx+', 0o600)
    await using sum = createContentSum(file, sumOf, turn.sum)
    await receiveFile(source, file, clock, { onBytes, onWritten: sum.grow, turn: turn.write })
    return await sum.version()
  }
}

async function packageBytes(root: string, organizationId: string): Promise<number> {
  let total = 0
  for await (const { found } of packageFiles(root, organizationId)) total += Number(found.size)
  return total
}

async function* listPackages(root: string, organizationId?: string): AsyncGenerator<StoredPackage> {
  for await (const { key, path, found } of packageFiles(root, organizationId)) {
    const { size, version: identity } = identityOf(found)
    yield { key, size, version: (await findVersion(path, identity)) ?? identity, storedAt: Number(found.mtimeMs) }
  }
}

async function* packageFiles(
  root: string,
  organizationId?: string,
): AsyncGenerator<{ key: PackageKey; path: string; found: BigIntStats }> {
  const folder = join(root, packagesFolder(organizationId))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const key = entry.isFile() ? readPackageKey(relative(root, path).split(sep).join('/')) : undefined
    if (!key) continue
    // A file may be removed, or replaced by another upload, while they are listed.
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    if (found) yield { key, path, found }
  }
}

const isPackage = (key: FileKey): key is PackageKey => key.startsWith('packages/')

function refuseMissing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? gone() : error
}

/** Links the open file to a second path, or copies it where the file system cannot link. */
async function linkOpen(path: string, file: FileHandle, target: string): Promise<void> {
  try {
    await link(path, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw gone()
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'EMLINK') throw explainWrite(error)
    return await copyOpen(file, target)
  }
  const linked = await stat(target, { bigint: true })
  if (linked.ino === (await file.stat({ bigint: true })).ino) return
  await rm(target)
  throw replaced()
}

async function copyOpen(file: FileHandle, path: string): Promise<void> {
  try {
    await pipeline(() => readAll(file), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  } catch (error) {
    await rm(path, { force: true })
    throw explainWrite(error)
  }
}

/** Reads without `createReadStream`, which would close the file. */
async function* readAll(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(COPY_BYTES), 0, COPY_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Flushes a file and moves it to the disk of the store. */
async function moveNearby(path: string, scratch: Scratch): Promise<string> {
  const near = scratch.path()
  const file = await open(path, 'r')
  try {
    await file.sync()
    await rename(path, near).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error
      await copyOpen(file, near)
      await rm(path)
    })
  } finally {
    await file.close()
  }
  return near
}
