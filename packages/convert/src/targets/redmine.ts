import type { FieldTarget } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'
import { OWN_COLUMNS } from '../parts/own-columns.ts'
import { SEND_TO_REDMINE } from './redmine-script.ts'
import { createTable } from './table.ts'
import type { ExportTarget, TargetDeps } from './target.ts'
import { BECAME, commentText, fieldTexts, oneLine, remainder } from './values.ts'

/** The statuses of a new Redmine. */
const STATUSES: Readonly<Record<TicketState, string>> = {
  new: 'New',
  open: 'New',
  in_progress: 'In Progress',
  on_hold: 'Feedback',
  resolved: 'Resolved',
  closed: 'Closed',
  canceled: 'Rejected',
}
const PRIORITIES = { 0: 'Low', 1: 'Normal', 2: 'High', 3: 'Urgent' } as const

/**
 * Fields that an issue holds. Redmine dates issues by itself, takes the owner of the key as the author, and knows only
 * members of the project as assignee and watchers.
 */
const HELD: ReadonlySet<FieldTarget> = new Set(['title', 'description', 'state', 'priority'])
/** The list for Redmine's import page: columns that it recognizes, then those for custom fields. */
const LIST = ['#', 'Subject', 'Description', 'Status', 'Priority', 'Assignee'] as const
const LIST_FIELDS = ['', 'title', 'description', 'state', 'priority', 'assignee'] as const
const OWN = Object.entries(OWN_COLUMNS).filter(([, field]) => field !== 'assignee' && !HELD.has(field))

/** Issues with comments and files for Redmine's REST interface, and the list of issues for its import page. */
export const redmine: ExportTarget = {
  name: 'redmine',
  label: 'Redmine',
  files: ['issues.ndjson', 'issues.csv', 'send.sh'],
  open(deps) {
    const table = createTable(deps)
    let number = 0
    return {
      begin: () => ['', table.head([...LIST, ...OWN.map(([column]) => column)]), SEND_TO_REDMINE],
      write(place, ticket) {
        number += 1
        const issue = issueOf(place, ticket, deps)
        const texts = fieldTexts(ticket)
        const own = OWN.map(([, field]) => (field === 'attachments' ? '' : (texts.get(field) ?? '')))
        const { subject, description = '' } = issue.issue
        const cells = [String(number), subject, description, issue.status, issue.priority ?? '', issue.assignee ?? '']
        const fields = [...LIST_FIELDS, ...OWN.map(([, field]) => field)]
        return [`${JSON.stringify(issue)}\n`, table.row(place, fields, [...cells, ...own]), '']
      },
    }
  },
}

function issueOf(place: string, ticket: ManifestTicket, deps: TargetDeps) {
  const { account } = deps
  const held = ticket.state === 'open' ? new Set([...HELD].filter((field) => field !== 'state')) : HELD
  const note = remainder(place, ticket, held, { account, became: BECAME.privateNote })
  const journals = (ticket.comments ?? []).map((comment, index) => {
    const at = `${place}, comment ${index + 1}`
    const { text, isInternal } = commentText(at, comment, account)
    return { notes: text, private_notes: isInternal, ...uploadsOf(at, comment.attachments, deps) }
  })
  const texts = fieldTexts(ticket)
  const description = texts.get('description')
  return {
    externalId: ticket.externalId,
    status: STATUSES[ticket.state],
    ...(typeof ticket.priority === 'number' && { priority: PRIORITIES[ticket.priority] }),
    ...(ticket.assignee && { assignee: ticket.assignee }),
    watchers: ticket.watchers ?? [],
    issue: {
      subject: oneLine(ticket.title, place, account),
      ...(description !== undefined && { description }),
      ...uploadsOf(place, ticket.attachments, deps),
    },
    journals: [{ notes: note, private_notes: true }, ...journals],
  }
}

function uploadsOf(place: string, attachments: readonly ManifestAttachment[] | undefined, deps: TargetDeps) {
  const uploads = (attachments ?? []).map((attachment) => {
    const { path, name, contentType } = deps.fileOf(attachment)
    // Redmine takes what stands after a slash.
    const filename = name.replaceAll(/[/\\]/g, '_')
    if (filename !== name) deps.account.add(place, 'attachments', name, BECAME.fileName)
    return { path, filename, ...(contentType !== undefined && { content_type: contentType }) }
  })
  return { uploads }
}
