import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { flushAll, foldersBetween, pathOf } from './durable-files.ts'
import { type BlobBatch, type BlobWriter, explainWrite } from './file-store.ts'
import { blobKey } from './keys.ts'
import type { Scratch } from './scratch.ts'
import { openTemporaryFile } from './scratch.ts'

/**
 * Stores attachments on disk. Writes synchronously, which is three times as fast for small files. Files get their final names
 * after a flush, so that every named file is complete, even after a power cut.
 */
export function openDiskBlobBatch(root: string, siteId: string, scratch: Scratch): BlobBatch {
  /** Temporary paths by final path, until the flush. */
  const waiting = new Map<string, string>()

  const isThere = (path: string, size: number) =>
    waiting.has(path) || statSync(path, { throwIfNoEntry: false })?.size === size

  return {
    add(sha256, bytes) {
      const path = pathOf(root, blobKey(siteId, sha256))
      if (isThere(path, bytes.length)) return
      const writer = openTemporaryFile(scratch.path())
      writer.write(bytes)
      waiting.set(path, writer.close())
    },

    begin(): BlobWriter {
      const writer = openTemporaryFile(scratch.path())
      return {
        write: writer.write,
        finish(sha256) {
          const temporary = writer.close()
          const path = pathOf(root, blobKey(siteId, sha256))
          if (isThere(path, writer.size())) rmSync(temporary, { force: true })
          else waiting.set(path, temporary)
        },
        discard: writer.discard,
      }
    },

    async flush() {
      if (waiting.size === 0) return
      try {
        await flushAll(root, [...waiting.values()])
        const folders = new Set<string>()
        for (const [path, temporary] of waiting) {
          if (!folders.has(dirname(path))) {
            mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
            folders.add(dirname(path))
          }
          renameSync(temporary, path)
          waiting.delete(path)
        }
        const toFlush = new Set([...folders].flatMap((folder) => foldersBetween(root, folder)))
        await flushAll(root, [...toFlush])
      } catch (error) {
        throw explainWrite(error)
      }
    },

    discard() {
      for (const temporary of waiting.values()) rmSync(temporary, { force: true })
      waiting.clear()
    },
  }
}
