import type { Entry } from '../archive/archive.ts'

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
