// A spreadsheet would evaluate a cell that starts like this. Some also evaluate the full-width forms.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

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
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
