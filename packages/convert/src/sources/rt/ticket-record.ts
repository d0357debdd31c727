import type { Fields } from '../../json/fields.ts'
import { cellText } from '../../json/values.ts'
import { addColumn } from '../../parts/add-column.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import type { SourceComment, SourceFile, SourcePerson, SourceRecord } from '../../source.ts'
import { describeTransaction, MESSAGES, OUTGOING } from './history.ts'
import type { Message } from './message.ts'
import type { Users } from './people.ts'
import { addPriority, columnOf, externalIdOf, NO_SUBJECT } from './values.ts'

/** A ticket with all that belongs to it. */
export interface Ticket {
  readonly place: string
  readonly fields: Fields
  /** In order, also those of tickets that were merged into it. */
  readonly transactions: readonly Fields[]
  message(transaction: Fields): Promise<Message>
  /** True if something was said or sent with a transaction. */
  hasMessage(transaction: Fields): boolean
  readonly users: Users
  /** Names of queues by number. */
  readonly queues: ReadonlyMap<string, string>
}

const DATES = ['Created', 'LastUpdated', 'Resolved', 'Started', 'Starts', 'Due', 'Told']
const MINUTES = ['TimeWorked', 'TimeEstimated', 'TimeLeft']
/** Fields of a ticket that have a column under another name, or say nothing. Any other field becomes a column of its own. */
const KNOWN = new Set([
  ...['id', 'Type', 'Subject', 'Status', 'Queue', 'Priority', 'InitialPriority', 'FinalPriority', 'EffectiveId'],
  ...['Owner', 'Requestor', 'Cc', 'AdminCc', 'Creator', 'LastUpdatedBy', 'CustomFields', '_hyperlinks', '_url', 'type'],
  ...DATES,
  ...MINUTES,
])

/** Turns a ticket of the REST interface into a record. */
export async function ticketRecord(ticket: Ticket): Promise<SourceRecord> {
  const { fields, transactions, users, place } = ticket
  const id = fields.needed('id')
  const customFields = fields.list('CustomFields')
  const customNames = new Map(customFields.map((field) => [field.text('id') ?? '', field.text('name') ?? '']))
  const { description, files, comments, silent } = await readMessages(ticket, id)
  const own = transactions.filter((transaction) => (transaction.text('ObjectId') ?? id) === id)
  const values = new Map<string, string>()
  const add = (column: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '') values.set(column, value)
  }
  add('External id', externalIdOf(id))
  add('id', id)
  add('Subject', fields.text('Subject') ?? NO_SUBJECT)
  add('Content', description)
  add('Status', fields.needed('Status'))
  addPriority(values, fields.text('Priority'))
  const queue = fields.inner('Queue')?.text('id')
  add('Queue', queue === undefined ? undefined : (ticket.queues.get(queue) ?? queue))
  addRoles(values, fields, users)
  for (const name of DATES) add(columnOf(name), dateOf(fields.text(name)))
  add('Status changed', own.findLast(({ object }) => object.Field === 'Status')?.text('Created'))
  for (const name of MINUTES) add(columnOf(name), minutesOf(fields.text(name)))
  for (const name of ['InitialPriority', 'FinalPriority'])
    if (fields.text(name) !== '0') add(columnOf(name), fields.text(name))
  add('Links', linksOf(fields).join('\n'))
  const merged = new Set(transactions.map((transaction) => transaction.text('ObjectId') ?? id))
  add('Merged tickets', [...merged].filter((number) => number !== id).join(', '))
  const lines = (isOutgoing: boolean) =>
    silent
      .filter((transaction) => OUTGOING.has(typeOf(transaction)) === isOutgoing)
      .map((transaction) => describeTransaction(transaction, id, users, customNames))
  add('Changes', lines(false).join('\n'))
  add('Outgoing mail', lines(true).join('\n'))
  for (const field of customFields) addCustomField(values, field)
  for (const [name, value] of Object.entries(fields.object)) if (!KNOWN.has(name)) add(name, rolesOrText(value, users))
  return { place, values, files, comments }
}

