/** Stores packages, attachments and exports, on disk or in S3. */
import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import { diskRoutes } from './disk-routes.ts'
import { type DiskStore, openDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import type { S3Settings } from './s3-client.ts'
import type { S3Store } from './s3-store.ts'
import { openScratch } from './scratch.ts'
import { loadSigningSecret } from './signed-address.ts'

export { linkShortLived, listDiskFiles } from './disk-list.ts'
export { type DiskStore, openDiskStore } from './disk-store.ts'
export { inlineDisposition } from './download-headers.ts'
export { flushAll, freeBytes, pathOf } from './durable-files.ts'
export {
  type BlobBatch,
  type BlobWriter,
  explainWrite,
  type FileStore,
  type StoredPackage,
  tooManyPackageBytes,
} from './file-store.ts'
export {
  attachmentUploadName,
  blobKey,
  exportKey,
  type FileKey,
  organizationOfPackage,
  type PackageKey,
  packageKey,
  readKey,
  sourceKey,
  sourceUploadName,
} from './keys.ts'
export { allNumbers, bytesIn, type PartUpload } from './part-store.ts'
export type { S3Store } from './s3-store.ts'
export { openScratch, type Scratch } from './scratch.ts'
export { RESERVE_BYTES } from './upload-reservations.ts'

export interface Files {
  store: FileStore
  /** The store, when it is on disk and serves its own addresses. */
  disk: DiskStore | undefined
  /** The store, when it is a bucket. */
  bucket: S3Store | undefined
  /** Folder of this process for temporary files, on the file system of the store. */
  scratch: string
}

/** Opens the file store of the settings. Every process that handles files opens it. */
export async function openFiles(
  config: { folder: string; s3: S3Settings | undefined },
  deps: { parts: AsyncDisposableStack; clock: Clock; baseUrl(): string },
): Promise<Files> {
  const folder = join(config.folder, 'files')
  const scratch = await openScratch(join(folder, 'unfinished'))
  deps.parts.defer(() => scratch.close())
  if (config.s3) {
    // Loaded only when used: the SDK takes 30 MB of memory.
    const { openS3Store } = await import('./s3-store.ts')
    const files = openS3Store(config.s3, { scratch })
    deps.parts.defer(() => files.close())
    return { store: files, disk: undefined, bucket: files, scratch: scratch.folder }
  }
  const secret = await loadSigningSecret(config.folder)
  const disk = await openDiskStore({ folder, scratch, secret, baseUrl: deps.baseUrl, clock: deps.clock })
  return { store: disk, disk, bucket: undefined, scratch: scratch.folder }
}

/** Writes, reads and deletes an object in the bucket. Rejects with the step that failed. */
export async function probeBucket(settings: S3Settings, signal: AbortSignal): Promise<void> {
  const { probeS3 } = await import('./s3-probe.ts')
  await probeS3(settings, signal)
}

/** Adds the routes of a disk store. A bucket serves its own addresses. */
export async function register(
  app: FastifyInstance,
  deps: { files: Files; maxPackageBytes: number; clock: Clock; log: Log },
): Promise<void> {
  const { files, maxPackageBytes, clock, log } = deps
  if (files.disk) await diskRoutes(app, { disk: files.disk, maxPackageBytes, clock, log })
}
