/** A row of a table, numbered as a spreadsheet counts them. */
interface TableRow {
  row: number
  cells: string[]
}

export const SEPARATORS = ['\t', ';', ',']
/** The line with which some spreadsheets name the separator. */
const NAMED = /^\uFEFF?sep=([\t;,])\r?\n/i

/**
 * Splits a pasted table into rows of cells, without empty rows. The separator is the one that its first line has most of.
 * `openQuote` is the row of a quotation mark that is never closed.
 */
export function readTable(text: string): { rows: TableRow[]; separator: string; openQuote: number | undefined } {
  const [line = '', named] = NAMED.exec(text) ?? []
  const [first = ''] = text.slice(line.length).split(/[\r\n]/, 1)
  const count = (separator: string) => first.split(separator).length
  const separator = named ?? SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best))
  const rows: TableRow[] = []
  let [cells, cell, isQuoted, row]: [string[], string, boolean, number] = [[], '', false, line === '' ? 1 : 2]
  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) rows.push({ row, cells })
    cells = []
    cell = ''
    row += 1
  }
  for (let at = line.length; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n' || (character === '\r' && text.charAt(at + 1) !== '\n')) endRow()
    else if (character !== '\r') cell += character
  }
  const openQuote = isQuoted ? row : undefined
  endRow()
  return { rows, separator, openQuote }
}
