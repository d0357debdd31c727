import type { Entry } from './archive/archive.ts'
import { type ByteSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { entryContent } from './content/entry-content.ts'
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
      content: (entry) => wordedContent(source, entry),
      [Symbol.dispose]: () => source.close(),
    }
  } catch (error) {
    source.close()
    throw error
  }
}

async function* wordedContent(source: ByteSource, entry: Entry): AsyncGenerator<Uint8Array, void> {
  try {
    yield* entryContent(source, entry)
  } catch (error) {
    worded(() => {
      throw error
    })
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
