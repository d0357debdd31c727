import { unguarded } from '@plantroom/base/csv'
import { Failure } from '@plantroom/contract/failure'

/** A line of a table. One with quoted line breaks has the number of its first line. */
export interface Row {
  line: number
  cells: string[]
}

const MAX_ROWS = 20_000
const BYTE_ORDER_MARK = /^\ufeff/

/**
 * Splits a table into its cells, in one pass. Cells may be quoted. `first` matches a first cell and captures what separates it
 * from the next: usually a semicolon, in some programs a tab or comma.
 */
export function readTable(file: string, first: RegExp): Row[] {
  const text = file.replace(BYTE_ORDER_MARK, '')
  const separator = first.exec(text)?.[1] ?? ';'
  const rows: Row[] = []
  let [row, start, isQuoted, line] = [{ line: 1, cells: [] as string[] }, 0, false, 1]
  const take = (end: number) => {
    const cell = text.slice(start, end)
    const content = /^\s*"/.test(cell) ? cell.trim().slice(1, -1).replaceAll('""', '"') : cell
    row.cells.push(unguarded(content))
    start = end + 1
  }
  for (let at = 0; at <= text.length; at += 1) {
    const character = at === text.length ? '\n' : text[at]
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) take(at)
    if (character !== '\n') continue
    line += 1
    if (isQuoted && at < text.length) continue
    take(at)
    rows.push(row)
    if (rows.length > MAX_ROWS) throw new Failure('invalid', `it has more than ${MAX_ROWS} lines: split it by devices`)
    row = { line, cells: [] }
  }
  return rows
}
