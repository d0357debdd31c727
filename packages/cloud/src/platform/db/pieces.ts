/** Rows in one statement. More would take memory, in the job and in the database, and save no time. */
const PIECE = 10_000

/** Divides items into lists of at most `size`, in order. Takes only as many items at a time. */
export function* pieces<Item>(items: Iterable<Item>, size = PIECE): Generator<readonly Item[], void> {
  let piece: Item[] = []
  for (const item of items) {
    piece.push(item)
    if (piece.length < size) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}
