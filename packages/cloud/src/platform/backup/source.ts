import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Failure } from '@plantroom/contract/failure'
import { decrypt, isEncrypted, type Keys } from './encryption.ts'

const BUFFER_BYTES = 1024 * 1024
const HEAD_BYTES = 64

/** The bytes of a backup from its beginning, decrypted if they have to be. */
export interface Source {
  readonly size: number
  readonly position: number
  /** Reads 1 to `most` bytes, which are valid until the next call; none at the end. */
  read(most: number): Promise<Buffer>
}

/** A file that can be read from its beginning as often as you like. */
export interface SourceFile {
  start(): Promise<Source>
  close(): void
}

/** Opens a backup. Throws when it is encrypted and there are no keys, or the other way round. */
export function openSource(path: string, keys: Keys | undefined): SourceFile {
  const file = openFile(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const encrypted = isEncrypted(path, head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)))
    if (encrypted && !keys) {
      throw new Failure('unavailable', `${path} is encrypted: give --identity-file FILE or --passphrase-file FILE`)
    }
    // A backup that a stranger put in its place would be plain.
    if (!encrypted && keys) {
      throw new Failure('unavailable', `${path} is not encrypted: check where it comes from, or leave out the key`)
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    async start() {
      const { size } = fstatSync(file)
      if (!keys) return sourceOf(readFile(file, true), size)
      const decrypted = await decrypt(path, { source: readFile(file, false), size, keys })
      return sourceOf(decrypted.chunks, decrypted.size)
    },
    close: () => closeSync(file),
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new Failure('unavailable', `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** With `reuse`, a chunk is valid until the next one is read. Streams keep chunks for longer. */
async function* readFile(file: number, reuse: boolean): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  for (let position = 0; ; ) {
    if (!reuse) buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
    const count = readSync(file, buffer, 0, BUFFER_BYTES, position)
    if (count === 0) return
    position += count
    yield buffer.subarray(0, count)
  }
}

function sourceOf(chunks: AsyncIterator<Uint8Array>, size: number): Source {
  let rest: Uint8Array = new Uint8Array(0)
  let position = 0
  return {
    size,
    get position() {
      return position
    },
    async read(most) {
      while (rest.length === 0) {
        const next = await chunks.next()
        if (next.done) return Buffer.alloc(0)
        rest = next.value
      }
      const taken = rest.subarray(0, most)
      rest = rest.subarray(taken.length)
      position += taken.length
      return Buffer.from(taken.buffer, taken.byteOffset, taken.length)
    },
  }
}
