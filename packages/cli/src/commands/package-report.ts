import { csvLine } from '@plantroom/base/csv'
import type { PackageReport } from '@plantroom/fpl/check-package'

/** The header of the file that `--csv` names. */
export const CSV_HEADER = csvLine(['file', 'path', 'value', 'rule'])

/** The line that `--json` prints of one file. */
export function forPrograms(file: string, report: PackageReport) {
  const { valid, message, tickets, comments, attachments } = report
  const problems = report.problems.map(({ path, value, rule }) => ({ path, value, rule }))
  return { file, valid, message, problems, tickets, comments, attachments }
}

/** Every problem as lines of CSV. A package that was refused as a whole is one line, with the message as its rule. */
export function csvLines(file: string, { message, problems }: PackageReport): string {
  if (message !== null && problems.length === 0) return csvLine([file, '', '', message])
  return problems.map(({ path, value, rule }) => csvLine([file, path, value ?? '', rule])).join('')
}

/** What a person reads of one file. `csv` is where every problem is written to, if anywhere. */
export function forPeople(file: string, report: PackageReport, csv?: string): string {
  const { message, tickets, comments, attachments } = report
  if (message !== null) return `${printable(file)}: ${message}${aboutProblems(report, csv)}`
  const counts = [counted(tickets, 'request'), counted(comments, 'comment'), counted(attachments, 'attachment')]
  return `${printable(file)}: valid, ${counts.join(', ')}`
}

// As many as the message lists.
const IN_THE_MESSAGE = 20

function aboutProblems({ problems, problemCount }: PackageReport, csv: string | undefined): string {
  if (problemCount === 0) return ''
  const all = counted(problemCount, 'problem')
  const listed = problems.length < problemCount ? `the first ${problems.length.toLocaleString('en')}` : 'all'
  if (csv !== undefined) return `\n  ${all}, ${listed} in ${printable(csv)}`
  return problemCount > IN_THE_MESSAGE
    ? `\n  ${all}, the first ${IN_THE_MESSAGE} above; --csv FILE or --json gives ${listed}`
    : `\n  ${all}`
}

/** `1 request`, `1,200 requests`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

// Control characters, line separators, and what turns the direction of writing.
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The name of a file as a line may show it: it can hold anything, also what moves the cursor of a terminal. */
export function printable(name: string): string {
  return name.replaceAll(HIDDEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
