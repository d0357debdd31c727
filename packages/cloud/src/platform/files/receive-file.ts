import type { FileHandle } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import { every } from '@plantroom/base/clock'
import { explainWrite } from './file-store.ts'
import { freeBuffers } from './free-buffers.ts'
import type { UploadTurn } from './upload-turns.ts'

// Slower senders are cut off: they occupy a connection and disk space.
const LOOK_MS = 60_000
const MIN_BYTES_PER_LOOK = 64 * 1024
/** Maximum buffered while the upload waits for its turn; then written in one call. */
const BUFFERED_BYTES = 512 * 1024
/** Larger files are flushed while they arrive, so that little is left for the final flush. */
const UNFLUSHED_BYTES = 64 * 1024 * 1024

export class Stalled extends Error {
  constructor() {
    super('the sender was too slow')
  }
}

interface ReceiveOptions {
  /** Called with the size of each chunk that arrives. */
  onBytes?: ((bytes: number) => void) | undefined
  /** Called after each write with the size that the file has now. */
  onWritten?(size: number): void
  /** False leaves the flush to the caller. */
  flush?: boolean
  /** Runs each write and the last flush. */
  turn?: UploadTurn
}

/**
 * Writes `source` to an empty file and flushes it, in bounded memory. Rejects when the source ends early, stalls (`Stalled`)
 * or the disk is full. Leaves the source open, so that the sender can still get an answer.
 */
export async function receiveFile(
  source: Readable,
  file: FileHandle,
  clock: Clock,
  { onBytes, onWritten, flush = true, turn = (step) => step() }: ReceiveOptions = {},
): Promise<void> {
  let writing = Promise.resolve()
  let size = 0
  const write = (chunks: Uint8Array[], done: (error?: Error) => void) => {
    const written = turn(() => writeAll(file, chunks)).then((bytes) => {
      size += bytes
      onWritten?.(size)
    })
    writing = written.then(() => done(), done)
  }
  // Not `createWriteStream`, which would close the caller's file during a write.
  const out = new Writable({
    highWaterMark: BUFFERED_BYTES,
    write: (chunk, _encoding, done) => write([chunk], done),
    writev: (waiting, done) =>
      write(
        waiting.map(({ chunk }) => chunk),
        done,
      ),
  })
  let received = 0
  let flushed = 0
  let flushing: Promise<void> | undefined
  const { promise: written, resolve, reject } = Promise.withResolvers<void>()

  function count(chunk: Uint8Array) {
    received += chunk.length
    onBytes?.(chunk.length)
    freeBuffers(chunk.length)
    if (!flush || flushing || received - flushed < UNFLUSHED_BYTES) return
    flushed = received
    flushing = file.datasync().then(() => {
      flushing = undefined
    }, reject)
  }
  const onClose = () => {
    if (!source.readableEnded) reject(source.errored ?? new Error('the sender disconnected'))
  }

  let seen = 0
  const stopLooking = every(clock, LOOK_MS, () => {
    // While our disk is the bottleneck, the sender cannot send.
    if (received - seen < MIN_BYTES_PER_LOOK && !out.writableNeedDrain) reject(new Stalled())
    seen = received
  })

  source.on('data', count).once('error', reject).once('close', onClose)
  out.once('error', reject).once('finish', resolve)
  if (source.destroyed) onClose()
  source.pipe(out)
  try {
    await written
    await flushing
    if (flush) await turn(() => file.sync())
  } catch (error) {
    source.unpipe(out)
    out.destroy()
    await Promise.all([writing, flushing])
    throw explainWrite(error)
  } finally {
    stopLooking()
    source.off('data', count).off('close', onClose)
  }
}

/** Resolves with the number of bytes. */
async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<number> {
  let bytes = 0
  for (let left = chunks; left.length > 0; ) {
    const { bytesWritten } = await file.writev(left)
    bytes += bytesWritten
    left = withoutFirst(left, bytesWritten)
  }
  return bytes
}

/** Drops what was written: a nearly full disk writes a part and fails at the next call. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = 0
  return chunks.flatMap((chunk) => {
    const from = Math.min(chunk.length, bytes - skipped)
    skipped += from
    return from === chunk.length ? [] : [chunk.subarray(from)]
  })
}
