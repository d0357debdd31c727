import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Manifest } from './manifest/manifest.ts'
import { archiveBytes, type FileToWrite } from './write/archive-bytes.ts'

/**
 * The content of a package. Sources are read one after another, in order, and only as fast as the output accepts them.
 */
export interface PackageContent {
  /** The public address of the schema, for editors. */
  readonly schema?: string
  /** RFC 3339. */
  readonly exportedAt?: string
  /** Requests in the form of the manifest. They are written unchecked. */
  readonly tickets: AsyncIterable<object> | Iterable<object>
  /** Requested after the last ticket. Paths start with `attachments/`. */
  readonly attachments: AsyncIterable<FileToWrite> | Iterable<FileToWrite>
}

/**
 * Writes a package to a file: complete, flushed and under its name, or not at all. Throws if a reader would reject the
 * archive (a limit, an unsafe path, a duplicate path) or if a source fails.
 */
export async function writePackage(
  path: string,
  content: PackageContent,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  // Flush first: a power cut after the rename could otherwise leave an empty package under the right name.
  const file = createWriteStream(temporary, { flags: 'wx', flush: true })
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  using _listener = signal && addAbortListener(signal, () => reject(signal.reason))
  try {
    // Without this the pipeline would wait for a source that never answers.
    await Promise.race([pipeline(packageBytes(content), file, { ...(signal && { signal }) }), givenUp])
    await rename(temporary, path)
  } catch (error) {
    file.destroy()
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve))
    await rm(temporary, { force: true })
    throw error
  }
}

/** Returns the bytes of a package, for any kind of output. Equal content gives equal bytes. */
export function packageBytes(content: PackageContent): AsyncGenerator<Uint8Array, void> {
  return archiveBytes(filesOf(content))
}

// The manifest comes first, so that an oversized one is rejected before gigabytes of attachments are read.
async function* filesOf(content: PackageContent): AsyncGenerator<FileToWrite, void> {
  yield { path: 'manifest.json', content: manifestBytes(content) }
  for await (const attachment of content.attachments) {
    if (!attachment.path.startsWith('attachments/')) {
      throw new Error(`The package cannot be written: ${attachment.path}: must start with attachments/`)
    }
    yield attachment
  }
}

/** Yields one line per ticket, for people who read the manifest and tools that compare two. */
async function* manifestBytes({ schema, exportedAt, tickets }: PackageContent): AsyncGenerator<Uint8Array, void> {
  const head: Omit<Manifest, 'tickets'> = {
    ...(schema !== undefined && { $schema: schema }),
    version: '1.0',
    ...(exportedAt !== undefined && { exportedAt }),
  }
  let separator = `${JSON.stringify(head).slice(0, -1)},"tickets":[\n`
  for await (const ticket of tickets) {
    yield Buffer.from(separator + JSON.stringify(ticket))
    separator = ',\n'
  }
  yield Buffer.from(separator === ',\n' ? '\n]}\n' : `${separator}]}\n`)
}
