import type { FileHandle } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import { every } from '@plantroom/base/clock'
import { explainWrite } from './file-store.ts'

/** A sender that brings less than this in a minute is given up: it holds a connection and room on the disk. */
const LOOK_MS = 60_000
const LEAST_BYTES = 64 * 1024
/** What waits in memory while the disk is busy, and is then written in one go. */
const WAITING_BYTES = 1024 * 1024
/** How much is left for the flush at the end: a larger file is flushed as it comes. */
const UNFLUSHED_BYTES = 64 * 1024 * 1024

export class Stalled extends Error {
  constructor() {
    super('too little came in a minute')
  }
}

/**
 * Writes all of `source` into an empty file and flushes it, in bounded memory. Rejects when the source breaks off,
 * stalls (`Stalled`) or the disk is full; the source is left as it is, so that its sender can still be answered.
 */
export async function receiveFile(source: Readable, file: FileHandle, clock: Clock): Promise<void> {
  let writing = Promise.resolve()
  const write = (chunks: Uint8Array[], done: (error?: Error) => void) => {
    writing = writeAll(file, chunks).then(() => done(), done)
  }
  // Not a stream of the file system's: that would close the file, which is not ours, under a write.
  const out = new Writable({
    highWaterMark: WAITING_BYTES,
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
    if (flushing || received - flushed < UNFLUSHED_BYTES) return
    flushed = received
    flushing = file.datasync().then(() => {
      flushing = undefined
    }, reject)
  }
  const breakOff = () => {
    if (!source.readableEnded) reject(source.errored ?? new Error('the sender broke off'))
  }

  let seen = 0
  const stopLooking = every(clock, LOOK_MS, () => {
    // When we are the slow one, nothing can come.
    if (received - seen < LEAST_BYTES && !out.writableNeedDrain) reject(new Stalled())
    seen = received
  })

  source.on('data', count).once('error', reject).once('close', breakOff)
  out.once('error', reject).once('finish', resolve)
  if (source.destroyed) breakOff()
  source.pipe(out)
  try {
    await written
    await flushing
    await file.sync()
  } catch (error) {
    source.unpipe(out)
    out.destroy()
    await Promise.all([writing, flushing])
    throw explainWrite(error)
  } finally {
    stopLooking()
    source.off('data', count).off('close', breakOff)
  }
}

async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  let left = chunks
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left)
    left = withoutFirst(left, bytesWritten)
  }
}

/** A disk that is nearly full takes a part, and says so at the next call. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = 0
  return chunks.flatMap((chunk) => {
    const from = Math.min(chunk.length, bytes - skipped)
    skipped += from
    return from === chunk.length ? [] : [chunk.subarray(from)]
  })
}
