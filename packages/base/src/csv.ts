// A spreadsheet would evaluate a cell that starts like this. Some also evaluate the full-width forms.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
// Where semicolons separate cells, a spreadsheet splits a line at them, quoted or not, and evaluates what follows.
const LATER_FORMULA = /;(?=[=@＝＠])/g

/** `null` is an empty cell. */
export type CsvCell = string | number | null

/** Formats one CSV line (RFC 4180). Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe. */
export function csvLine(cells: readonly CsvCell[], separator: ',' | ';' = ','): string {
  return `${cells.map(csvCell).join(separator)}\r\n`
}

/** Returns the text with the apostrophes that `csvLine` writes. */
export function guarded(text: string): string {
  return (FORMULA.test(text) ? `'${text}` : text).replaceAll(LATER_FORMULA, ";'")
}

/** Removes the apostrophe that programs, ours among them, write before a cell that a spreadsheet would evaluate: '+372 555. */
export function unguarded(cell: string): string {
  // Looks at the first character before it asks for the pattern: a large table has a million cells.
  return cell.startsWith("'") && FORMULA.test(cell.slice(1, 2)) ? cell.slice(1) : cell
}

function csvCell(cell: CsvCell): string {
  // A number is not a formula, even a negative one.
  if (typeof cell === 'number') return String(cell)
  const harmless = guarded(cell ?? '')
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
