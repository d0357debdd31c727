import { createHash } from 'node:crypto'
import { Failure } from '@plantroom/contract/failure'
import type { Keys } from './encryption.ts'
import { type Description, damaged, incomplete, type Manifest, NAMES, readDescription, readManifest } from './format.ts'
import { openSource, type Source } from './source.ts'
import { BLOCK, paddingOf, readTarHeader, type TarEntry } from './tar.ts'

const ZEROS = Buffer.alloc(2 * BLOCK)
/** More than any entry that is read as a whole: COPY cannot have a longer row. */
const MAX_WHOLE_BYTES = 1024 * 1024 * 1024

/** An entry, while the reader is at it. */
export interface BackupEntry extends TarEntry {
  /** Yields the contents. Each chunk is valid until the next one is read. */
  chunks(): AsyncIterable<Buffer>
  /** Returns the contents as a whole, for entries that are known to be small. */
  whole(): Promise<Buffer>
}

/** Reads a backup from its beginning, as often as you like. Every entry is compared with its digest. */
export interface BackupReader {
  readonly description: Description
  /** Of the backup, without its encryption. */
  readonly bytes: number
  /**
   * Yields the entries between description and manifest, and returns the manifest. Throws at the first that is damaged,
   * which may be after it was yielded.
   */
  entries(): AsyncGenerator<BackupEntry, Manifest>
  close(): void
}

interface State {
  path: string
  source: Source
  /** Lines of digests that no list has confirmed yet. */
  unconfirmed: string[]
}

/** Opens a backup; `keys` open an encrypted one. */
export async function openBackup(path: string, keys?: Keys): Promise<BackupReader> {
  const file = openSource(path, keys)
  const start = async (): Promise<State> => ({ path, source: await file.start(), unconfirmed: [] })
  try {
    const state = await start()
    const first = await nextHeader(state)
    if (first?.name !== NAMES.description) throw notABackup(path)
    const description = readDescription(path, (await wholeOf(state, first)).toString())
    return {
      description,
      bytes: state.source.size,
      async *entries() {
        return yield* readEntries(await start())
      },
      close: file.close,
    }
  } catch (error) {
    file.close()
    throw error
  }
}

const notABackup = (path: string) => new Failure('unavailable', `${path} is not a backup of Plantroom`)

async function* readEntries(state: State): AsyncGenerator<BackupEntry, Manifest> {
  const all = createHash('sha256')
  for (;;) {
    const header = await nextHeader(state)
    if (!header) throw incomplete(state.path)
    if (header.name === NAMES.manifest) {
      const manifest = readManifest(state.path, (await wholeOf(state, header)).toString())
      await requireEnd(state)
      if (state.unconfirmed.length > 0 || all.digest('hex') !== manifest.digest)
        throw damaged(state.path, 'its digests differ')
      return manifest
    }
    if (header.name.startsWith(NAMES.digests)) {
      const list = await wholeOf(state, header)
      all.update(list)
      confirm(state, list.toString())
    } else {
      yield* readEntry(state, header)
    }
  }
}

async function* readEntry(state: State, header: TarEntry): AsyncGenerator<BackupEntry> {
  const sum = createHash('sha256')
  const contents = contentsOf(state, header, sum)
  yield { ...header, chunks: () => contents, whole: () => concat(state, header, contents) }
  // What the caller did not read belongs to the digest, too.
  while (!(await contents.next()).done);
  state.unconfirmed.push(`${sum.digest('hex')}  ${header.name}`)
}

function confirm(state: State, list: string): void {
  const lines = list.split('\n').slice(0, -1)
  const wrong = state.unconfirmed.find((line, index) => line !== lines[index])
  if (wrong !== undefined) throw damaged(state.path, `${wrong.slice(66)} has other contents than when it was written`)
  if (lines.length !== state.unconfirmed.length) throw damaged(state.path, 'an entry is missing')
  state.unconfirmed = []
}

async function nextHeader(state: State): Promise<TarEntry | undefined> {
  const { position } = state.source
  const block = await exactly(state, BLOCK)
  if (!block) return undefined
  const header = readTarHeader(block)
  if (header === 'end') return undefined
  if (!header) throw position === 0 ? notABackup(state.path) : damaged(state.path, `byte ${position}`)
  return header
}

/** Reads so many bytes; `undefined` when there are fewer. */
async function exactly({ source }: State, count: number): Promise<Buffer | undefined> {
  const first = await source.read(count)
  if (first.length === count) return first
  const whole = Buffer.alloc(count)
  let done = first.copy(whole)
  while (done < count) {
    const next = await source.read(count - done)
    if (next.length === 0) return undefined
    done += next.copy(whole, done)
  }
  return whole
}

async function* contentsOf(
  state: State,
  { size }: TarEntry,
  sum: { update(bytes: Buffer): unknown },
): AsyncGenerator<Buffer> {
  if (state.source.position + size > state.source.size) throw incomplete(state.path)
  for (let left = size; left > 0; ) {
    const chunk = await state.source.read(left)
    if (chunk.length === 0) throw incomplete(state.path)
    left -= chunk.length
    sum.update(chunk)
    yield chunk
  }
  await requireZeros(state, paddingOf(size))
}

/** A backup ends with exactly two blocks of zeros. */
async function requireEnd(state: State): Promise<void> {
  await requireZeros(state, 2 * BLOCK)
  // Reads to the end, where an encrypted backup proves that it was not cut.
  const { position } = state.source
  if ((await state.source.read(1)).length > 0) throw damaged(state.path, `byte ${position}`)
}

async function requireZeros(state: State, count: number): Promise<void> {
  if (count === 0) return
  const { position } = state.source
  const zeros = await exactly(state, count)
  if (!zeros) throw incomplete(state.path)
  if (!zeros.equals(ZEROS.subarray(0, count))) throw damaged(state.path, `byte ${position}`)
}

const NO_SUM = { update() {} }

const wholeOf = (state: State, header: TarEntry) => concat(state, header, contentsOf(state, header, NO_SUM))

async function concat(state: State, { name, size }: TarEntry, contents: AsyncIterable<Buffer>): Promise<Buffer> {
  if (size > MAX_WHOLE_BYTES) throw damaged(state.path, `${name} is too large`)
  if (size > state.source.size) throw incomplete(state.path)
  const whole = Buffer.allocUnsafe(size)
  let done = 0
  for await (const chunk of contents) done += chunk.copy(whole, done)
  return whole
}
