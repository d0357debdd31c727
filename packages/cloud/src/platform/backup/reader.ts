import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Failure } from '@plantroom/contract/failure'
import { type Description, damaged, incomplete, type Manifest, NAMES, readDescription, readManifest } from './format.ts'
import { BLOCK, paddingOf, readTarHeader, type TarEntry } from './tar.ts'

const BUFFER_BYTES = 1024 * 1024
const ZEROS = Buffer.alloc(2 * BLOCK)
/** More than any entry that is read as a whole: COPY cannot have a longer row. */
const MAX_WHOLE_BYTES = 1024 * 1024 * 1024

/** An entry, while the reader is at it. */
export interface BackupEntry extends TarEntry {
  /** Yields the contents. Each chunk is valid until the next one is read. */
  chunks(): Iterable<Buffer>
  /** Returns the contents as a whole, for entries that are known to be small. */
  whole(): Buffer
}

/** Reads a backup from its beginning, as often as you like. Every entry is compared with its digest. */
export interface BackupReader {
  readonly description: Description
  readonly bytes: number
  /**
   * Yields the entries between description and manifest, and returns the manifest. Throws at the first that is damaged,
   * which may be after it was yielded.
   */
  entries(): Generator<BackupEntry, Manifest>
  close(): void
}

interface State {
  path: string
  file: number
  position: number
  /** Lines of digests that no list has confirmed yet. */
  unconfirmed: string[]
}

export function openBackup(path: string): BackupReader {
  const state: State = { path, file: openFile(path), position: 0, unconfirmed: [] }
  try {
    const first = nextHeader(state)
    if (first?.name !== NAMES.description) throw notABackup(path)
    const description = readDescription(path, wholeOf(state, first).toString())
    return {
      description,
      bytes: fstatSync(state.file).size,
      entries() {
        state.position = 0
        state.unconfirmed = []
        return readEntries(state)
      },
      close: () => closeSync(state.file),
    }
  } catch (error) {
    closeSync(state.file)
    throw error
  }
}

const notABackup = (path: string) => new Failure('unavailable', `${path} is not a backup of Plantroom`)

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new Failure('unavailable', `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function* readEntries(state: State): Generator<BackupEntry, Manifest> {
  const all = createHash('sha256')
  for (;;) {
    const header = nextHeader(state)
    if (!header) throw incomplete(state.path)
    if (header.name === NAMES.manifest) {
      const manifest = readManifest(state.path, wholeOf(state, header).toString())
      requireZeros(state, fstatSync(state.file).size - state.position, 2 * BLOCK)
      if (state.unconfirmed.length > 0 || all.digest('hex') !== manifest.digest)
        throw damaged(state.path, 'its digests differ')
      return manifest
    }
    if (header.name.startsWith(NAMES.digests)) {
      const list = wholeOf(state, header)
      all.update(list)
      confirm(state, list.toString())
    } else {
      yield* readEntry(state, header)
    }
  }
}

function* readEntry(state: State, header: TarEntry): Generator<BackupEntry> {
  const sum = createHash('sha256')
  const contents = contentsOf(state, header, sum)
  yield { ...header, chunks: () => contents, whole: () => concat(state, header, contents) }
  // What the caller did not read belongs to the digest, too.
  while (!contents.next().done);
  state.unconfirmed.push(`${sum.digest('hex')}  ${header.name}`)
}

function confirm(state: State, list: string): void {
  const lines = list.split('\n').slice(0, -1)
  const wrong = state.unconfirmed.find((line, index) => line !== lines[index])
  if (wrong !== undefined) throw damaged(state.path, `${wrong.slice(66)} has other contents than when it was written`)
  if (lines.length !== state.unconfirmed.length) throw damaged(state.path, 'an entry is missing')
  state.unconfirmed = []
}

function nextHeader(state: State): TarEntry | undefined {
  const block = Buffer.alloc(BLOCK)
  const count = readSync(state.file, block, 0, BLOCK, state.position)
  if (count < BLOCK) return undefined
  const header = readTarHeader(block)
  if (header === 'end') return undefined
  if (!header) throw state.position === 0 ? notABackup(state.path) : damaged(state.path, `byte ${state.position}`)
  state.position += BLOCK
  return header
}

function* contentsOf(state: State, { size }: TarEntry, sum: { update(bytes: Buffer): unknown }): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, BUFFER_BYTES))
  const end = state.position + size
  if (end > fstatSync(state.file).size) throw incomplete(state.path)
  while (state.position < end) {
    const wanted = Math.min(buffer.length, end - state.position)
    const count = readSync(state.file, buffer, 0, wanted, state.position)
    if (count === 0) throw incomplete(state.path)
    state.position += count
    const chunk = buffer.subarray(0, count)
    sum.update(chunk)
    yield chunk
  }
  requireZeros(state, paddingOf(size))
}

function requireZeros(state: State, count: number, atLeast = 0): void {
  const zeros = Buffer.alloc(Math.max(0, Math.min(count, 2 * BLOCK)), 1)
  if (count < atLeast || readSync(state.file, zeros, 0, zeros.length, state.position) < count) {
    throw incomplete(state.path)
  }
  if (!zeros.equals(ZEROS.subarray(0, zeros.length))) throw damaged(state.path, `byte ${state.position}`)
  state.position += count
}

const NO_SUM = { update() {} }

const wholeOf = (state: State, header: TarEntry) => concat(state, header, contentsOf(state, header, NO_SUM))

function concat(state: State, { name, size }: TarEntry, contents: Iterable<Buffer>): Buffer {
  if (size > MAX_WHOLE_BYTES) throw damaged(state.path, `${name} is too large`)
  if (size > fstatSync(state.file).size) throw incomplete(state.path)
  const whole = Buffer.allocUnsafe(size)
  let done = 0
  for (const chunk of contents) done += chunk.copy(whole, done)
  return whole
}
