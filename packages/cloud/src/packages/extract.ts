import { createHash, type Hash, hash } from 'node:crypto'
import { type Entry, type OpenPackage, readEntries } from '@plantroom/fpl/read-package'
import type { BlobBatch, BlobWriter, FileStore } from '../files/file-store.ts'
import { attachmentsOf, type ManifestTicket } from './manifest-ticket.ts'

/** Attachments that are in the files of the site by now: their hashes. */
export interface Extracted {
  /** Of the file of the package that has this path. */
  fileOf(path: string): { sha256: Buffer; size: number }
}

interface Extractor extends Extracted {
  /** Hands over the files of these requests, in order of offset. Rows that name them may be committed once they are `kept`. */
  extract(tickets: readonly ManifestTicket[], signal: AbortSignal): Promise<{ kept: Promise<void> }>
}

/** A file that several requests name is read once. */
export function createExtractor(
  { source, archive }: OpenPackage,
  siteId: string,
  files: Pick<FileStore, 'openBlobBatch'>,
): Extractor {
  const hashes = new Map<Entry, Buffer>()

  function find(path: string): Entry {
    const entry = archive.find(path)
    if (!entry) throw new Error(`${path} was in the package when it was checked`)
    return entry
  }

  return {
    fileOf(path) {
      const entry = find(path)
      const sha256 = hashes.get(entry)
      if (!sha256) throw new Error(`${path} was not extracted`)
      return { sha256, size: entry.size }
    },
    async extract(tickets, signal) {
      const entries = new Set<Entry>()
      for (const { path } of tickets.flatMap(attachmentsOf)) {
        const entry = find(path)
        if (!hashes.has(entry)) entries.add(entry)
      }
      if (entries.size === 0) return { kept: Promise.resolve() }
      const batch = files.openBlobBatch(siteId)
      const stored = await storeEntries(source, [...entries], batch, signal)
      for (const [entry, sha256] of stored) hashes.set(entry, sha256)
      // The next files are read while these are flushed.
      const kept = batch.flush().catch((error: unknown) => {
        batch.discard()
        throw error
      })
      // It is told to whoever waits for it.
      kept.catch(() => {})
      return { kept }
    },
  }
}

async function storeEntries(
  source: OpenPackage['source'],
  entries: readonly Entry[],
  batch: BlobBatch,
  signal: AbortSignal,
): Promise<Map<Entry, Buffer>> {
  const stored = new Map<Entry, Buffer>()
  let open: { writer: BlobWriter; hash: Hash } | undefined
  try {
    await readEntries(
      source,
      entries,
      (entry, bytes, isLast) => {
        if (isLast && !open) {
          const sha256 = hash('sha256', bytes, 'buffer')
          stored.set(entry, sha256)
          return batch.add(sha256, bytes)
        }
        open ??= { writer: batch.begin(), hash: createHash('sha256') }
        const { writer, hash: sum } = open
        sum.update(bytes)
        writer.write(bytes)
        if (!isLast) return
        open = undefined
        const sha256 = sum.digest()
        stored.set(entry, sha256)
        return writer.finish(sha256)
      },
      signal,
    )
    return stored
  } catch (error) {
    open?.writer.discard()
    batch.discard()
    throw error
  }
}
