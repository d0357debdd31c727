import type { Entry } from './archive/archive.ts'
import { type ByteSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { readEntries } from './content/read-entries.ts'
import { archiveRefused, PackageRefused } from './refusal.ts'

export type { Entry } from './archive/archive.ts'

/** A ZIP file with a verified structure, whatever it contains. The content of its files is unverified. */
export interface OpenArchive extends Disposable {
  /** In order of offset, without folders. */
  readonly files: readonly Entry[]
  /** Returns the file with this path, in any Unicode normalization form. */
  find(path: string): Entry | undefined
  /**
   * Yields the content of a file in chunks, each valid until the next is requested. Throws after the last chunk if size or
   * checksum is wrong, and never yields more than the declared size.
   */
  content(entry: Entry): AsyncGenerator<Uint8Array, void>
}

/** A ZIP file that readers could understand differently, that is damaged, or that exceeds the limits of a package. */
export class ArchiveRefused extends Error {}

/** Opens any ZIP file under the rules and limits of packages. Throws `ArchiveRefused`, or an error of the file system. */
export function openArchive(path: string): OpenArchive {
  const source = openFileSource(path)
  try {
    const archive = worded(() => verifyArchive(source))
    return {
      files: archive.files,
      find: archive.find,
      content: (entry) => entryContent(source, entry),
      [Symbol.dispose]: () => source.close(),
    }
  } catch (error) {
    source.close()
    throw error
  }
}

/** Turns the push of `readEntries` into a pull: its visitor waits until the consumer asks for more. */
async function* entryContent(source: ByteSource, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const stop = new AbortController()
  let offered = Promise.withResolvers<Uint8Array | undefined>()
  let taken = Promise.withResolvers<void>()
  const reading = readEntries(
    source,
    [entry],
    (_entry, bytes) => {
      offered.resolve(bytes)
      return taken.promise
    },
    stop.signal,
  ).then(
    () => offered.resolve(undefined),
    (error) => offered.reject(error),
  )
  try {
    for (let bytes = await offered.promise; bytes !== undefined; bytes = await offered.promise) {
      offered = Promise.withResolvers()
      // A consumer that stops early never asks for this promise.
      offered.promise.catch(() => {})
      if (bytes.length > 0) yield bytes
      const previous = taken
      taken = Promise.withResolvers()
      previous.resolve()
    }
  } catch (error) {
    throw worded(() => {
      throw error
    })
  } finally {
    stop.abort()
    taken.resolve()
    await reading
  }
}

const PREFIX = archiveRefused('').message

/** Keeps the detail of a refusal: this archive is no package. */
function worded<Result>(action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    if (error instanceof PackageRefused) throw new ArchiveRefused(error.message.replace(PREFIX, ''))
    throw error
  }
}
