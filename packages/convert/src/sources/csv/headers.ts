import { SourceError } from '../../source.ts'

/** As many as a spreadsheet can have. A mapping that lists more is of no use to anybody. */
const MOST_COLUMNS = 16_384

/**
 * Names the columns of a table: trimmed, a repeated name with ` (2)`, ` (3)` and so on, an empty one by its position:
 * `column 3`. Throws a `SourceError` for more columns than any table has.
 */
export function columnNames(header: readonly string[]): string[] {
  if (header.length > MOST_COLUMNS) {
    const message = `the header has ${header.length} columns, more than the ${MOST_COLUMNS} of a spreadsheet; check that the rows of the table are not its columns, or export fewer`
    throw new SourceError([{ place: 'row 1', message }])
  }
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
