import { createHash } from 'node:crypto'
import type { TicketState } from '@plantroom/contract/request-fields'
import type { ManifestAttachment, ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'
import { SEND_TO_RT } from './rt-script.ts'
import { withinBytes } from './stored-files.ts'
import type { ExportTarget, TargetDeps } from './target.ts'
import { BECAME, commentText, fieldTexts, oneLine, remainder } from './values.ts'

/** The statuses of a new RT. */
const STATUSES: Readonly<Record<TicketState, string>> = {
  new: 'new',
  open: 'open',
  in_progress: 'open',
  on_hold: 'stalled',
  resolved: 'resolved',
  closed: 'resolved',
  canceled: 'rejected',
}
const INACTIVE: ReadonlySet<string> = new Set(['resolved', 'rejected'])
/** Low, Medium and High of a new RT. */
const PRIORITIES = { 0: 0, 1: 50, 2: 100, 3: 100 } as const
/** RT cuts off the rest without a word. */
const MOST_SUBJECT_BYTES = 200
const MORE = '…'

/** Tickets with comments and files for Request Tracker's REST 2 interface. */
export const rt: ExportTarget = {
  name: 'rt',
  label: 'Request Tracker',
  files: ['tickets.ndjson', 'send.sh'],
  open: (deps) => ({
    begin: () => ['', SEND_TO_RT],
    write: (place, ticket) => [`${JSON.stringify(ticketOf(place, ticket, deps))}\n`, ''],
  }),
}

function ticketOf(place: string, ticket: ManifestTicket, deps: TargetDeps) {
  const { account } = deps
  const texts = fieldTexts(ticket)
  const title = oneLine(ticket.title, place, account)
  const note = remainder(place, ticket, heldOf(ticket, title), { account, became: BECAME.staffComment })
  const status = STATUSES[ticket.state]
  const [created, resolved] = [texts.get('createdAt'), texts.get('resolvedAt')]
  const messages = (ticket.comments ?? []).map((comment, index) => {
    const at = `${place}, comment ${index + 1}`
    const { text, isInternal } = commentText(at, comment, account)
    return { isInternal, ...message(text, at, comment.attachments, deps) }
  })
  return {
    externalId: ticket.externalId,
    mark: markOf(ticket),
    status,
    ...(resolved !== undefined && INACTIVE.has(status) && { resolved: dateOf(resolved) }),
    ...(ticket.assignee && { owner: ticket.assignee }),
    people: {
      Requestor: ticket.reporter?.email ? [mailbox(ticket.reporter)] : [],
      Cc: ticket.ccEmails ?? [],
      AdminCc: ticket.watchers ?? [],
    },
    ticket: {
      Subject: shortened(title),
      ...(typeof ticket.priority === 'number' && { Priority: PRIORITIES[ticket.priority] }),
      ...(created !== undefined && { Created: dateOf(created) }),
      ...message(texts.get('description') ?? '', place, ticket.attachments, deps),
    },
    messages: [{ isInternal: true, ...message(note, place, [], deps) }, ...messages],
  }
}

/** Fields that need not be in the note. RT may refuse an address, and dates changes by itself, so people and times are there. */
function heldOf({ state, priority }: ManifestTicket, title: string): ReadonlySet<string> {
  const held = new Set(['description'])
  if (shortened(title) === title) held.add('title')
  if (state !== 'in_progress' && state !== 'closed') held.add('state')
  if (priority !== 3) held.add('priority')
  return held
}

function shortened(title: string): string {
  const bytes = Buffer.from(title)
  if (bytes.length <= MOST_SUBJECT_BYTES) return title
  const cut = bytes.subarray(0, MOST_SUBJECT_BYTES - Buffer.byteLength(MORE))
  // A stream has no half character at its end.
  return new TextDecoder().decode(cut, { stream: true }) + MORE
}

/** The link by which RT finds a ticket again. Requests of two sites may have the same id, but not all of this. */
function markOf({ externalId, title, description, createdAt }: ManifestTicket): string {
  const text = JSON.stringify([externalId, title, description, createdAt])
  return `plantroom:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/** RT takes `2026-01-02 08:00:00`, in UTC. */
const dateOf = (time: string) => time.slice(0, 19).replace('T', ' ')

function mailbox({ name, email }: ManifestPerson): string {
  const words = name?.replaceAll(/["\\\p{Cc}]/gu, ' ').trim()
  return words ? `"${words}" <${email}>` : String(email)
}

/** A message. RT takes the text 0 for none, unless a line ends after it. */
function message(
  text: string,
  place: string,
  attachments: readonly ManifestAttachment[] | undefined,
  deps: TargetDeps,
) {
  const Attachments = (attachments ?? []).map((attachment) => {
    const { path, name, contentType } = deps.fileOf(attachment)
    // RT takes what stands after a slash, cuts off a long name, and takes 0 for no name.
    const given = name === '0' ? '_0' : withinBytes(name.replaceAll(/[/\\\p{Cc}]/gu, '_'))
    if (given !== name) deps.account.add(place, 'attachments', name, BECAME.fileName)
    // RT takes each letter of a name for a byte, and reads the bytes as UTF-8.
    const FileName = Buffer.from(given).toString('latin1')
    const FileType = typeOf(contentType)
    if (contentType !== undefined && FileType !== contentType) {
      deps.account.add(place, 'attachments.contentType', contentType, BECAME.leftOut)
    }
    return { path, name: given, FileName, FileType }
  })
  return { Content: `${text}\n`, ContentType: 'text/plain', ...(Attachments.length > 0 && { Attachments }) }
}

/** RT converts the letters of texts, and takes mails apart. */
function typeOf(contentType: string | undefined): string {
  return /^(?:application|audio|font|image|model|video)\/[\w.+-]+$/.test(contentType ?? '')
    ? String(contentType)
    : 'application/octet-stream'
}
