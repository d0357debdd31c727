import { createHash, type Hash, hash } from 'node:crypto'
import { type Entry, type OpenPackage, readEntries } from '@plantroom/fpl/read-package'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import type { BlobBatch, BlobWriter, FileStore } from '../../platform/files/index.ts'
import { attachmentsOf } from './plan.ts'

/** Looks up extracted attachments. */
export interface Extracted {
  /** Returns the hash and size of the file at a path of the package. */
  fileOf(path: string): { sha256: Buffer; size: number }
}

interface Extractor extends Extracted {
  /**
   * Stores the files of these requests, in order of offset. `kept` resolves when they would survive a power cut; only then
   * may rows that refer to them be committed.
   */
  extract(tickets: readonly ManifestRequest[], signal: AbortSignal): Promise<{ kept: Promise<void> }>
}

/** Extracts attachments from a package. A file that several requests refer to is read once. */
export function createExtractor(
  { source, archive }: OpenPackage,
  siteId: string,
  files: Pick<FileStore, 'openBlobBatch'>,
): Extractor {
  const hashes = new Map<Entry, Buffer>()

  function find(path: string): Entry {
    const entry = archive.find(path)
    if (!entry) throw new Error(`${path} is not in the package, although the check found it`)
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
      // Not awaited: the next files are read while these are flushed.
      const kept = batch.flush().catch((error: unknown) => {
        batch.discard()
        throw error
      })
      // The caller handles the rejection when it awaits `kept`.
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
