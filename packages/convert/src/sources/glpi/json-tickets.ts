import type { OwnedElement } from '../../json/element-index.ts'
import { placeOf, readElements } from '../../json/read-elements.ts'
import { cellText, idText, type JsonObject, scalarText } from '../../json/values.ts'
import { inOrder } from '../../parts/comment-order.ts'
import { sourceFile } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { lookup } from '../../parts/lookup.ts'
import { createProblemList } from '../../problems.ts'
import type { Source, SourceComment, SourceFile, SourcePerson, SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { plainText } from './content.ts'
import { evidenceOf } from './default-mapping.ts'
import { type Dump, isList, itemType, readDump } from './dump.ts'
import { addTicketPeople } from './people.ts'

const ACTORS = { requester: 1, technician: 2, observer: 3 }
const REFUSED_SOLUTION = 4
const USED = new Set([
  ...['content', 'date', 'date_creation', 'users_id', 'is_private', 'items_id', 'itemtype', 'tickets_id', 'links'],
])

/** Fields that no target takes by default: their names and values will stand in the description. */
const READABLE: Readonly<Record<string, string>> = {
  entities_id: 'Entity',
  requesttypes_id: 'Request source',
  type: 'Type',
  urgency: 'Urgency',
  impact: 'Impact',
  time_to_resolve: 'Time to resolve',
}
const LEVELS = { 1: 'Very low', 2: 'Low', 3: 'Medium', 4: 'High', 5: 'Very high' }
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { 1: 'Incident', 2: 'Request' },
  urgency: LEVELS,
  impact: LEVELS,
}

/** Opens files of the REST API: tickets, and whatever belongs to them. */
export async function openJson(inputs: readonly string[]): Promise<Source> {
  const dump = await readDump(inputs)
  const { notes, timeline } = dump
  const source = { notes, records: () => records(dump), [Symbol.asyncDispose]: () => timeline[Symbol.asyncDispose]() }
  return source
}

async function* records(dump: Dump): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  for (const path of dump.tickets) {
    for await (const { value, line, list } of readElements(path, { isList })) {
      if (itemType(list, value) !== 'Ticket') continue
      const place = placeOf(path, line)
      const id = idText(value.id)
      const first = places.get(id ?? '')
      if (id === undefined) {
        problems.add({ place, column: 'id', message: 'the ticket has no id; export it again with its id' })
      } else if (first !== undefined) {
        problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; remove one of the two` })
      } else {
        places.set(id, place)
        yield toRecord(id, value, await dump.timeline.of(id), dump)
      }
    }
  }
  problems.throwIfAny()
}

function toRecord(id: string, ticket: JsonObject, timeline: readonly OwnedElement[], dump: Dump): SourceRecord {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(ticket)) {
    // In GLPI, 0 is the id of nothing.
    const isNothing = value === 0 && /_id(_|$)|^is_|_duration$|_stat$|^actiontime$/.test(name)
    const text = typeof value === 'string' ? plainText(value) : cellText(value)
    if (text === undefined || text === '' || isNothing) continue
    values.set(lookup(READABLE, name) ?? name, lookup(lookup(WORDS, name) ?? {}, text) ?? text)
  }
  addPeople(values, id, ticket, dump)
  const items = timeline.map(({ value }) => value)
  const comments = items.map((item, index) => toComment(id, item, index, dump))
  const filled = comments.filter(({ text, files }) => text !== '' || files.length > 0)
  const internal = items.filter((item) => numberIn(item.is_private) === 1).length
  const more = items.map(moreOf).filter((item) => Object.keys(item).length > 0)
  const solution = solutionOf(items)
  if (solution !== undefined) values.set('solution', solution)
  if (internal > 0) values.set('Internal comments', String(internal))
  if (filled.length < comments.length) values.set('Empty comments', String(comments.length - filled.length))
  if (more.length > 0) values.set('Comments (more)', JSON.stringify(more))
  const files = filesOf('Ticket', id, dump)
  return { place: `ticket ${id}`, values, comments: inOrder(filled), files, evidence: evidenceOf(values) }
}

function addPeople(values: Map<string, string>, id: string, ticket: JsonObject, dump: Dump): void {
  const actors = dump.actors.get(id) ?? []
  const people = (type: number): SourcePerson[] => {
    return actors.filter((actor) => numberIn(actor.type) === type).flatMap((actor) => actorOf(actor, dump) ?? [])
  }
  addTicketPeople(values, {
    requesters: people(ACTORS.requester),
    technicians: people(ACTORS.technician),
    observers: people(ACTORS.observer),
    writer: dump.person(ticket.users_id_recipient),
  })
}

/** Somebody without an account has only an address. */
function actorOf(actor: JsonObject, dump: Dump): SourcePerson | undefined {
  const email = scalarText(actor.alternative_email)
  const person = dump.person(actor.users_id)
  if (person !== undefined) return { ...person, email: person.email ?? email }
  return email === undefined ? undefined : { email }
}

function toComment(ticket: string, item: JsonObject, index: number, dump: Dump): SourceComment {
  const type = itemType(undefined, item)
  const text = plainText(scalarText(item.content) ?? '')
  const kind = type === 'TicketTask' ? '[Task]' : type === 'ITILSolution' ? '[Solution]' : undefined
  const marks = [numberIn(item.is_private) === 1 ? INTERNAL_MARK : undefined, kind]
  return {
    place: `ticket ${ticket}, ${type ?? 'item'} ${idText(item.id) ?? index + 1}`,
    author: dump.person(item.users_id),
    createdAt: scalarText(item.date) ?? scalarText(item.date_creation),
    text: text === '' ? '' : [...marks, text].filter((part) => part !== undefined).join(' '),
    isHtml: false,
    files: filesOf(type ?? '', idText(item.id) ?? '', dump),
  }
}

/** The text of the last solution that nobody refused. */
function solutionOf(items: readonly JsonObject[]): string | undefined {
  const solutions = items.filter((item) => itemType(undefined, item) === 'ITILSolution')
  const valid = solutions.filter(({ status }) => numberIn(status) !== REFUSED_SOLUTION)
  const times = valid.toSorted((a, b) => String(a.date_creation).localeCompare(String(b.date_creation)))
  return plainText(scalarText(times.at(-1)?.content) ?? '') || undefined
}

function filesOf(type: string, id: string, { attached, documents, names }: Dump): SourceFile[] {
  return (attached.get(`${type} ${id}`) ?? []).map((reference) => {
    const key = scalarText(reference) ?? ''
    const document = documents.get(key) ?? {}
    const name =
      scalarText(document.filename) ?? scalarText(document.name) ?? (/^\d+$/.test(key) ? `document ${key}` : key)
    const path = scalarText(document.filepath)
    const paths = [path, path && `files/${path}`, `${key}/${name}`, `${key}_${name}`, `Document/${key}`, key]
    return sourceFile({ name, contentType: scalarText(document.mime) }, paths, names)
  })
}

function moreOf(item: JsonObject): JsonObject {
  const isFilled = (value: unknown) => value !== 0 && cellText(value) !== undefined
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => !USED.has(name) && isFilled(value)))
}
