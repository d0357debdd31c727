import { SourceError } from '../source.ts'

/** A run of bytes that may begin in an earlier chunk of a file. */
export interface Piece {
  /** The file and the line on which it begins. */
  readonly place: string
  readonly line: number
  /** Of its first byte in the file. */
  readonly start: number
  readonly parts: Buffer[]
  size: number
  values: number
}

/** Parsing takes up to ten times the bytes. A request with so much text fits into no package; a file can be added later. */
const BOUNDS = { bytes: 32_000_000, depth: 64, values: 1_000_000 }

export function newPiece(place: string, line: number, start: number): Piece {
  return { place, line, start, parts: [], size: 0, values: 0 }
}

export function addBytes(piece: Piece, bytes: Buffer): void {
  piece.size += bytes.length
  piece.parts.push(bytes)
  if (piece.size > BOUNDS.bytes) throw tooLarge(piece, `${BOUNDS.bytes / 1e6} MB`)
}

export function countValue(piece: Piece): void {
  piece.values += 1
  if (piece.values > BOUNDS.values) throw tooLarge(piece, `${BOUNDS.values} values`)
}

/** Counts an opening bracket and returns the depth after it. */
export function openLevel(piece: Piece, depth: number): number {
  countValue(piece)
  if (depth === BOUNDS.depth) throw tooLarge(piece, `${BOUNDS.depth} levels of nesting`)
  return depth + 1
}

function tooLarge({ place }: Piece, limit: string): SourceError {
  return new SourceError([{ place, message: `what begins here has more than ${limit}; leave it out of the export` }])
}
