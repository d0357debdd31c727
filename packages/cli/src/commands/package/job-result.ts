import {
  type ExportOutput,
  type FillOutput,
  type ImportOutput,
  type Job,
  type JobError,
  MISSING_KINDS,
  type MissingCounts,
  type PreviewOutput,
} from '@plantroom/contract/jobs'
import type { SiteClient } from '../../clients.ts'
import { ReportedFailure } from '../../command.ts'
import { print, printable } from '../../output.ts'
import { followCommand } from './follow-job.ts'
import { type ListFlags, numbersOf, problemsOf, writeList } from './lists.ts'
import { counted } from './report.ts'

/** Prints the result of a job and writes the requested lists. Throws `ReportedFailure` if the job failed. */
export async function printResult(target: SiteClient, subject: string, job: Job, flags: ListFlags): Promise<void> {
  const failed = job.status === 'ERROR'
  const lines = [describeResult(subject, job)]
  if (flags.report !== undefined) lines.push(await writeReport(target, job, flags.report))
  else if (failed && isAboutManifest(job))
    lines.push(`  to list every problem: ${followCommand(job.id)} --report FILE.csv`)
  if (flags.numbers !== undefined && job.name === 'TICKET_IMPORT') {
    const rows = numbersOf(target.client, { ...target.site, jobId: job.id })
    const count = await writeList(flags.numbers, { columns: ['externalId', 'number'], rows })
    lines.push(`  numbers of ${counted(count, 'request')} in ${printable(flags.numbers)}`)
  }
  print(flags.json, job, () => lines.join('\n'))
  if (failed) throw new ReportedFailure()
}

/** Writes the problems of a job's package. A package rejected as a whole gives one row with the message as its rule. */
async function writeReport({ client, site }: SiteClient, job: Job, path: string): Promise<string> {
  async function* rows() {
    let any = false
    for await (const problem of problemsOf(client, { ...site, jobId: job.id })) {
      any = true
      yield problem
    }
    if (!any && job.status === 'ERROR') yield { path: '', value: null, rule: messageOf(job) }
  }
  const count = await writeList(path, { columns: ['path', 'value', 'rule'], rows: rows() })
  return `  ${counted(count, 'problem')} in ${printable(path)}`
}

const messageOf = ({ output }: Job) => (output as JobError | null)?.message ?? ''
const isAboutManifest = (job: Job) =>
  messageOf(job).startsWith('Invalid manifest:') || messageOf(job) === 'manifest.json is not valid JSON'

// As many as a person reads; --json has the rest.
const LISTED = 20

/** Describes the result of a job for people. `subject` is the package, or another name for the job. */
export function describeResult(subject: string, { name, status, output }: Job): string {
  const line = (text: string) => `${printable(subject)}: ${text}`
  if (status === 'ERROR') return line(printable((output as JobError | null)?.message ?? 'failed'))
  switch (name) {
    case 'PREVIEW_TICKET_IMPORT':
      return line(previewed(output as PreviewOutput))
    case 'TICKET_IMPORT':
      return line(imported(output as ImportOutput))
    case 'TICKET_EXPORT':
      return line(exported(output as ExportOutput))
    case 'PREVIEW_TICKET_FILL':
      return line(filled(output as FillOutput, 'would be filled'))
    case 'TICKET_FILL':
      return line(filled(output as FillOutput, 'filled'))
  }
}

function previewed({ tickets, comments, attachments, tagsToCreate, missing, ...unmatched }: PreviewOutput): string {
  return [
    `${counted(tickets.total, 'request')}: ${tickets.new.toLocaleString('en')} new, ${tickets.existing.toLocaleString('en')} already on the site; ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}`,
    ...list('new tags', tagsToCreate, unmatched.unlisted?.tags),
    ...(missing ? missingLines(missing, 'would be created') : []),
    ...unmatchedLines(unmatched),
  ].join('\n')
}

function imported({ created, skipped, missing, ...unmatched }: ImportOutput): string {
  const { tickets, comments, attachments, tags } = created
  return [
    `${counted(tickets, 'request')} imported, ${skipped.toLocaleString('en')} skipped; ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}, ${counted(tags, 'new tag')}`,
    ...(missing ? missingLines(missing, 'created') : []),
    ...unmatchedLines(unmatched),
  ].join('\n')
}

function filled({ tickets, fields, missing, ...unmatched }: FillOutput, done: string): string {
  const inFields = Object.entries(fields).map(([field, count]) => `${field} in ${count.toLocaleString('en')}`)
  return [
    `${counted(tickets.filled, 'request')} of ${tickets.total.toLocaleString('en')} ${done}; ${tickets.complete.toLocaleString('en')} complete or edited, ${tickets.notOnSite.toLocaleString('en')} not on the site, ${tickets.notImported.toLocaleString('en')} not from an import`,
    ...list('fields', inFields),
    ...missingLines(missing, done === 'filled' ? 'created' : 'would be created'),
    ...unmatchedLines(unmatched),
  ].join('\n')
}

/** What became of the names that the site lacked, one line for each kind. */
function missingLines(missing: MissingCounts, created: string): string[] {
  return MISSING_KINDS.flatMap((kind) => {
    const { created: made, mapped, left } = missing[kind]
    if (made + mapped + left === 0) return []
    const [first, second, third] = [made, mapped, left].map((count) => count.toLocaleString('en'))
    return [`  missing ${kind}: ${first} ${created}, ${second} mapped, ${third} left`]
  })
}

function exported({ tickets, comments, attachments, bytes, adjusted = [] }: ExportOutput): string {
  return [
    `${counted(tickets, 'request')}, ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}, ${counted(bytes, 'byte')}`,
    ...list(
      'changed, because a package may not have them',
      adjusted.map(
        ({ path, value, became }) => `${path} ${value} ${became === null ? 'left out' : `became ${became}`}`,
      ),
    ),
  ].join('\n')
}

function unmatchedLines({
  unmatchedUnits,
  unmatchedEmails,
  unlisted,
}: Pick<PreviewOutput, 'unmatchedUnits' | 'unmatchedEmails' | 'unlisted'>) {
  return [
    ...list('unknown units, left empty', unmatchedUnits, unlisted?.units),
    ...list(
      'people not found',
      unmatchedEmails.map(({ email, roles }) => `${email} (${roles.join(', ')})`),
      unlisted?.people,
    ),
  ]
}

/** `unlisted` is the number of items that are not in `items`. */
function list(what: string, items: readonly string[], unlisted = 0): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, LISTED).map(printable).join(', ')
  const others = items.length + unlisted - LISTED
  const where = unlisted > 0 ? 'the report of the job has them all' : '--json lists them all'
  const more = others > 0 ? ` … and ${others.toLocaleString('en')} more; ${where}` : ''
  return [`  ${what}: ${shown}${more}`]
}
