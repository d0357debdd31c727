import type { ShownTicket } from '@plantroom/contract/api'
import type { Person, TicketComment, TicketSummary } from '@plantroom/contract/tickets'
import { printable, table } from '../../output.ts'

/** Formats requests as a table. */
export function requestTable(found: readonly TicketSummary[]): string {
  const header = ['NUMBER', 'STATE', 'PRIORITY', 'TITLE', 'UNIT', 'ASSIGNEE', 'TAGS', 'CREATED']
  const row = ({ number, state, priority, title, unit, assignee, tags, createdAt }: TicketSummary) => [
    ...[`#${number}`, state, priority === null ? '-' : String(priority), title, unit ?? '-'],
    ...[nameOf(assignee), tags.join(' ') || '-', createdAt],
  ]
  return table(header, found.map(row), 'no requests')
}

/** Formats a request with its conversation. Texts keep their lines. */
export function describeRequest(ticket: ShownTicket, comments: readonly TicketComment[]): string {
  const fields: readonly (readonly [string, string | null])[] = [
    ['state', ticket.state],
    ['priority', ticket.priority === null ? null : String(ticket.priority)],
    ['safety hazard', ticket.safetyHazard === null ? null : ticket.safetyHazard ? 'yes' : 'no'],
    ['unit', ticket.unit],
    ['reporter', ticket.reporter && contactOf(ticket.reporter)],
    ['assignee', ticket.assignee && contactOf(ticket.assignee)],
    ['supervisor', ticket.supervisor && contactOf(ticket.supervisor)],
    ['watchers', ticket.watchers.map(nameOf).join(', ') || null],
    ['tags', ticket.tags.join(', ') || null],
    ['created', ticket.createdAt],
    ['changed', ticket.updatedAt],
    ['resolved', ticket.resolvedAt],
    ['external id', ticket.externalId],
    ['attachments', ticket.attachments.map(({ name }) => name).join(', ') || null],
  ]
  const rows = fields.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(14)}${printable(value)}`]))
  const texts = [ticket.description, ticket.notes && `Notes: ${ticket.notes}`]
  const resolution = ticket.resolutionSummary && `Resolution: ${ticket.resolutionSummary}`
  return [
    `#${ticket.number} ${printable(ticket.title)}`,
    ...rows,
    ...[...texts, resolution].flatMap((text) => (text ? ['', lines(text)] : [])),
    ...comments.flatMap((comment) => ['', describeComment(comment)]),
  ].join('\n')
}

function describeComment({ author, createdAt, content, attachments }: TicketComment): string {
  const files = attachments.map(({ name }) => `\n  attached: ${printable(name)}`).join('')
  return `${printable(nameOf(author))}, ${createdAt ?? 'at an unknown time'}:\n${lines(content)}${files}`
}

/** Escapes what could mislead a terminal, line by line. */
const lines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => `  ${printable(line)}`.trimEnd())
    .join('\n')

function nameOf(person: Person | null): string {
  return person?.name ?? person?.email ?? person?.phone ?? '-'
}

function contactOf({ name, email, phone }: Person): string {
  const ways = [email, phone].filter((way) => way !== null)
  return name === null ? ways.join(', ') : `${name}${ways.length === 0 ? '' : ` (${ways.join(', ')})`}`
}
