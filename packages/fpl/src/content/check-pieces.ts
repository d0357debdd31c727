import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { PackageRefused } from '../refusal.ts'
import { readEntries } from './read-entries.ts'
import { type Piece, type SharedWork, takeNoMore, takePiece } from './shared-work.ts'

/** A piece containing an entry that does not match its headers. */
export interface FailedPiece {
  readonly piece: Piece
  readonly refusal: PackageRefused
}

export interface PieceOptions {
  entriesOf(piece: Piece): readonly Entry[]
  /** Called with the bytes that all threads have checked so far. */
  onProgress?(bytes: number): void
  signal?: AbortSignal
}

/** Runs one thread's share: takes pieces until none are left or one fails in any thread. */
export async function checkPieces(
  source: ByteSource,
  work: SharedWork,
  { entriesOf, onProgress, signal }: PieceOptions,
): Promise<FailedPiece | undefined> {
  const count = (_entry: Entry, bytes: Uint8Array) => {
    const before = Atomics.add(work.bytesDone, 0, BigInt(bytes.length))
    onProgress?.(Number(before) + bytes.length)
  }
  for (let piece = takePiece(work); piece; piece = takePiece(work)) {
    try {
      await readEntries(source, entriesOf(piece), count, signal)
    } catch (error) {
      takeNoMore(work)
      if (error instanceof PackageRefused) return { piece, refusal: error }
      throw error
    }
  }
  return undefined
}
