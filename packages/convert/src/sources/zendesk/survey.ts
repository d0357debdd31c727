import { createElementIndex, type ElementIndex } from '../../json/element-index.ts'
import { parseElement, placeOf, type RawElement, readRawElements } from '../../json/read-elements.ts'
import { idText, type JsonObject, scalarText } from '../../json/values.ts'
import { createFileNames, type FileNames } from '../../parts/file-names.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourcePerson } from '../../source.ts'

/** What an export contains beside its tickets. */
export interface Survey {
  /** By id. */
  readonly people: ReadonlyMap<string, SourcePerson>
  readonly organizations: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, string>
  /** Titles of custom fields, by id. */
  readonly fields: ReadonlyMap<string, string>
  /** Comments in files of their own, by ticket. */
  readonly comments: ElementIndex
  readonly names: FileNames
  /** Files with tickets. */
  readonly tickets: readonly string[]
}

type Kind = 'ticket' | 'comment' | 'user' | 'organization' | 'group' | 'field'

const LISTS: Readonly<Record<string, Kind>> = {
  tickets: 'ticket',
  comments: 'comment',
  users: 'user',
  organizations: 'organization',
  groups: 'group',
  ticket_fields: 'field',
}

/** Which lists of an outer object contain elements. A ticket has a list of comments too, but not as its first field. */
export const isList = (name: string, isFirst: boolean) => Object.hasOwn(LISTS, name) && (name !== 'comments' || isFirst)

/** Reads an export once, for what its tickets refer to. */
export async function survey(inputs: readonly string[]): Promise<Survey> {
  const problems = createProblemList()
  const people = new Map<string, SourcePerson>()
  const named = { organization: new Map<string, string>(), group: new Map<string, string>(), field: new Map() }
  const comments = createElementIndex()
  const names = createFileNames()
  const tickets = new Set<string>()

  const take = (path: string, element: RawElement, kind: Kind): void => {
    if (kind === 'ticket') {
      tickets.add(path)
      addNames(names, element.bytes)
      return
    }
    const { value } = parseElement(path, element)
    const id = idText(value.id)
    if (kind === 'comment') {
      addNames(names, element.bytes)
      const ticket = idText(value.ticket_id)
      const message = 'the comment does not name its ticket; put the comments into their tickets, or add ticket_id'
      if (ticket === undefined) problems.add({ place: placeOf(path, element.line), column: 'ticket_id', message })
      else comments.add(ticket, path, element)
    } else if (id === undefined) return
    else if (kind === 'user') people.set(id, personOf(value, id))
    else named[kind].set(id, scalarText(kind === 'field' ? value.title : value.name) ?? id)
  }

  for (const path of inputs) {
    let kindOfFile: Kind | undefined
    for await (const element of readRawElements(path, { isList })) {
      if (element.list === undefined) kindOfFile ??= kindOf(path, element)
      const kind = element.list === undefined ? kindOfFile : LISTS[element.list]
      if (kind) take(path, element, kind)
    }
  }
  if (tickets.size === 0 && inputs.length > 0) {
    problems.add({ place: inputs.join(', '), message: 'no tickets were found; give the JSON export of the tickets' })
  }
  problems.throwIfAny()
  const { organization: organizations, group: groups, field: fields } = named
  return { people, organizations, groups, fields, comments, names, tickets: [...tickets] }
}

/** Returns what a file without a name for its list contains, by the fields of its first object. */
function kindOf(path: string, element: RawElement): Kind {
  const { value } = parseElement(path, element)
  const has = (...fields: readonly string[]) => fields.every((field) => field in value)
  if (has('ticket_id') && (has('author_id') || has('body'))) return 'comment'
  if (has('requester_id') || has('requester') || has('subject') || has('status')) return 'ticket'
  if (has('raw_title') || has('title', 'type')) return 'field'
  if (has('domain_names') || has('shared_tickets')) return 'organization'
  if (has('name', 'email') || has('name', 'role')) return 'user'
  if (has('name', 'default') || has('name', 'is_public')) return 'group'
  const message =
    'is no ticket, comment, user, organization, group or field of Zendesk; give the JSON export of the account'
  throw new SourceError([{ place: placeOf(path, element.line), message }])
}

/** Names of files, without parsing: this runs over all tickets. */
function addNames(names: FileNames, bytes: Buffer): void {
  for (const [, quoted] of bytes.toString('utf8').matchAll(/"file_name"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    try {
      names.add(JSON.parse(quoted ?? '""'))
    } catch {
      // The parser of the ticket will say what is wrong.
    }
  }
}

/** A user as a person. Without a name and an address it is its id, which is better than nobody. */
export function personOf(value: JsonObject, id: string): SourcePerson {
  const email = scalarText(value.email)
  const name = scalarText(value.name) ?? (email === undefined ? unknownPerson(id).name : undefined)
  return { name, email, phone: scalarText(value.phone) }
}

/** A person of whom the export contains only the id. */
export function unknownPerson(id: string): SourcePerson {
  return { name: `Zendesk user ${id}` }
}
