// A spreadsheet would run a cell that begins like this as a formula. The wide forms are the same to some of them.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** One line of CSV as RFC 4180 has it. A cell that a spreadsheet would take for a formula has an apostrophe in front. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
