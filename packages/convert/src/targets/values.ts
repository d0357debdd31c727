import type { FieldTarget } from '@plantroom/contract/conversion'
import { checkedTime, formatTimestamp } from '@plantroom/contract/timestamp'
import type { ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'
import { INTERNAL_MARK } from '../parts/internal-mark.ts'
import { OWN_COLUMNS } from '../parts/own-columns.ts'
import type { ExportAccount } from './target.ts'

export type ManifestComment = NonNullable<ManifestTicket['comments']>[number]

/** What a value without a place becomes. Each completes "the value became …". */
export const BECAME = {
  leftOut: { became: 'left out' },
  column: { became: 'a column for a field of your own' },
  comment: { became: 'part of the comment' },
  privateNote: { became: 'part of a private note' },
  staffComment: { became: 'part of a comment that only staff sees' },
  internalNote: { became: 'part of an internal note' },
  lastComment: { became: 'part of the last comment' },
  fileOfRequest: { became: 'a file of the request, with its name in the comment' },
  fileName: { became: 'the name of a file, changed' },
  oneLine: { became: 'the same on one line' },
  apostrophe: { became: 'the same with an apostrophe, so that no spreadsheet takes it for a formula' },
  label: { became: 'a label with _ for spaces' },
  split: { became: 'several values, because it contains a separator' },
} as const

/** Between the values of a list in one cell. */
export const LIST_SEPARATOR = '\n'

/** Every field of a request as text, in one form: times in UTC, lists with one value in a line. Empty ones are left out. */
export function fieldTexts(ticket: ManifestTicket): Map<Exclude<FieldTarget, 'attachments'>, string> {
  const { reporter, comments: _comments, attachments: _attachments, ...fields } = ticket
  const texts = new Map<Exclude<FieldTarget, 'attachments'>, string>()
  const add = (name: string, value: unknown) => {
    const text = textOf(name, value)
    if (text.trim() !== '') texts.set(name as Exclude<FieldTarget, 'attachments'>, text)
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  for (const [name, value] of Object.entries(reporter ?? {})) add(`reporter.${name}`, value)
  return texts
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(LIST_SEPARATOR)
  return name.endsWith('At') ? timeText(String(value)) : String(value)
}

export const timeText = (time: string) => formatTimestamp(checkedTime(time))

/** `Mari Mägi <mari@example.ee>, +372 555 0100`, with what is known; empty for nobody. */
export function personText(person: ManifestPerson | null | undefined): string {
  const { name, email, phone } = person ?? {}
  const address = email && name?.trim() ? `<${email}>` : email
  return [[name?.trim(), address].filter(Boolean).join(' '), phone?.trim()].filter(Boolean).join(', ')
}

/** Names a value before it, as notes of converted requests do. */
export const line = (label: string, value: string) =>
  value.includes('\n') ? `${label}:\n${value}` : `${label}: ${value}`

/** Lists the fields that the other system does not hold, one below the other, for a note that only staff sees. */
export function remainder(
  place: string,
  ticket: ManifestTicket,
  held: ReadonlySet<string>,
  { account, became }: { account: ExportAccount; became: { readonly became: string } },
): string {
  const texts = fieldTexts(ticket)
  const lines = Object.entries(OWN_COLUMNS).flatMap(([label, field]) => {
    const text = field === 'attachments' || held.has(field) ? undefined : texts.get(field)
    if (text === undefined) return []
    account.add(place, field, text, became)
    return [line(label, text)]
  })
  return lines.join('\n')
}

/**
 * Returns a comment for systems that date comments by the time of their import: after who wrote it and when. `isInternal` is
 * true for one that only staff of the first system could see.
 */
export function commentText(
  place: string,
  comment: ManifestComment,
  account: ExportAccount,
): { text: string; isInternal: boolean } {
  const isInternal = comment.content.startsWith(INTERNAL_MARK)
  const content = isInternal ? comment.content.slice(INTERNAL_MARK.length) : comment.content
  const parts = [commentHead(place, comment, account), isInternal ? content.trim() : content]
  return { text: parts.filter((part) => part.trim() !== '').join('\n\n'), isInternal }
}

function commentHead(place: string, { author, createdAt }: ManifestComment, account: ExportAccount): string {
  for (const [name, value] of Object.entries(author ?? {})) {
    if (value?.trim()) account.add(place, `author.${name}`, value, BECAME.comment)
  }
  if (createdAt) account.add(place, 'createdAt', createdAt, BECAME.comment)
  return [personText(author), createdAt ? timeText(createdAt) : ''].filter(Boolean).join(', ')
}

/** Most systems have titles of one line. */
export function oneLine(title: string, place: string, account: ExportAccount): string {
  const flat = title.replaceAll(/\s+/g, ' ').trim()
  if (flat !== title.trim()) account.add(place, 'title', title, BECAME.oneLine)
  return flat
}
