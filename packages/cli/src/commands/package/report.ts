import { csvLine } from '@plantroom/base/csv'
import type { PackageReport } from '@plantroom/fpl/check-package'
import { printable } from '../../output.ts'

/** The header of the `--csv` file. */
export const CSV_HEADER = csvLine(['file', 'path', 'value', 'rule'])

/** Returns the object that `--json` prints for one file. */
export function reportAsJson(file: string, report: PackageReport) {
  const { valid, message, tickets, comments, attachments } = report
  const problems = report.problems.map(({ path, value, rule }) => ({ path, value, rule }))
  return { file, valid, message, problems, tickets, comments, attachments }
}

/** Formats every problem as a CSV line. A package rejected as a whole gives one line with the message as its rule. */
export function csvLines(file: string, { message, problems }: PackageReport): string {
  if (message !== null && problems.length === 0) return csvLine([file, '', '', message])
  return problems.map(({ path, value, rule }) => csvLine([file, path, value ?? '', rule])).join('')
}

/** Describes one file for people. `csv` is the file that lists every problem, if there is one. */
export function describeReport(file: string, report: PackageReport, csv?: string): string {
  const { message, tickets, comments, attachments } = report
  if (message !== null) return `${printable(file)}: ${message}${aboutProblems(report, csv)}`
  const counts = [counted(tickets, 'request'), counted(comments, 'comment'), counted(attachments, 'attachment')]
  return `${printable(file)}: valid, ${counts.join(', ')}`
}

// The number of problems that the message lists.
const IN_THE_MESSAGE = 20

function aboutProblems(report: PackageReport, csv: string | undefined): string {
  const { message, problems, problemCount } = report
  const [first] = problems
  if (!first) return ''
  // The message about invalid JSON does not contain the position.
  if (csv === undefined && !message?.startsWith('Invalid manifest:')) return `\n  ${printable(first.message)}`
  const all = counted(problemCount, 'problem')
  const listed = problems.length < problemCount ? `the first ${problems.length.toLocaleString('en')}` : 'all'
  if (csv !== undefined) return `\n  ${all}, ${listed} in ${printable(csv)}`
  return problemCount > IN_THE_MESSAGE
    ? `\n  ${all}, the first ${IN_THE_MESSAGE} above; use --csv FILE or --json to get ${listed}`
    : `\n  ${all}`
}

/** Returns `1 request` or `1,200 requests`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
