import { shown } from '@plantroom/contract/shown'
import { createElementIndex, type ElementIndex } from '../../json/element-index.ts'
import { type Fields, fieldsOf } from '../../json/fields.ts'
import { type JsonElement, parseElement, placeOf, readRawElements } from '../../json/read-elements.ts'
import { isObject, type JsonObject, scalarText } from '../../json/values.ts'
import type { ProblemList } from '../../problems.ts'
import { numberIn } from '../../text/numbers.ts'
import { MESSAGES, ticketNumber } from './history.ts'
import type { Part } from './message.ts'
import { createUsers, type Users } from './people.ts'

/** What a first reading finds out. Contents stay in the files. */
export interface Survey {
  readonly users: Users
  readonly queues: Map<string, string>
  /** When each ticket was last changed, by number, in order. */
  readonly tickets: Map<string, string>
  /** Tickets that were merged into another, with its number. */
  readonly merged: Map<string, string>
  /** Tickets, pages of histories and attachments, by their kind and number. */
  readonly index: ElementIndex
  /** Numbers of the tickets of a history, each with the place of its first page. */
  readonly histories: Map<string, string>
  /** Parts of mails by transaction. */
  readonly parts: Map<string, Part[]>
  readonly seenParts: Set<string>
  /** Parts and tickets that a list mentions, each with the place of the list. */
  readonly listedParts: Map<string, string>
  readonly listedTickets: Map<string, string>
  readonly transactions: Set<string>
  /** True if a transaction must have a text. */
  hasMessages: boolean
}

export function createSurvey(): Survey {
  return {
    users: createUsers(),
    queues: new Map(),
    tickets: new Map(),
    merged: new Map(),
    index: createElementIndex(),
    ...{
      histories: new Map(),
      parts: new Map(),
      seenParts: new Set(),
      listedParts: new Map(),
      listedTickets: new Map(),
    },
    transactions: new Set(),
    hasMessages: false,
  }
}

/** Reads a file once, and notes what it contains and what is wrong with it. */
export async function surveyFile(path: string, survey: Survey, problems: ProblemList): Promise<void> {
  let expected: { page: number; place: string } | undefined
  for await (const raw of readRawElements(path, { isList: () => false })) {
    const element = parseElement(path, raw)
    const place = placeOf(path, raw.line)
    if (expected && numberIn(element.value.page) !== expected.page) notePage(expected, problems)
    expected = nextPage(element.value, place)
    if (Array.isArray(element.value.items)) surveyList(element, place, path, survey, problems)
    else surveyReply(element, place, path, survey, problems)
  }
  if (expected) notePage(expected, problems)
}

/** Lists come by pages, which a loop that was interrupted leaves out. */
function nextPage({ items, page, per_page, total }: JsonObject, place: string) {
  if (!Array.isArray(items) || typeof page !== 'number' || typeof per_page !== 'number') return undefined
  // RT counts nothing for people who do not see everything.
  const isLast = typeof total === 'number' ? page * per_page >= total : items.length < per_page
  return isLast ? undefined : { page: page + 1, place }
}

function notePage({ page, place }: { page: number; place: string }, problems: ProblemList): void {
  problems.add({
    place,
    message: `is not the last page of its list, but page ${page} does not follow; export it again`,
  })
}

function surveyList({ value, ...at }: JsonElement, place: string, path: string, survey: Survey, problems: ProblemList) {
  const owners = new Set<string>()
  for (const item of fieldsOf(value, place, problems).list('items')) {
    const id = item.needed('id')
    const type = item.text('type')
    if (type === 'user') survey.users.add(item)
    else if (type === 'queue') survey.queues.set(id, item.text('Name') ?? id)
    else if (type === 'attachment') survey.listedParts.set(id, place)
    else if (type === 'ticket') survey.listedTickets.set(id, place)
    else if (type === 'transaction') owners.add(surveyTransaction(item, id, survey))
    else
      item.note(
        'type',
        `${type === undefined ? 'nothing' : shown(type, 40)} is not known; export users, queues, tickets, transactions and attachments`,
      )
  }
  for (const owner of owners) {
    survey.index.add(`history of ${owner}`, path, at)
    if (!survey.histories.has(owner)) survey.histories.set(owner, place)
  }
}

/** Returns the number of the ticket. */
function surveyTransaction(item: Fields, id: string, survey: Survey): string {
  const owner = item.text('ObjectId') ?? ''
  if (owner === '' || item.text('Type') === undefined) {
    const name = owner === '' ? 'ObjectId' : 'Type'
    item.note(
      name,
      'is missing; export histories with fields=ObjectId,Type,Field,OldValue,NewValue,Data,Created,Creator',
    )
  }
  survey.transactions.add(id)
  survey.hasMessages ||= MESSAGES.has(item.text('Type') ?? '')
  const into = item.text('Field') === 'MergedInto' ? ticketNumber(item.text('NewValue')) : undefined
  if (into !== undefined && into !== owner) survey.merged.set(owner, into)
  return owner
}

