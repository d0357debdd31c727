import type { FieldTarget } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import type { ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'
import { OWN_COLUMNS } from '../parts/own-columns.ts'
import { createTable } from './table.ts'
import type { ExportedFile, ExportTarget, TargetDeps } from './target.ts'
import { BECAME, fieldTexts, line, type ManifestComment, oneLine, timeText } from './values.ts'

const STATUSES: Readonly<Record<TicketState, string>> = {
  new: 'To Do',
  open: 'Open',
  in_progress: 'In Progress',
  on_hold: 'On Hold',
  resolved: 'Resolved',
  closed: 'Closed',
  canceled: 'Canceled',
}
const RESOLUTIONS: Partial<Record<TicketState, string>> = { resolved: 'Done', closed: 'Done', canceled: "Won't Do" }
const PRIORITIES = { 0: 'Low', 1: 'Medium', 2: 'High', 3: 'Highest' } as const

/** Fields that Jira has, or that its other columns hold. */
const HELD: ReadonlySet<FieldTarget> = new Set([
  ...(['title', 'state', 'description', 'priority', 'assignee', 'watchers', 'tags'] as const),
  ...(['createdAt', 'updatedAt', 'resolvedAt', 'reporter.email', 'attachments'] as const),
])
const OWN = Object.entries(OWN_COLUMNS).filter(([, field]) => !HELD.has(field))
/** The columns of Jira, each with the field of the request for the account. */
const SINGLE: readonly Column[] = [
  ['Summary', 'title'],
  ['Description', 'description'],
  ['Issue Type', ''],
  ['Status', 'state'],
  ['Resolution', 'state'],
  ['Priority', 'priority'],
  ['Reporter', 'reporter'],
  ['Assignee', 'assignee'],
  ['Created', 'createdAt'],
  ['Updated', 'updatedAt'],
  ['Resolved', 'resolvedAt'],
]
/** Columns that are repeated for every value. */
const REPEATED = { Labels: 'tags', Watchers: 'watchers', Comment: 'comments', Attachment: 'attachments' } as const
type Repeated = keyof typeof REPEATED
type Column = readonly [name: string, field: string]
const NAMES = Object.keys(REPEATED) as Repeated[]
/** Every row has a cell for each value of the request that has the most. More than this would make a table of commas. */
const MOST_REPEATED = 500

/** The table that the CSV import of Jira takes. */
export const jira: ExportTarget = {
  name: 'jira',
  label: 'Jira',
  files: ['issues.csv'],
  open(deps) {
    const table = createTable(deps)
    const widths = { Labels: 0, Watchers: 0, Comment: 0, Attachment: 0 }
    let columns: readonly Column[] = []
    return {
      survey(ticket) {
        const { tags = [], watchers = [], comments = [], attachments = [] } = ticket
        const files = comments.reduce((sum, comment) => sum + (comment.attachments?.length ?? 0), attachments.length)
        const counts = { Labels: tags.length, Watchers: watchers.length, Comment: comments.length, Attachment: files }
        for (const name of NAMES) widths[name] = Math.min(MOST_REPEATED, Math.max(widths[name], counts[name]))
      },
      begin() {
        const repeated = NAMES.flatMap((name) => Array<Column>(widths[name]).fill([name, REPEATED[name]]))
        columns = [...SINGLE, ...OWN, ...repeated]
        return [table.head(columns.map(([name]) => name))]
      },
      write(place, ticket) {
        const cells = cellsOf(place, ticket, deps)
        const repeated = NAMES.flatMap((name) =>
          Array.from({ length: widths[name] }, (_, index) => cells[name][index] ?? ''),
        )
        const fields = columns.map(([, field]) => field)
        return [table.row(place, fields, [...cells.single, ...cells.own, ...repeated])]
      },
    }
  },
}

function cellsOf(place: string, ticket: ManifestTicket, deps: TargetDeps) {
  const { account } = deps
  const texts = fieldTexts(ticket)
  const own = OWN.map(([, field]) => {
    const text = field === 'attachments' ? '' : (texts.get(field) ?? '')
    if (text !== '') account.add(place, field, text, BECAME.column)
    return text
  })
  const { email, name } = ticket.reporter ?? {}
  const { comments, files } = commentsOf(place, ticket, deps)
  const single = [
    ...[oneLine(ticket.title, place, account), texts.get('description') ?? '', 'Task', STATUSES[ticket.state]],
    ...[RESOLUTIONS[ticket.state] ?? '', priorityOf(ticket), email ?? name ?? ''],
    ...[texts.get('assignee') ?? '', texts.get('createdAt') ?? '', texts.get('updatedAt') ?? ''],
    texts.get('resolvedAt') ?? '',
  ]
  return {
    single,
    own,
    Labels: within(labelsOf(place, ticket, deps), place, 'tags', deps),
    Watchers: within([...(ticket.watchers ?? [])], place, 'watchers', deps),
    Comment: comments,
    Attachment: within(files, place, 'attachments', deps),
  }
}

const priorityOf = ({ priority }: ManifestTicket) => (typeof priority === 'number' ? PRIORITIES[priority] : '')

/** Jira ends a label at a space. */
function labelsOf(place: string, ticket: ManifestTicket, { account }: TargetDeps): string[] {
  return (ticket.tags ?? []).map((tag) => {
    const label = tag.trim().replaceAll(/\s+/g, '_')
    if (label !== tag) account.add(place, 'tags', tag, BECAME.label)
    return label
  })
}

function within(values: string[], place: string, column: string, { account }: TargetDeps): string[] {
  for (const value of values.slice(MOST_REPEATED)) account.add(place, column, value, BECAME.leftOut)
  return values.slice(0, MOST_REPEATED)
}

/** Jira has files of issues only: those of comments become files of the issue, and the comment names them. */
function commentsOf(place: string, ticket: ManifestTicket, deps: TargetDeps): { comments: string[]; files: string[] } {
  const files = (ticket.attachments ?? []).map((attachment) =>
    fileCell(place, deps.fileOf(attachment), ticket.createdAt, ticket.reporter, deps),
  )
  const comments = (ticket.comments ?? []).map((comment, index) => {
    const at = `${place}, comment ${index + 1}`
    const names = (comment.attachments ?? []).map((attachment) => {
      const file = deps.fileOf(attachment)
      files.push(fileCell(at, file, comment.createdAt ?? ticket.createdAt, comment.author, deps))
      deps.account.add(at, 'attachments', file.name, BECAME.fileOfRequest)
      return line('Attachment', file.name)
    })
    return commentCell(at, comment, names, deps)
  })
  return { files, comments: joinedAfter(comments, place, deps) }
}

function joinedAfter(comments: string[], place: string, { account }: TargetDeps): string[] {
  if (comments.length <= MOST_REPEATED) return comments
  for (const comment of comments.slice(MOST_REPEATED)) account.add(place, 'comments', comment, BECAME.lastComment)
  return [...comments.slice(0, MOST_REPEATED - 1), comments.slice(MOST_REPEATED - 1).join('\n\n')]
}

/** `2026-04-03T10:05:00.000Z;mari@example.ee;Text`. Without a time, the whole cell is the text. */
function commentCell(
  place: string,
  { content, author, createdAt }: ManifestComment,
  files: readonly string[],
  { account }: TargetDeps,
): string {
  const key = createdAt ? authorKey(author) : undefined
  const parts = Object.entries(author ?? {}).flatMap(([name, value]) => {
    if (!value?.trim() || value === key) return []
    account.add(place, `author.${name}`, value, BECAME.comment)
    return [line(`Author ${name}`, value)]
  })
  const text = [content, ...parts, ...files].filter((part) => part.trim() !== '').join('\n')
  if (createdAt) return `${timeText(createdAt)};${key ?? ''};${text}`
  // A text with two semicolons could be taken for a time and an author.
  return /^[^\n]*;[^\n]*;/.test(text) ? `Comment:\n${text}` : text
}

/** By what Jira finds the author: the address or the name, unless it would end too early. */
function authorKey(person: ManifestPerson | null | undefined): string | undefined {
  return [person?.email, person?.name].find((text) => text?.trim() && !/[;\r\n]/.test(text)) ?? undefined
}

/** `2026-04-03T10:05:00.000Z;mari@example.ee;photo.jpg;https://…`, or the address alone without a time. */
function fileCell(
  place: string,
  file: ExportedFile,
  time: string | null | undefined,
  person: ManifestPerson | null | undefined,
  { account, options }: TargetDeps,
): string {
  const url = options.baseUrl + file.path.split('/').map(encodeURIComponent).join('/')
  const name = file.name.replaceAll(/[;\r\n]/g, '_')
  if (file.contentType !== undefined) account.add(place, 'attachments.contentType', file.contentType, BECAME.leftOut)
  if (name !== file.name || !time) account.add(place, 'attachments', file.name, BECAME.fileName)
  return time ? [timeText(time), authorKey(person) ?? '', name, url].join(';') : url
}
