import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { archiveBytes, type FileToWrite } from './write-package-archive.ts'

/** What goes into a package. Sources are read one after another, in order, and only as fast as the output takes them. */
export interface PackageContent {
  /** The public address of the schema, for editors. */
  readonly schema?: string
  /** RFC 3339. */
  readonly exportedAt?: string
  /** Requests as the manifest holds them. Written as they are: whether they keep the rules is the checker's to say. */
  readonly tickets: AsyncIterable<object> | Iterable<object>
  /** Asked for once the last ticket is written. Paths start with `attachments/`. */
  readonly attachments: AsyncIterable<FileToWrite> | Iterable<FileToWrite>
}

/**
 * Writes a package to a file: whole, flushed and under its name, or not at all. What a reader would refuse as an archive
 * (a limit, an unsafe path, a path twice) ends it with an error that says so, as does an error of a source.
 */
export async function writePackage(
  path: string,
  content: PackageContent,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  // Unflushed, a power cut after the rename can leave a package of the right name and no content.
  const file = createWriteStream(temporary, { flags: 'wx', flush: true })
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  using _listener = signal && addAbortListener(signal, () => reject(signal.reason))
  try {
    // The pipeline alone would wait for a source that never answers.
    await Promise.race([pipeline(packageBytes(content), file, { ...(signal && { signal }) }), givenUp])
    await rename(temporary, path)
  } catch (error) {
    file.destroy()
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve))
    await rm(temporary, { force: true })
    throw error
  }
}

/** The bytes of a package, for an output of any kind: the same content gives the same bytes. */
export function packageBytes(content: PackageContent): AsyncGenerator<Uint8Array, void> {
  return archiveBytes(filesOf(content))
}

// The manifest first: one that grows too large is refused before gigabytes of attachments are read for it.
async function* filesOf(content: PackageContent): AsyncGenerator<FileToWrite, void> {
  yield { path: 'manifest.json', content: manifestBytes(content) }
  for await (const attachment of content.attachments) {
    if (!attachment.path.startsWith('attachments/')) {
      throw new Error(`The package cannot be written: ${attachment.path}: must start with attachments/`)
    }
    yield attachment
  }
}

/** A line a ticket, so that a person can read it and a tool can compare two. */
async function* manifestBytes({ schema, exportedAt, tickets }: PackageContent): AsyncGenerator<Uint8Array, void> {
  const head = JSON.stringify({ $schema: schema, version: '1.0', exportedAt })
  let separator = `${head.slice(0, -1)},"tickets":[\n`
  for await (const ticket of tickets) {
    yield Buffer.from(separator + JSON.stringify(ticket))
    separator = ',\n'
  }
  yield Buffer.from(separator === ',\n' ? '\n]}\n' : `${separator}]}\n`)
}
