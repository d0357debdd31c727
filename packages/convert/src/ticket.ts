import { createHash } from 'node:crypto'
import { shown } from '@plantroom/contract/shown'
import type { ManifestAttachment, ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'
import type { Contradictions } from './contradictions.ts'
import type { Attacher } from './files/attach.ts'
import { lastPart } from './files/file-names.ts'
import { applyColumns } from './mapping/apply.ts'
import { dateOf } from './mapping/apply-date.ts'
import type { ApplyDeps } from './mapping/cell.ts'
import { append, type Draft, derivedTitle, joined } from './mapping/draft.ts'
import type { SourceComment, SourceFile, SourcePerson, SourceRecord } from './source.ts'
import { readAddress } from './text/addresses.ts'
import { htmlToText } from './text/html.ts'
import { isWithin, storable } from './text/limits.ts'
import type { UnplacedOutcome } from './unplaced-outcome.ts'

/** Counts over all requests, for the notes of a result. */
export interface TicketCounts {
  comments: number
  attachments: number
  derivedIds: number
  derivedTitles: number
  byEvidence: number
}

export interface TicketDeps extends ApplyDeps {
  readonly attacher: Attacher
  /** Where each id was first used. */
  readonly ids: Map<string, string>
  /** How many requests without an id are the same, by the hash of what they are. */
  readonly copies: Map<string, number>
  readonly counts: TicketCounts
  readonly contradictions: Contradictions
}

type Comment = NonNullable<ManifestTicket['comments']>[number]

/** Turns a record into a request that a check accepts. Adds problems for what cannot be converted. */
export function ticketOf(record: SourceRecord, deps: TicketDeps): ManifestTicket {
  const draft = applyColumns(record, deps)
  const attachments = attachmentsOf(record, draft, deps)
  const comments = [
    ...draft.comments.map((content) => ({ content })),
    ...record.comments.flatMap((comment) => commentOf(comment, draft, deps) ?? []),
  ]
  deps.counts.comments += comments.length
  const externalId = idOf(record, draft, deps)
  if (draft.fields.title === undefined) deps.counts.derivedTitles += 1
  if (draft.isByEvidence) deps.counts.byEvidence += 1
  const { title, isOfField } =
    draft.fields.title === undefined ? derivedTitle(draft, externalId) : { title: draft.fields.title, isOfField: false }
  deps.contradictions.look(record.place, { ...draft.fields, state: draft.state, isTitleOfField: isOfField })
  const description = joined(draft.description)
  const notes = joined(draft.notes)
  const { tags, watchers, ccEmails } = draft.lists
  return {
    ...draft.fields,
    externalId,
    title,
    state: draft.state,
    ...(description !== undefined && { description }),
    ...(notes !== undefined && { notes }),
    ...(Object.keys(draft.reporter).length > 0 && { reporter: draft.reporter }),
    ...(tags.length > 0 && { tags }),
    ...(watchers.length > 0 && { watchers }),
    ...(ccEmails.length > 0 && { ccEmails }),
    ...(attachments.length > 0 && { attachments }),
    ...(comments.length > 0 && { comments }),
  }
}

/** Returns the id of the source. Without one, derives an id from what never changes in a request. */
function idOf({ place, values }: SourceRecord, draft: Draft, { ids, copies, problems, counts }: TicketDeps): string {
  const given = draft.fields.externalId
  if (given !== undefined) {
    const first = ids.get(given)
    if (first === undefined) ids.set(given, place)
    else {
      const message = `the id ${shown(given)} is also that of ${first}; map a column whose values differ, or remove one`
      problems.add({ place, column: 'externalId', message })
    }
    return given
  }
  counts.derivedIds += 1
  const { title, createdAt } = draft.fields
  const basis = title !== undefined && createdAt ? [title, createdAt] : [...values]
  const hash = createHash('sha256').update(JSON.stringify(basis)).digest('hex').slice(0, 32)
  let id = `derived-${hash}`
  // Counted, because a file may contain the same row any number of times.
  let copy = copies.get(hash) ?? 1
  while (ids.has(id)) {
    copy += 1
    id = `derived-${hash}-${copy}`
  }
  copies.set(hash, copy)
  ids.set(id, place)
  return id
}

function attachmentsOf(record: SourceRecord, draft: Draft, deps: TicketDeps): ManifestAttachment[] {
  const named = draft.files.map(({ column, value }) => {
    const files = filesNamed(value, deps)
    if (files.length === 0) deps.account.add(record.place, column, value, { code: 'left-out-separators' })
    return { column, files }
  })
  const all = [{ column: 'attachments', files: record.files }, ...named]
  const missed = (name: string, column: string) => {
    append(draft.notes, column, storable(name))
    deps.account.add(record.place, column, name, { code: 'notes-missing-file' })
  }
  const files = all.flatMap((group) => group.files.map((file) => ({ file, column: group.column })))
  // One call, so that names are unique among all attachments of the request.
  const columns = new Map(files.map(({ file, column }) => [file.name, column]))
  const attachments = deps.attacher.attach(
    record.place,
    named[0]?.column ?? 'attachments',
    files.map(({ file }) => file),
    (name) => missed(name, columns.get(name) ?? 'attachments'),
  )
  deps.counts.attachments += attachments.length
  return attachments
}

const ADDRESS = /^[a-z]+:\/\/\S+$/i

/** Splits a cell that lists files. A separator may be part of a name, so it separates only where no such file is there. */
function filesNamed(value: string, { attacher, mapping }: TicketDeps): SourceFile[] {
  const isOne = (text: string) => attacher.has(text) || ADDRESS.test(text)
  const split = (text: string, parts: (text: string) => string[]) => (isOne(text) ? [text] : parts(text))
  const parts = (text: string) => text.split(/[\n;|]/).flatMap((part) => part.trim() || [])
  return split(value, parts)
    .flatMap((part) => split(part, mapping.split))
    .map((path) => ({ name: lastPart(path), paths: [path, lastPart(path)] }))
}

function commentOf(comment: SourceComment, draft: Draft, deps: TicketDeps): Comment | undefined {
  const { place, files } = comment
  const texts = { main: [] as string[], appended: [] as string[] }
  const text = storable(comment.isHtml ? htmlToText(comment.text) : comment.text).trim()
  if (text !== '') texts.main.push(text)
  const author = comment.author && personOf(place, comment.author, texts, deps)
  const createdAt = comment.createdAt && dateOf({ place, column: 'createdAt', value: comment.createdAt }, deps)
  const attachments = deps.attacher.attach(place, 'attachments', files, (name) => {
    append(texts, 'Attachment', storable(name))
    deps.account.add(place, 'attachments', name, { code: 'comment-missing-file' })
  })
  deps.counts.attachments += attachments.length
  const content = joined(texts) ?? ''
  if (content === '' && attachments.length === 0) {
    if (comment.text.trim() !== '') append(draft.notes, place, storable(comment.text.trim()))
    deps.account.add(place, 'comment', comment.text, { code: 'left-out-empty-comment' })
    return undefined
  }
  return {
    content,
    ...(author && { author }),
    ...(createdAt && { createdAt }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Returns the author of a comment. What a person cannot hold is appended to the text. */
function personOf(
  place: string,
  { name, email, phone }: SourcePerson,
  texts: { appended: string[] },
  deps: TicketDeps,
): ManifestPerson | undefined {
  const person: { name?: string; email?: string; phone?: string } = {}
  const keep = (field: string, value: string, became: UnplacedOutcome) => {
    append(texts, `Author ${field}`, value)
    deps.account.add(place, `author ${field}`, value, became)
  }
  const address = email?.trim() ? readAddress(email) : undefined
  if (address) person.email = address.email
  const names = [name, address?.name, address ? undefined : email].flatMap((each) => storable(each ?? '').trim() || [])
  for (const each of new Set(names)) {
    if (person.name === undefined && isWithin(each, 255)) person.name = each
    else keep('name', each, { code: 'comment-part' })
  }
  const number = storable(phone ?? '').trim()
  if (number !== '' && isWithin(number, 64)) person.phone = number
  else if (number !== '') keep('phone', number, { code: 'comment-too-long' })
  return Object.keys(person).length > 0 ? person : undefined
}
