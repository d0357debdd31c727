// A spreadsheet would evaluate a cell that starts like this. Some also evaluate the full-width forms.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
// Where semicolons separate cells, a spreadsheet splits a line at them, quoted or not, and evaluates what follows.
const LATER_FORMULA = /;(?=[=@＝＠])/g

/** `null` is an empty cell. */
export type CsvCell = string | number | null

/** Formats one CSV line (RFC 4180). Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  // A number is not a formula, even a negative one.
  if (typeof cell === 'number') return String(cell)
  const text = cell ?? ''
  const harmless = (FORMULA.test(text) ? `'${text}` : text).replaceAll(LATER_FORMULA, ";'")
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
