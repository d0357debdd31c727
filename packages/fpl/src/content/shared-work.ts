import type { Entry } from '../archive/archive.ts'
import type { Piece } from './pieces.ts'

/** The entries to check and how far that has come, in memory that all threads see. */
export interface SharedWork {
  readonly table: Float64Array<SharedArrayBuffer>
  readonly pieces: readonly Piece[]
  readonly nextPiece: Int32Array<SharedArrayBuffer>
  readonly bytesDone: BigInt64Array<SharedArrayBuffer>
}

const COLUMNS = 5

export function shareWork(entries: readonly Entry[], pieces: readonly Piece[]): SharedWork {
  const table = new Float64Array(new SharedArrayBuffer(entries.length * COLUMNS * Float64Array.BYTES_PER_ELEMENT))
  for (const [index, { method, offset, compressedSize, size, crc32 }] of entries.entries()) {
    table.set([Number(method === 'deflated'), offset, compressedSize, size, crc32], index * COLUMNS)
  }
  const nextPiece = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const bytesDone = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))
  return { table, pieces, nextPiece, bytesDone }
}

/** Pieces come in order: when one is taken, all before it have been taken. */
export function takePiece({ pieces, nextPiece }: SharedWork): Piece | undefined {
  return pieces[Atomics.add(nextPiece, 0, 1)]
}

/** No thread takes one more piece; those that are taken are still ended. */
export function takeNoMore({ pieces, nextPiece }: SharedWork): void {
  Atomics.store(nextPiece, 0, pieces.length)
}

/** The entries of a piece without what only a message needs. */
export function sharedEntries({ table }: SharedWork, { from, to }: Piece): Entry[] {
  return Array.from({ length: to - from }, (_, place) => {
    const index = from + place
    const [deflated, offset = 0, compressedSize = 0, size = 0, crc32 = 0] = table.subarray(index * COLUMNS)
    return { path: '', index, method: deflated ? 'deflated' : 'stored', offset, compressedSize, size, crc32 }
  })
}
