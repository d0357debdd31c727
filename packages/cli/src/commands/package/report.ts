import { csvLine } from '@plantroom/base/csv'
import type { PackageReport } from '@plantroom/fpl/check-package'
import { printable } from '../../output.ts'

/** The header of the file that `--csv` names. */
export const CSV_HEADER = csvLine(['file', 'path', 'value', 'rule'])

/** The line that `--json` prints of one file. */
export function reportAsJson(file: string, report: PackageReport) {
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
export function describeReport(file: string, report: PackageReport, csv?: string): string {
  const { message, tickets, comments, attachments } = report
  if (message !== null) return `${printable(file)}: ${message}${aboutProblems(report, csv)}`
  const counts = [counted(tickets, 'request'), counted(comments, 'comment'), counted(attachments, 'attachment')]
  return `${printable(file)}: valid, ${counts.join(', ')}`
}

// As many as the message lists.
const IN_THE_MESSAGE = 20

function aboutProblems(report: PackageReport, csv: string | undefined): string {
  const { message, problems, problemCount } = report
  const [first] = problems
  if (!first) return ''
  // Of a manifest that is no JSON, the message does not say where.
  if (csv === undefined && !message?.startsWith('Invalid manifest:')) return `\n  ${printable(first.message)}`
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
