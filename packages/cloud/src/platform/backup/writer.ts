import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { FORMAT, type Manifest, NAMES } from './format.ts'
import { BLOCK, paddingOf, tarHeader } from './tar.ts'

const BUFFER_BYTES = 1024 * 1024
/** Bounds the memory for digests. */
const ENTRIES_PER_LIST = 1000
const ZEROS = Buffer.alloc(BLOCK)

/** Receives a buffer, which is used again once the promise resolves. */
export type Write = (bytes: Uint8Array) => Promise<void>

export interface BackupWriter {
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Adds a file of the disk; resolves with its size and SHA-256. */
  addFile(name: string, path: string): Promise<{ size: number; sha256: string }>
  /** Writes the last entry. Resolves when everything was given to `write`. */
  finish(counts: Pick<Manifest, 'rows' | 'files' | 'fileBytes'>): Promise<{ bytes: number; manifest: Manifest }>
}

interface State {
  /** Filled while the other one is written. */
  buffer: Buffer
  other: Buffer
  used: number
  bytes: number
  writing: Promise<void>
  list: string[]
  lists: number
}

/** Writes a backup as a tar file, in one pass and with a fixed amount of memory. */
export function createBackupWriter(write: Write, createdMs: number): BackupWriter {
  const state: State = {
    buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    other: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    used: 0,
    bytes: 0,
    writing: Promise.resolve(),
    list: [],
    lists: 0,
  }
  const all = createHash('sha256')

  async function addUnlisted(name: string, bytes: Uint8Array): Promise<void> {
    await put(state, write, tarHeader({ name, size: bytes.length }, createdMs))
    await put(state, write, bytes)
    await put(state, write, ZEROS.subarray(0, paddingOf(bytes.length)))
  }

  async function writeList(): Promise<void> {
    const text = Buffer.from(state.list.join(''))
    all.update(text)
    state.list = []
    state.lists += 1
    await addUnlisted(`${NAMES.digests}${String(state.lists).padStart(6, '0')}`, text)
  }

  async function note(name: string, sha256: string): Promise<void> {
    state.list.push(`${sha256}  ${name}\n`)
    if (state.list.length === ENTRIES_PER_LIST) await writeList()
  }

  return {
    async add(name, bytes) {
      await addUnlisted(name, bytes)
      await note(name, hash('sha256', bytes))
    },

    async addFile(name, path) {
      const file = openSync(path, 'r')
      try {
        const { size } = fstatSync(file)
        await put(state, write, tarHeader({ name, size }, createdMs))
        const sha256 = await putFile(state, write, file, size, path)
        await put(state, write, ZEROS.subarray(0, paddingOf(size)))
        await note(name, sha256)
        return { size, sha256 }
      } finally {
        closeSync(file)
      }
    },

    async finish(counts) {
      if (state.list.length > 0) await writeList()
      const manifest = { format: FORMAT, ...counts, digest: all.digest('hex') }
      await addUnlisted(NAMES.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      await put(state, write, Buffer.alloc(2 * BLOCK))
      await flush(state, write)
      await state.writing
      return { bytes: state.bytes, manifest }
    },
  }
}

async function put(state: State, write: Write, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    if (state.used === BUFFER_BYTES) await flush(state, write)
    const length = Math.min(bytes.length - done, BUFFER_BYTES - state.used)
    state.buffer.set(bytes.subarray(done, done + length), state.used)
    state.used += length
    done += length
  }
}

/** Reads into the buffer itself and without promises: most files are small, and they are many. */
async function putFile(state: State, write: Write, file: number, size: number, path: string): Promise<string> {
  if (size <= BUFFER_BYTES) {
    if (state.used + size > BUFFER_BYTES) await flush(state, write)
    const from = state.used
    while (state.used < from + size) state.used += readSome(state, file, from + size - state.used, path)
    return hash('sha256', state.buffer.subarray(from, from + size))
  }
  const sum = createHash('sha256')
  for (let left = size; left > 0; ) {
    if (state.used === BUFFER_BYTES) await flush(state, write)
    const count = readSome(state, file, Math.min(left, BUFFER_BYTES - state.used), path)
    sum.update(state.buffer.subarray(state.used, state.used + count))
    state.used += count
    left -= count
  }
  return sum.digest('hex')
}

function readSome(state: State, file: number, length: number, path: string): number {
  const count = readSync(file, state.buffer, state.used, length, null)
  if (count === 0) throw new Error(`${path} became shorter while it was read`)
  return count
}

/** Starts to write the filled buffer, and continues with the other one. */
async function flush(state: State, write: Write): Promise<void> {
  await state.writing
  const full = state.buffer.subarray(0, state.used)
  state.bytes += full.length
  state.writing = write(full)
  // The next flush reports a failure; until then, it must not count as unhandled.
  state.writing.catch(() => {})
  const { buffer } = state
  state.buffer = state.other
  state.other = buffer
  state.used = 0
}
