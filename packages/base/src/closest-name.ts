/** Returns the known name that a person most likely meant; `undefined` if none is close. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const folded = name.toLowerCase().replaceAll('-', '_')
  const allowed = Math.max(1, Math.floor(name.length / 4))
  const [best] = known
    .map((candidate) => ({ candidate, edits: editsBetween(folded, candidate.toLowerCase().replaceAll('-', '_')) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate
}

/** The number of characters to add, remove, replace or swap. Long names are cut: nobody types so many mistakes. */
export function editsBetween(a: string, b: string): number {
  const [from, to] = [a.slice(0, 60), b.slice(0, 60)]
  let [last, before]: [number[], number[]] = [[], []]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    ;[last, before] = [row, last]
    row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return row[to.length] ?? 0
}
