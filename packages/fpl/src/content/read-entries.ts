import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import type { EntryVisitor } from './entry-visitor.ts'
import { readLarge, turnOfOthers } from './read-large.ts'
import { createRunReader } from './read-run.ts'
import { isLarge, runsOf } from './runs.ts'

/**
 * Hands the content of entries of a verified archive to `visit`, in order of offset, and sees that each is what the archive says: its
 * size, its checksum, and compressed data that ends where it should. Throws `PackageRefused` at the first that is not, and the
 * reason of `signal` when that ends it. Takes about 12 MB of memory, whatever the entries are.
 */
export async function readEntries(
  source: ByteSource,
  entries: readonly Entry[],
  visit: EntryVisitor,
  signal?: AbortSignal,
): Promise<void> {
  using reader = createRunReader(source)
  for (const run of runsOf(entries)) {
    signal?.throwIfAborted()
    const [first] = run.entries
    if (first && isLarge(first)) {
      await readLarge(source, first, visit, signal)
      continue
    }
    for (const { entry, content } of reader.read(run)) {
      const pending = visit(entry, content, true)
      // A turn of its own for each of 50,000 entries would be a good part of the whole time.
      if (pending) await pending
    }
    await turnOfOthers()
  }
}
