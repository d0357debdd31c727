import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import type { EntryVisitor } from './entry-visitor.ts'
import { readLarge, turnOfOthers } from './read-large.ts'
import { createRunReader } from './read-run.ts'
import { isLarge, runsOf } from './runs.ts'

/**
 * Passes the content of a verified archive's entries to `visit`, in order of offset, and verifies each: its size, its
 * checksum, and where its compressed data ends. Throws `PackageRefused` at the first mismatch, or the abort reason of
 * `signal`. Uses about 12 MB of memory for any entries.
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
      // Awaiting every one of 50,000 entries would take a noticeable part of the total time.
      if (pending) await pending
    }
    await turnOfOthers()
  }
}
