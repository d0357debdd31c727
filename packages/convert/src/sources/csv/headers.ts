/**
 * Names the columns of a table: trimmed, a repeated name with ` (2)`, ` (3)` and so on, an empty one by its position:
 * `column 3`.
 */
export function columnNames(header: readonly string[]): string[] {
  const used = new Set<string>()
  /** The number that the next copy of a name gets. */
  const next = new Map<string, number>()
  return header.map((cell, index) => {
    const name = cell.replaceAll(/\s+/g, ' ').trim() || `column ${index + 1}`
    let unique = name
    let copy = next.get(name) ?? 2
    for (; used.has(unique); copy += 1) unique = `${name} (${copy})`
    next.set(name, copy)
    used.add(unique)
    return unique
  })
}
