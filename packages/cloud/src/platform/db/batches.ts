/** Rows in one statement. More would take memory, in the job and in the database, and save no time. */
const BATCH = 10_000

/** Divides items into lists of at most `size`, in order. Takes only as many items at a time. */
export function* inBatches<Item>(items: Iterable<Item>, size = BATCH): Generator<readonly Item[], void> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
