/** Rows in one statement. More would take memory, in the job and in the database, and save no time. */
const PIECE = 10_000

/** Divides a list into parts of at most `size`, in order. A list that is short enough stays as it is. */
export function pieces<Item>(list: readonly Item[], size = PIECE): readonly (readonly Item[])[] {
  if (list.length === 0) return []
  if (list.length <= size) return [list]
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
