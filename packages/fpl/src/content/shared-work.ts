import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { PackageRefused } from '../refusal.ts'
import { readEntries } from './read-entries.ts'

/** Entries from index `from` up to, but excluding, `to`. */
export interface Piece {
  readonly from: number
  readonly to: number
}

/** Small enough that threads finish at about the same time, large enough that piece borders rarely split a run. */
const PIECE_COST = 16e6

/** Estimates the cost of checking an entry, in equivalent bytes of inflated content. */
export function costOf({ method, compressedSize, size }: Entry): number {
  return 4096 + (method === 'deflated' ? size + compressedSize : size / 8)
}

/** Splits entries into pieces that threads take one by one. */
export function piecesOf(entries: readonly Entry[]): readonly Piece[] {
  const pieces: Piece[] = []
  let [from, cost] = [0, 0]
  for (const [index, entry] of entries.entries()) {
    cost += costOf(entry)
    if (cost < PIECE_COST && index + 1 < entries.length) continue
    pieces.push({ from, to: index + 1 })
    from = index + 1
    cost = 0
  }
  return pieces
}

/** The entries to check and the progress so far, in memory that all threads share. */
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

/** Takes the next piece. Pieces are taken in order: all earlier ones were taken before. */
export function takePiece({ pieces, nextPiece }: SharedWork): Piece | undefined {
  return pieces[Atomics.add(nextPiece, 0, 1)]
}

/** Stops all threads from taking further pieces; they still finish the ones they have. */
export function takeNoMore({ pieces, nextPiece }: SharedWork): void {
  Atomics.store(nextPiece, 0, pieces.length)
}

/** Returns the entries of a piece, without the fields that only messages need. */
export function sharedEntries({ table }: SharedWork, { from, to }: Piece): Entry[] {
  return Array.from({ length: to - from }, (_, place) => {
    const index = from + place
    const [deflated, offset = 0, compressedSize = 0, size = 0, crc32 = 0] = table.subarray(index * COLUMNS)
    return { path: '', index, method: deflated ? 'deflated' : 'stored', offset, compressedSize, size, crc32 }
  })
}

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
