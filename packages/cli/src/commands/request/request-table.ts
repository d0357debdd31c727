import type { ShownTicket } from '@plantroom/contract/api'
import { LONG_FIELDS, REQUEST_FIELD_NAMES, REQUEST_FIELDS } from '@plantroom/contract/request-fields'
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

/** What has no line of its own: it is in the heading, a text or a comment. The external id comes last. */
const ELSEWHERE = ['number', 'title', 'comments', 'stateChangedAt', 'externalId', ...LONG_FIELDS]
const SHORT = [...REQUEST_FIELD_NAMES.filter((name) => !ELSEWHERE.includes(name)), 'externalId'] as const

/** Formats a request with its conversation. Texts keep their lines. */
export function describeRequest(ticket: ShownTicket, comments: readonly TicketComment[]): string {
  const rows = SHORT.flatMap((name) => {
    const text = textOf(ticket[name])
    return text === '' ? [] : [`${REQUEST_FIELDS[name].label.toLowerCase().padEnd(14)}${printable(text)}`]
  })
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

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : nameOf(each))).join(', ')
  return typeof value === 'object' && value !== null ? contactOf(value as Person) : String(value ?? '')
}

function nameOf(person: Person | null): string {
  return person?.name ?? person?.email ?? person?.phone ?? '-'
}

function contactOf({ name, email, phone }: Person): string {
  const ways = [email, phone].filter((way) => way !== null)
  return name === null ? ways.join(', ') : `${name}${ways.length === 0 ? '' : ` (${ways.join(', ')})`}`
}
