import type { Readable } from 'node:stream'
import { Failure } from '@plantroom/contract/failure'
import type { ExportKey, FileKey, PackageKey } from './keys.ts'

/** Where packages, attachments and exports are kept: on disk or in S3, the same to whoever uses it. */
export interface FileStore {
  /** An address to which anyone may PUT the file's bytes, without a key, until it expires. */
  uploadUrl(key: PackageKey, options: { expiresInS: number }): Promise<string>
  /** An address from which anyone may GET the file until it expires; a browser saves it and never shows it. */
  downloadUrl(key: FileKey, options: DownloadOptions): Promise<string>
  /** What is there now, or `undefined`. */
  stat(key: FileKey): Promise<FileStat | undefined>
  /**
   * The path of a file in `folder` that holds exactly the bytes of that version, whatever is uploaded meanwhile. It is
   * for reading only. Rejects with `conflict` when the file was replaced, with `notFound` when it is gone.
   */
  fetch(key: FileKey, version: string, folder: string, options?: { signal?: AbortSignal }): Promise<string>
  /** The bytes as they are now; rejects with `notFound` when there are none. */
  read(key: FileKey): Promise<Readable>
  /** Keeps the file at `path`, which is the store's from then on. When it resolves, a power cut takes nothing back. */
  put(key: ExportKey, path: string): Promise<void>
  /** Removes the file; with a `version`, only when it still is that one. Nothing happens when there is none. */
  remove(key: FileKey, version?: string): Promise<void>
  /** Many attachments at once, for one site. */
  openBlobBatch(siteId: string): BlobBatch
}

export interface FileStat {
  size: number
  /** Tells apart two uploads under one name. */
  version: string
}

export interface DownloadOptions {
  filename: string
  /** What the sender said it is; anything that is no media type is served as bytes. */
  contentType?: string | null | undefined
  expiresInS: number
}

/**
 * Attachments that are stored together. Nothing of them is there before `flush`; what is there already is not written
 * again. When one does not fit, `the disk is full` is thrown and no half file is left.
 */
export interface BlobBatch {
  /** A file that is whole in memory; its bytes may be reused as soon as the result is there. */
  add(sha256: Uint8Array, bytes: Uint8Array): void | Promise<void>
  /** A large file that comes in pieces, its hash at the end. */
  begin(): BlobWriter
  /** When it resolves, all that was added would outlive a power cut: the rows that name it may be committed. */
  flush(): Promise<void>
  /** Forgets what was added and not flushed. */
  discard(): void
}

export interface BlobWriter {
  write(chunk: Uint8Array): void
  finish(sha256: Uint8Array): void | Promise<void>
  /** Leaves nothing of it behind. */
  discard(): void
}

export const gone = () => new Failure('notFound', 'the file is gone: upload it again')
export const replaced = () =>
  new Failure('conflict', 'the file was replaced by another upload of the same name: start again with the new one')

/** What a failed write is told as: a full disk can be mended by whoever reads of it. */
export function explainWrite(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Failure('unavailable', 'the disk is full: make room on it, then try again')
}

/** Whether `explainWrite` has said so. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Failure && error.message.startsWith('the disk is full')
}
