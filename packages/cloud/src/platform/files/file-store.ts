import type { Readable } from 'node:stream'
import { Failure } from '@plantroom/contract/failure'
import type { FileKey, PackageKey } from './keys.ts'
import type { PartStore } from './part-store.ts'

/** Stores packages, attachments and exports, on disk or in S3. */
export interface FileStore {
  /** Returns an address to which anyone can PUT the file until it expires. */
  uploadUrl(key: PackageKey, options: { expiresInS: number }): Promise<string>
  /** Returns an address from which anyone can GET the file until it expires. Browsers save it instead of showing it. */
  downloadUrl(key: FileKey, options: DownloadOptions): Promise<string>
  /** Returns the current file, or undefined. */
  stat(key: FileKey): Promise<FileStat | undefined>
  /**
   * Copies or links one version into `folder` and returns the path, which is read-only. Later uploads do not affect it.
   * Rejects with `conflict` when the file was replaced and with `notFound` when it is gone.
   */
  fetch(key: FileKey, version: string, folder: string, options?: { signal?: AbortSignal }): Promise<string>
  /** Reads the current file; rejects with `notFound` when there is none. */
  read(key: FileKey): Promise<Readable>
  /** Moves the file at `path` into the store. Once this resolves, the file survives a power cut. */
  put(key: FileKey, path: string): Promise<void>
  /** Removes the file if it exists; with a `version`, only if that is the current one. */
  remove(key: FileKey, version?: string): Promise<void>
  /** Removes every file of a site that no longer exists. Safe to repeat. */
  removeSite(organizationId: string, siteId: string): Promise<void>
  /** Lists the packages of an organization, or of all, in no particular order. */
  listPackages(organizationId?: string): AsyncIterable<StoredPackage>
  /** True when the store itself refuses uploads beyond what an organization may store. A bucket cannot. */
  readonly limitsUploads: boolean
  /** Uploads of packages in parts. */
  readonly parts: PartStore
  /** Opens a batch of attachments of one site. */
  openBlobBatch(siteId: string): BlobBatch
}

export interface FileStat {
  size: number
  /** Identifies an upload among those with the same name. */
  version: string
}

export interface StoredPackage extends FileStat {
  key: PackageKey
  /** When it was stored, in milliseconds. */
  storedAt: number
}

interface DownloadOptions {
  filename: string
  /** The sender's media type; anything invalid is served as `application/octet-stream`. */
  contentType?: string | null | undefined
  expiresInS: number
}

/**
 * Attachments that are stored together. None is visible before `flush`; content that the store already has is not written
 * again. When the disk is full, an error says so and no partial file stays.
 */
export interface BlobBatch {
  /** Adds a file from memory. The caller may reuse the buffer once this returns or resolves. */
  add(sha256: Uint8Array, bytes: Uint8Array): void | Promise<void>
  /** Starts a large file that arrives in chunks; its hash is known at the end. */
  begin(): BlobWriter
  /** Makes everything added durable. Rows that refer to the files may be committed once this resolves. */
  flush(): Promise<void>
  /** Discards files that were not flushed. */
  discard(): void
}

export interface BlobWriter {
  write(chunk: Uint8Array): void
  finish(sha256: Uint8Array): void | Promise<void>
  discard(): void
}

export const gone = () => new Failure('notFound', 'the file is gone: upload it again')
export const replaced = () =>
  new Failure('conflict', 'the file was replaced by another upload of the same name: start again with the new file')

/** Converts a write error of a full disk into a message for the user; returns other errors unchanged. */
export function explainWrite(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Failure('unavailable', 'the disk is full: free some space, then try again')
}

/** Says that an organization has stored as many packages as it may. */
export const tooManyPackageBytes = (max: number) =>
  `this organization has reached its limit of ${max} bytes of uploaded packages: import one, which removes it; packages that nobody imports are removed after 7 days`

/** True for the full-disk error of `explainWrite`. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Failure && error.message.startsWith('the disk is full')
}
