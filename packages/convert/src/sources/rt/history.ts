import type { Fields } from '../../json/fields.ts'
import type { Users } from './people.ts'

/** Transactions that carry a message. */
export const MESSAGES = new Set(['Create', 'Correspond', 'Comment'])
/** Copies of messages that RT sent to somebody. */
export const OUTGOING = new Set(['EmailRecord', 'CommentEmailRecord'])

/** The number of a ticket at the end of an address such as `fsck.com-rt://example/ticket/12`. */
export function ticketNumber(address: string | undefined): string | undefined {
  return /\/ticket\/(\d+)$/.exec(address ?? '')?.[1]
}

/**
 * A transaction without a message as a line, for example `2026-11-16T14:55:42Z RT_System: Status: new → open`. One of a
 * ticket that was merged into `ticket` names it.
 */
export function describeTransaction(
  transaction: Fields,
  ticket: string,
  users: Users,
  customFields: ReadonlyMap<string, string>,
): string {
  const at = transaction.text('Created') ?? ''
  const creator = transaction.inner('Creator')?.text('id')
  const by = users.person(creator)?.name ?? creator ?? ''
  const change = changeOf(transaction, users, customFields)
  const owner = transaction.text('ObjectId') ?? ticket
  const ofMerged = owner === ticket ? '' : `ticket ${owner}`
  return [[at, by].filter(Boolean).join(' '), ofMerged, change].filter(Boolean).join(': ')
}

function changeOf(transaction: Fields, users: Users, customFields: ReadonlyMap<string, string>): string {
  const type = transaction.text('Type') ?? ''
  const field = transaction.text('Field') ?? ''
  const before = shown(transaction.text('OldValue'))
  const after = shown(transaction.text('NewValue'))
  const person = (number: string | undefined) =>
    number === undefined ? undefined : (users.nameOfNumber(number) ?? `#${number}`)
  switch (type) {
    case 'CustomField':
      return changed(customFields.get(field) ?? `custom field ${field}`, before, after)
    case 'AddWatcher':
      return `${field} added: ${person(after) ?? ''}`
    case 'DelWatcher':
      return `${field} removed: ${person(before) ?? ''}`
    case 'AddLink':
      return `Link added: ${field} ${after ?? ''}`
    case 'DeleteLink':
      return `Link removed: ${field} ${before ?? ''}`
    default: {
      const data = transaction.text('Data')
      if (field === 'Owner') return changed(field, person(before), person(after))
      if (field !== '' || before !== undefined || after !== undefined) return changed(field || type, before, after)
      return data === undefined ? type : `${type}: ${data}`
    }
  }
}

function changed(label: string, before: string | undefined, after: string | undefined): string {
  return `${label}: ${before ?? '(none)'} → ${after ?? '(none)'}`
}

/** Links name tickets by an address that means nothing elsewhere. */
function shown(value: string | undefined): string | undefined {
  const ticket = ticketNumber(value)
  return ticket === undefined ? value : `ticket ${ticket}`
}
