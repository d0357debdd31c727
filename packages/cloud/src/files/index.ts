/** Stores packages, attachments and exports, on disk or in S3. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import { diskRoutes } from './disk-routes.ts'
import type { Files } from './open-files.ts'

export { type DiskStore, openDiskStore } from './disk-store.ts'
export { type BlobBatch, type BlobWriter, explainWrite, type FileStore } from './file-store.ts'
export { blobKey, exportKey, type PackageKey, packageKey } from './keys.ts'
export { type Files, openFiles } from './open-files.ts'
export { openScratch, type Scratch } from './scratch.ts'

/** Adds the routes of a disk store. A bucket serves its own addresses. */
export async function register(app: FastifyInstance, deps: { files: Files; clock: Clock; log: Log }): Promise<void> {
  const { files, clock, log } = deps
  if (files.disk) await diskRoutes(app, { disk: files.disk, clock, log })
}