/** Reads what was said. `silent`: transactions that say nothing, and copies of messages that RT sent. */
async function readMessages(ticket: Ticket, id: string) {
  const files: SourceFile[] = []
  const comments: SourceComment[] = []
  const silent: Fields[] = []
  let description = ''
  for (const transaction of ticket.transactions) {
    const type = typeOf(transaction)
    const isMessage = MESSAGES.has(type) || (ticket.hasMessage(transaction) && !OUTGOING.has(type))
    const message = isMessage ? await ticket.message(transaction) : undefined
    const owner = transaction.text('ObjectId') ?? id
    if (type === 'Create' && owner === id) {
      description = message?.text ?? ''
      files.push(...(message?.files ?? []))
    } else if (message && (message.text !== '' || message.files.length > 0)) {
      comments.push(commentOf(transaction, message, ticket, id))
    } else {
      silent.push(transaction)
    }
  }
  return { description, files, comments, silent }
}

function commentOf(transaction: Fields, { subject, text, files }: Message, ticket: Ticket, id: string): SourceComment {
  const owner = transaction.text('ObjectId') ?? id
  const type = typeOf(transaction)
  const before = [
    type === 'Comment' ? INTERNAL_MARK : '',
    type === 'Create' ? `Ticket ${owner} was merged into this one:` : '',
    // For example a ticket that was forwarded to somebody.
    MESSAGES.has(type) ? '' : `${type}:`,
    isNewSubject(subject, ticket.fields.text('Subject')) ? subject : '',
  ].filter(Boolean)
  const separator = type === 'Comment' && before.length === 1 ? ' ' : '\n\n'
  return {
    place: `${ticket.place}, transaction ${transaction.text('id') ?? ''}`,
    author: ticket.users.person(transaction.inner('Creator')?.text('id')),
    createdAt: transaction.text('Created'),
    text: [before.join(' '), text].filter(Boolean).join(separator),
    isHtml: false,
    files,
  }
}

/** True for the subject of a mail that is not a reply to the ticket's own, such as `[example #1] Re: Leak`. */
function isNewSubject(subject: string | undefined, ofTicket: string | undefined): subject is string {
  if (subject === undefined || subject === 'No Subject') return false
  return !subject.endsWith(ofTicket ?? '') || ofTicket === undefined
}

function addRoles(values: Map<string, string>, fields: Fields, users: Users): void {
  const people = (role: string): SourcePerson[] =>
    fields.list(role).flatMap((member) => users.person(member.text('id')) ?? [])
  const [requestor, ...others] = people('Requestor')
  addReporter(values, 'Requestor', requestor)
  addPeople(values, 'Cc', [...others, ...people('Cc')])
  addPeople(values, 'AdminCc', people('AdminCc'))
  addPerson(values, 'Owner', users.person(fields.inner('Owner')?.text('id')))
  const creator = users.person(fields.inner('Creator')?.text('id'))
  const isRequestor = creator?.email !== undefined && creator.email === requestor?.email
  const shown = creator?.name ?? creator?.email
  if (shown !== undefined && !isRequestor) values.set('Creator', shown)
  const last = users.person(fields.inner('LastUpdatedBy')?.text('id'))
  const lastShown = last?.name ?? last?.email
  if (lastShown !== undefined) values.set(columnOf('LastUpdatedBy'), lastShown)
}

function addCustomField(values: Map<string, string>, field: Fields): void {
  const text = cellText(field.object.values)
  const name = field.needed('name')
  if (text !== undefined) addColumn(values, name, text)
}

/** Links to other tickets and to addresses elsewhere, for example `depends-on ticket 2`. */
function linksOf(fields: Fields): string[] {
  const own = new Set(['self', 'history', 'correspond', 'comment', 'lifecycle', 'customfield', 'create'])
  return fields.list('_hyperlinks').flatMap((link) => {
    const ref = link.text('ref') ?? ''
    if (own.has(ref)) return []
    const isTicket = link.text('type') === 'ticket'
    return `${ref} ${isTicket ? `ticket ${link.text('id') ?? ''}` : (link.text('_url') ?? '')}`
  })
}

/** Custom roles are lists of people; anything else is shown as it is. */
function rolesOrText(value: unknown, users: Users): string | undefined {
  const members = Array.isArray(value) ? value : [value]
  const isRole = members.length > 0 && members.every((member) => member?.type === 'user')
  if (!isRole) return cellText(value)
  const people = members.flatMap(({ id }) => users.person(String(id)) ?? [])
  return people.map(({ name, email }) => email ?? name).join(', ')
}

/** RT writes the beginning of Unix time for a date that is not set. */
function dateOf(value: string | undefined): string | undefined {
  return value === undefined || value.startsWith('1970-01-01') ? undefined : value
}

function minutesOf(value: string | undefined): string | undefined {
  return value === undefined || value === '0' ? undefined : `${value} minutes`
}

function typeOf(transaction: Fields): string {
  return transaction.text('Type') ?? ''
}
