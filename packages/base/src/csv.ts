// A spreadsheet would run a cell that begins like this as a formula. The wide forms are the same to some of them.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** `null` is an empty cell. */
export type CsvCell = string | number | null

/** One line of CSV as RFC 4180 has it. Text that a spreadsheet would take for a formula has an apostrophe in front. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  // A number is no formula, also when it is below zero.
  if (typeof cell === 'number') return String(cell)
  const text = cell ?? ''
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
