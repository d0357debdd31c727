import { createElementIndex, type ElementIndex } from '../../json/element-index.ts'
import { type JsonElement, placeOf, readElements } from '../../json/read-elements.ts'
import { idText, type JsonObject, scalarText } from '../../json/values.ts'
import { createFileNames, type FileNames } from '../../parts/file-names.ts'
import { isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourcePerson } from '../../source.ts'

const KINDS = ['ticket', 'value', 'entry', 'file', 'user', 'staff', 'collaborator', 'chunk'] as const
type Kind = (typeof KINDS)[number]

/** What the export of an osTicket contains beside the tickets. */
export interface Survey extends AsyncDisposable {
  /** Files with tickets. */
  readonly tickets: readonly string[]
  /** Answers to forms and entries of the conversation by `value 35` and `entry 35`, chunks by `file 7`. */
  readonly index: ElementIndex
  /** By entry. */
  readonly files: ReadonlyMap<string, readonly JsonObject[]>
  /** Ids of the files whose content is in the export. */
  readonly stored: ReadonlySet<string>
  /** Ids of users by ticket. */
  readonly collaborators: ReadonlyMap<string, readonly unknown[]>
  readonly names: FileNames
  user(id: unknown): SourcePerson | undefined
  staff(id: unknown): SourcePerson | undefined
}

/** The export has one object a line. */
export const isList = () => false

export function kindOf(path: string, { value, line }: JsonElement): Kind {
  const kind = KINDS.find((each) => each === value.kind)
  if (kind) return kind
  const message = 'is no row of osTicket; export the database with the statements of the documentation'
  throw new SourceError([{ place: placeOf(path, line), message }])
}

/** Reads an export once, for what its tickets refer to. */
export async function survey(inputs: readonly string[]): Promise<Survey> {
  const problems = createProblemList()
  const tickets = new Set<string>()
  const index = createElementIndex()
  const files = new Map<string, JsonObject[]>()
  const collaborators = new Map<string, unknown[]>()
  const people = new Map<string, SourcePerson>()
  const stored = new Set<string>()
  const names = createFileNames()
  for (const path of inputs) {
    for await (const element of readElements(path, { isList })) {
      const { value } = element
      const kind = kindOf(path, element)
      const ticket = idText(value.ticket_id)
      if (kind === 'ticket') tickets.add(path)
      else if (kind === 'user' || kind === 'staff') people.set(`${kind} ${idText(value.id)}`, personOf(value))
      else if (kind === 'chunk') {
        stored.add(idText(value.file_id) ?? '')
        index.add(`file ${idText(value.file_id)}`, path, element)
      } else if (kind === 'file') {
        append(files, idText(value.entry_id) ?? '', value)
        names.add(scalarText(value.name) ?? '')
      } else if (ticket === undefined) {
        const message = 'does not name its ticket; export the database again'
        problems.add({ place: placeOf(path, element.line), column: 'ticket_id', message })
      } else if (kind === 'collaborator') append(collaborators, ticket, value.user_id)
      else index.add(`${kind} ${ticket}`, path, element)
    }
  }
  const message = 'no tickets were found; export the database with the statements of the documentation'
  if (tickets.size === 0) problems.add({ place: inputs.join(', ') || 'osTicket', message })
  problems.throwIfAny()
  const find = (kind: 'user' | 'staff') => (id: unknown) => {
    const text = idText(id)
    if (text === undefined) return undefined
    return people.get(`${kind} ${text}`) ?? { name: `osTicket ${kind === 'user' ? 'user' : 'agent'} ${text}` }
  }
  return {
    ...{ tickets: [...tickets], index, files, stored, collaborators, names, user: find('user'), staff: find('staff') },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

function personOf(value: JsonObject): SourcePerson {
  const email = scalarText(value.email)
  return {
    name: scalarText(value.name),
    email: email !== undefined && isAddress(email) ? email : undefined,
    phone: scalarText(value.phone),
  }
}

function append<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}
