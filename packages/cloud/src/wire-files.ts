import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { CloudConfig } from './config.ts'
import { type DiskStore, openDiskStore } from './files/disk-store.ts'
import type { FileStore } from './files/file-store.ts'
import { openScratch } from './files/scratch.ts'
import { loadSigningSecret } from './files/signing-secret.ts'

export interface Files {
  store: FileStore
  /** Where the store is on disk: the one that answers its own addresses. */
  disk: DiskStore | undefined
  /** A folder of this process, on the file system of the store. */
  scratch: string
}

/** Chooses where files are kept. Every process that handles files opens them by itself. */
export async function openFiles(
  config: Pick<CloudConfig, 'folder' | 's3'>,
  deps: { parts: AsyncDisposableStack; clock: Clock; baseUrl(): string },
): Promise<Files> {
  const folder = join(config.folder, 'files')
  const scratch = await openScratch(join(folder, 'unfinished'))
  deps.parts.defer(() => scratch.close())
  if (config.s3) {
    // Some 30 MB of a process, for those who need it.
    const { openS3Store } = await import('./files/s3-store.ts')
    const files = openS3Store(config.s3, { scratch })
    deps.parts.defer(() => files.close())
    return { store: files, disk: undefined, scratch: scratch.folder }
  }
  const secret = await loadSigningSecret(config.folder)
  const disk = await openDiskStore({ folder, scratch, secret, baseUrl: deps.baseUrl, clock: deps.clock })
  return { store: disk, disk, scratch: scratch.folder }
}