function surveyReply(
  { value, ...at }: JsonElement,
  place: string,
  path: string,
  survey: Survey,
  problems: ProblemList,
) {
  const fields = fieldsOf(value, place, problems)
  const type = fields
    .list('_hyperlinks')
    .find(({ object }) => object.ref === 'self')
    ?.text('type')
  const id = fields.text('id') ?? ''
  if (type === 'user') survey.users.add(fields)
  else if (type === 'queue') survey.queues.set(id, fields.text('Name') ?? id)
  else if (type === 'ticket') surveyTicket(fields, id, survey, problems) && survey.index.add(`ticket ${id}`, path, at)
  else if (type === 'attachment') surveyPart(fields, id, survey) && survey.index.add(`attachment ${id}`, path, at)
  else {
    const found = shown(Object.keys(value).slice(0, 3).join(', '), 60) || 'nothing'
    const said = typeof value.message === 'string' ? ` (${shown(value.message)})` : ''
    const message = `is no ticket, attachment, user, queue or list, but has ${found}${said}; remove it from the file, or export it again`
    problems.add({ place, message })
  }
}

/** Returns whether the ticket is new. The address of a merged ticket gives the other one again. */
function surveyTicket(fields: Fields, id: string, { tickets }: Survey, problems: ProblemList): boolean {
  const changedAt = fields.text('LastUpdated') ?? ''
  const before = tickets.get(id)
  if (before !== undefined && before !== changedAt) {
    const message = 'is in the export twice, and was changed in between; remove the older one'
    problems.add({ place: `ticket ${id}`, message })
  }
  if (before === undefined) tickets.set(id, changedAt)
  return before === undefined
}

/** Returns whether the part is new. */
function surveyPart(fields: Fields, id: string, { parts, seenParts }: Survey): boolean {
  if (seenParts.has(id)) return false
  seenParts.add(id)
  const owner = referenceOf(fields, 'TransactionId') ?? ''
  const part = {
    id,
    parent: referenceOf(fields, 'Parent') ?? '0',
    contentType: (fields.text('ContentType') ?? 'application/octet-stream').toLowerCase(),
    filename: fields.text('Filename'),
    subject: fields.text('Subject'),
  }
  const siblings = parts.get(owner)
  if (siblings) siblings.push(part)
  else parts.set(owner, [part])
  return true
}

/** RT writes a reference as an object, or as the number 0 for none. */
function referenceOf(fields: Fields, name: string): string | undefined {
  const value = fields.object[name]
  return isObject(value) ? fields.inner(name)?.text('id') : scalarText(value)
}

/** The ticket into which another was merged, or the ticket itself. */
export function finalTicket(number: string, { merged }: Survey): string {
  let current = number
  for (let count = 0; count <= merged.size && merged.has(current); count += 1) current = merged.get(current) ?? current
  return current
}

/** Notes what the replies mention but do not contain. */
export function checkComplete(survey: Survey, problems: ProblemList): void {
  const { tickets, histories, listedParts, seenParts, listedTickets, parts, transactions } = survey
  if (tickets.size === 0)
    problems.add({ place: 'the export', message: 'contains no ticket; export tickets as ticket/ID' })
  for (const [id, place] of listedTickets) {
    if (tickets.has(finalTicket(id, survey))) continue
    problems.add({ place, message: `lists ticket ${id}, but the export does not contain it; export it too` })
  }
  for (const [id, place] of listedParts) {
    if (seenParts.has(id)) continue
    problems.add({ place, message: `lists attachment ${id}, but the export does not contain it; export it too` })
  }
  for (const [id, place] of histories) {
    if (tickets.has(finalTicket(id, survey))) continue
    problems.add({ place, message: `belongs to ticket ${id}, but the export does not contain it; export it too` })
  }
  for (const id of tickets.keys()) {
    if (histories.has(id)) continue
    problems.add({ place: `ticket ${id}`, message: 'has no history in the export; export ticket/ID/history too' })
  }
  for (const [id, [part]] of parts) {
    if (transactions.has(id)) continue
    const message = `belongs to transaction ${id}, but no history in the export contains it; export ticket/ID/history too`
    problems.add({ place: `attachment ${part?.id}`, message })
  }
  if (survey.hasMessages && parts.size === 0 && listedParts.size === 0) {
    const message =
      'contains no attachment, so that all texts are missing; export ticket/ID/attachments and attachment/ID too'
    problems.add({ place: 'the export', message })
  }
}
