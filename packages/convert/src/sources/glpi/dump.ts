import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { createElementIndex, type ElementIndex } from '../../json/element-index.ts'
import { placeOf, readElements } from '../../json/read-elements.ts'
import { idText, type JsonObject, scalarText } from '../../json/values.ts'
import { note, noted } from '../../notes.ts'
import { createFileNames, type FileNames } from '../../parts/file-names.ts'
import { createNameBook } from '../../parts/name-book.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourcePerson } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'

const TYPES = [
  ...['Ticket', 'ITILFollowup', 'TicketFollowup', 'TicketTask', 'ITILSolution'],
  ...['Ticket_User', 'User', 'UserEmail', 'Document', 'Document_Item'],
] as const
export type ItemType =
  | 'Ticket'
  | 'ITILFollowup'
  | 'TicketTask'
  | 'ITILSolution'
  | 'Ticket_User'
  | 'User'
  | 'UserEmail'
  | 'Document'
  | 'Document_Item'

/** What the files of the REST API contain beside the tickets. */
export interface Dump {
  /** Files with tickets. */
  readonly tickets: readonly string[]
  /** Followups, tasks and solutions by ticket. */
  readonly timeline: ElementIndex
  /** Links between tickets and people, by ticket. */
  readonly actors: ReadonlyMap<string, readonly JsonObject[]>
  /** By id. */
  readonly documents: ReadonlyMap<string, JsonObject>
  /** Ids of documents, by `Ticket 35` or `ITILFollowup 7`. */
  readonly attached: ReadonlyMap<string, readonly unknown[]>
  readonly names: FileNames
  /** A person by id, or by the name that `expand_dropdowns` puts in its place. */
  person(user: unknown): SourcePerson | undefined
  /** What was left out, as whole sentences. */
  readonly notes: readonly ConversionNote[]
}

export const isList = (name: string) => (TYPES as readonly string[]).includes(name)

/** Which kind of item an object is: by the list that contains it, or by its fields. */
export function itemType(list: string | undefined, value: JsonObject): ItemType | undefined {
  if (list !== undefined) return list === 'TicketFollowup' ? 'ITILFollowup' : (list as ItemType)
  const has = (...fields: readonly string[]) => fields.every((field) => field in value)
  if (has('name', 'urgency')) return 'Ticket'
  if (has('documents_id', 'items_id')) return 'Document_Item'
  if (has('filename') && (has('filepath') || has('mime'))) return 'Document'
  if (has('tickets_id', 'content')) return has('actiontime') || has('taskcategories_id') ? 'TicketTask' : 'ITILFollowup'
  if (has('tickets_id', 'users_id', 'type')) return 'Ticket_User'
  if (has('content', 'solutiontypes_id')) return 'ITILSolution'
  if (has('content', 'items_id')) return 'ITILFollowup'
  if (has('users_id', 'email')) return 'UserEmail'
  return has('realname') || has('firstname') ? 'User' : undefined
}

/** Reads all files once, for what the tickets refer to. */
export async function readDump(inputs: readonly string[]): Promise<Dump> {
  const problems = createProblemList()
  const tickets = new Set<string>()
  const ids = new Set<string>()
  const timeline = createElementIndex()
  const actors = new Map<string, JsonObject[]>()
  const documents = new Map<string, JsonObject>()
  const attached = new Map<string, unknown[]>()
  const users = new Map<string, JsonObject>()
  const emails = new Map<string, string>()
  const names = createFileNames()

  for (const path of inputs) {
    for await (const element of readElements(path, { isList })) {
      const { value, line, list } = element
      const type = itemType(list, value)
      const id = idText(value.id) ?? ''
      const place = placeOf(path, line)
      if (type === undefined) throw unknownItem(place, value)
      if (type === 'Ticket') {
        tickets.add(path)
        ids.add(id)
      } else if (type === 'User') users.set(id, value)
      else if (type === 'UserEmail') addEmail(emails, value)
      else if (type === 'Document') {
        documents.set(id, value)
        names.add(scalarText(value.filename) ?? scalarText(value.name) ?? '')
      } else if (type === 'Document_Item')
        append(attached, `${value.itemtype} ${idText(value.items_id)}`, value.documents_id)
      else {
        const ticket = ticketOf(value)
        const message = 'names its ticket by title; export these items without expand_dropdowns'
        if (ticket === 'title') problems.add({ place, column: 'tickets_id', message })
        else if (ticket === undefined) continue
        else if (type === 'Ticket_User') append(actors, ticket, value)
        else timeline.add(ticket, path, element)
      }
    }
  }
  const message = 'no tickets were found; give the file of /Ticket'
  if (tickets.size === 0) problems.add({ place: inputs.join(', '), message })
  problems.throwIfAny()
  const person = personFinder(users, emails)
  return { tickets: [...tickets], timeline, actors, documents, attached, names, person, notes: notesOn(timeline, ids) }
}

/** The API lists items of deleted tickets too, but not those tickets. */
function notesOn(timeline: ElementIndex, tickets: ReadonlySet<string>): ConversionNote[] {
  const lost = [...timeline.owners()].filter(({ owner }) => !tickets.has(owner))
  const count = lost.reduce((sum, each) => sum + each.count, 0)
  return count === 0 ? [] : [note('items-without-ticket', { count, ...noted(lost.map(({ owner }) => owner)) })]
}

/** The ticket to which an item belongs; undefined for items of problems and changes. */
function ticketOf(value: JsonObject): string | undefined {
  const isOther = value.itemtype !== undefined && value.itemtype !== 'Ticket'
  const id = isOther ? undefined : idText(value.tickets_id ?? value.items_id)
  return id === undefined || /^\d+$/.test(id) ? id : 'title'
}

function personFinder(users: ReadonlyMap<string, JsonObject>, emails: ReadonlyMap<string, string>): Dump['person'] {
  const book = createNameBook()
  const people = new Map<string, SourcePerson>()
  for (const [id, user] of users) {
    const login = scalarText(user.name)
    const [first = '', last = ''] = [scalarText(user.firstname), scalarText(user.realname)]
    const email = emails.get(id) ?? emails.get(login ?? '')
    const name = `${first} ${last}`.trim() || login
    people.set(id, { name, email, phone: scalarText(user.phone) ?? scalarText(user.mobile) })
    for (const known of [login, `${first} ${last}`, `${last} ${first}`]) book.learn(known, email)
  }
  return (user) => {
    const text = idText(user)
    if (text === undefined) return undefined
    return people.get(text) ?? book.complete({ name: /^\d+$/.test(text) ? `GLPI user ${text}` : text })
  }
}

function addEmail(emails: Map<string, string>, value: JsonObject): void {
  const user = idText(value.users_id)
  const email = scalarText(value.email)
  const isDefault = numberIn(value.is_default) === 1
  if (user !== undefined && email !== undefined && (isDefault || !emails.has(user))) emails.set(user, email)
}

function append<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

function unknownItem(place: string, value: JsonObject): SourceError {
  const isSearch = 'totalcount' in value
  const message = isSearch
    ? 'is the result of a search, whose columns have only numbers; export /Ticket instead'
    : `is none of ${TYPES.join(', ')}; export these items with the REST API`
  return new SourceError([{ place, message }])
}
