import type { ExportOutput, ImportOutput, Job, JobError, PreviewOutput, UnmatchedEmail } from '@plantroom/contract/jobs'
import { printable } from '../output.ts'
import { counted } from './package-report.ts'

// What a person reads through; the rest is for programs.
const LISTED = 20

/** What became of a job, for people. `subject` is the package, or whatever they know the job by. */
export function resultOf(subject: string, { name, status, output }: Job): string {
  const line = (text: string) => `${printable(subject)}: ${text}`
  if (status === 'ERROR') return line(printable((output as JobError | null)?.message ?? 'failed'))
  switch (name) {
    case 'PREVIEW_TICKET_IMPORT':
      return line(previewed(output as PreviewOutput))
    case 'TICKET_IMPORT':
      return line(imported(output as ImportOutput))
    case 'TICKET_EXPORT':
      return line(exported(output as ExportOutput))
  }
}

function previewed({ tickets, comments, attachments, tagsToCreate, ...unmatched }: PreviewOutput): string {
  return [
    `${counted(tickets.total, 'request')}: ${tickets.new.toLocaleString('en')} new, ${tickets.existing.toLocaleString('en')} on the site already; ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}`,
    ...list('new tags', tagsToCreate),
    ...unmatchedLines(unmatched),
  ].join('\n')
}

function imported({ created, skipped, ...unmatched }: ImportOutput): string {
  const { tickets, comments, attachments, tags } = created
  return [
    `${counted(tickets, 'request')} imported, ${skipped.toLocaleString('en')} skipped; ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}, ${counted(tags, 'new tag')}`,
    ...unmatchedLines(unmatched),
  ].join('\n')
}

function exported({ tickets, comments, attachments, bytes }: ExportOutput): string {
  return `${counted(tickets, 'request')}, ${counted(comments, 'comment')}, ${counted(attachments, 'attachment')}, ${counted(bytes, 'byte')}`
}

function unmatchedLines(found: { unmatchedUnits: readonly string[]; unmatchedEmails: readonly UnmatchedEmail[] }) {
  return [
    ...list('unknown units, left empty', found.unmatchedUnits),
    ...list(
      'people not found',
      found.unmatchedEmails.map(({ email, roles }) => `${email} (${roles.join(', ')})`),
    ),
  ]
}

function list(what: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, LISTED).map(printable).join(', ')
  const more =
    items.length > LISTED ? ` … and ${(items.length - LISTED).toLocaleString('en')} more: --json lists them` : ''
  return [`  ${what}: ${shown}${more}`]
}
