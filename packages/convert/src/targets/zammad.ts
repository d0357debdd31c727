import { createHash } from 'node:crypto'
import type { FieldTarget } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import type { ManifestAttachment, ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'
import type { ExportTarget, TargetDeps } from './target.ts'
import { BECAME, commentText, fieldTexts, oneLine, personText, remainder, timeText } from './values.ts'
import { SEND_TO_ZAMMAD } from './zammad-script.ts'

/** The states of a new Zammad. A pending ticket needs a date, which requests do not have. */
const STATES: Readonly<Record<TicketState, string>> = {
  new: 'new',
  open: 'open',
  in_progress: 'open',
  on_hold: 'open',
  resolved: 'closed',
  closed: 'closed',
  canceled: 'closed',
}
const EXACT: ReadonlySet<TicketState> = new Set(['new', 'open', 'closed'])
const PRIORITIES = { 0: '1 low', 1: '2 normal', 2: '3 high', 3: '3 high' } as const

const HELD: readonly FieldTarget[] = [
  ...(['title', 'description', 'createdAt', 'updatedAt', 'resolvedAt'] as const),
  ...(['reporter.name', 'reporter.email', 'reporter.phone'] as const),
]

/** Tickets with their articles for Zammad's REST interface. */
export const zammad: ExportTarget = {
  name: 'zammad',
  label: 'Zammad',
  files: ['tickets.ndjson', 'send.sh'],
  open: (deps) => ({
    begin: () => ['', SEND_TO_ZAMMAD],
    write: (place, ticket) => [`${JSON.stringify(ticketOf(place, ticket, deps))}\n`, ''],
  }),
}

function ticketOf(place: string, ticket: ManifestTicket, deps: TargetDeps) {
  const texts = fieldTexts(ticket)
  const title = oneLine(ticket.title, place, deps.account)
  const note = remainder(place, ticket, heldOf(ticket), { account: deps.account, became: BECAME.internalNote })
  const time = texts.get('createdAt')
  const articles = (ticket.comments ?? []).map((comment, index) => {
    const at = `${place}, comment ${index + 1}`
    const { text, isInternal } = commentText(at, comment, deps.account)
    return {
      ...article(text || '-', comment.author, attachmentsOf(at, comment.attachments, deps)),
      internal: isInternal,
      ...(comment.createdAt && { created_at: timeText(comment.createdAt) }),
    }
  })
  const tags = (ticket.tags ?? []).filter((tag) => !tag.includes(','))
  return {
    externalId: ticket.externalId,
    ticket: {
      title,
      state: STATES[ticket.state],
      ...(typeof ticket.priority === 'number' && { priority: PRIORITIES[ticket.priority] }),
      ...(ticket.reporter && { customer: customerOf(ticket.reporter) }),
      ...(tags.length > 0 && { tags: tags.join(',') }),
      ...dated({ created_at: time, updated_at: texts.get('updatedAt'), close_at: texts.get('resolvedAt') }),
      article: {
        ...article(texts.get('description') ?? title, ticket.reporter, attachmentsOf(place, ticket.attachments, deps)),
        ...dated({ created_at: time }),
      },
    },
    articles: [{ ...article(note, undefined, []), internal: true, ...dated({ created_at: time }) }, ...articles],
  }
}

/** What cannot be read from the ticket alone goes to the note as well. */
function heldOf({ state, priority, tags }: ManifestTicket): ReadonlySet<string> {
  const held = new Set<string>(HELD)
  if (EXACT.has(state)) held.add('state')
  if (priority !== 3) held.add('priority')
  if (!tags?.some((tag) => tag.includes(','))) held.add('tags')
  return held
}

const dated = (times: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined))

function article(
  body: string,
  author: ManifestPerson | null | undefined,
  attachments: ReturnType<typeof attachmentsOf>,
) {
  const from = personText(author && { name: author.name ?? null, email: author.email ?? null })
  return {
    ...{ type: 'note', content_type: 'text/plain', internal: false, body },
    ...(from !== '' && { from }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Zammad finds a customer by the address, or by the login, which a person without an address gets from name and phone. */
function customerOf(person: ManifestPerson) {
  const { name, email, phone } = person
  const words = name?.trim().split(/\s+/) ?? []
  const login = `plantroom-${createHash('sha256').update(personText(person)).digest('hex').slice(0, 16)}`
  return {
    ...(email ? { email } : { login }),
    ...(name?.trim() && { firstname: words.slice(0, -1).join(' '), lastname: words.at(-1) }),
    ...(phone?.trim() && { phone }),
  }
}

function attachmentsOf(place: string, attachments: readonly ManifestAttachment[] | undefined, deps: TargetDeps) {
  return (attachments ?? []).map((attachment) => {
    const { path, name, contentType } = deps.fileOf(attachment)
    const filename = name.replaceAll(/[/\\]/g, '_')
    if (filename !== name) deps.account.add(place, 'attachments', name, BECAME.fileName)
    return { path, filename, 'mime-type': contentType ?? 'application/octet-stream' }
  })
}
