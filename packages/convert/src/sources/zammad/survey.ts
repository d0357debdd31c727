import { createElementIndex, type ElementIndex } from '../../json/element-index.ts'
import { type JsonElement, placeOf, readElements } from '../../json/read-elements.ts'
import { idText, type JsonObject, listOf, objectsOf, scalarText } from '../../json/values.ts'
import { createFileNames, type FileNames } from '../../parts/file-names.ts'
import { isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourcePerson } from '../../source.ts'

/** What the replies of a Zammad contain beside the tickets. */
export interface Survey extends AsyncDisposable {
  /** Files with tickets. */
  readonly tickets: readonly string[]
  /** By ticket. */
  readonly articles: ElementIndex
  readonly tags: ReadonlyMap<string, readonly string[]>
  readonly names: FileNames
  /** A person by id, or by the login that `expand=true` puts beside it. Undefined for nobody. */
  person(id: unknown, login: unknown): SourcePerson | undefined
}

export type Kind = 'ticket' | 'article' | 'user' | 'tags'

/** Replies are lists without a name. */
export const isList = () => false

/** Returns what an object of a reply is, by its fields. */
export function kindOf(path: string, { value, line }: JsonElement): Kind {
  const has = (...fields: readonly string[]) => fields.every((field) => field in value)
  if (has('ticket_id', 'body')) return 'article'
  if (has('ticket_id', 'tags')) return 'tags'
  if (has('number', 'title')) return 'ticket'
  if (has('login') || has('firstname', 'lastname')) return 'user'
  const said = scalarText(value.error_human) ?? scalarText(value.error)
  const message =
    said === undefined
      ? 'is no ticket, article, user or list of tags of Zammad; save replies of its REST API'
      : `is an error of Zammad (${said}); repeat the request`
  throw new SourceError([{ place: placeOf(path, line), message }])
}

/** Reads all replies once, for what the tickets refer to. */
export async function survey(inputs: readonly string[]): Promise<Survey> {
  const problems = createProblemList()
  const tickets = new Set<string>()
  const articles = createElementIndex()
  const tags = new Map<string, readonly string[]>()
  const users = new Map<string, JsonObject>()
  const names = createFileNames()
  for (const path of inputs) {
    for await (const element of readElements(path, { isList })) {
      const { value, line } = element
      const kind = kindOf(path, element)
      const ticket = idText(value.ticket_id)
      if (kind === 'ticket') tickets.add(path)
      else if (kind === 'user') users.set(idText(value.id) ?? '', value)
      else if (ticket === undefined) {
        const message = 'does not name its ticket; save the reply of the ticket again'
        problems.add({ place: placeOf(path, line), column: 'ticket_id', message })
      } else if (kind === 'tags') tags.set(ticket, listOf(value.tags).map(String))
      else {
        articles.add(ticket, path, element)
        for (const file of objectsOf(value.attachments)) names.add(scalarText(file.filename) ?? '')
      }
    }
  }
  const message = 'no tickets were found; give the replies of /api/v1/tickets'
  if (tickets.size === 0) problems.add({ place: inputs.join(', ') || 'Zammad', message })
  problems.throwIfAny()
  const person = personFinder(users)
  return {
    tickets: [...tickets],
    articles,
    tags,
    names,
    person,
    [Symbol.asyncDispose]: () => articles[Symbol.asyncDispose](),
  }
}

/** Zammad's own user, which owns tickets that nobody owns. */
const NOBODY = { id: '1', login: '-' }

function personFinder(users: ReadonlyMap<string, JsonObject>): Survey['person'] {
  const people = new Map<string, SourcePerson>()
  for (const [id, user] of users) {
    const login = scalarText(user.login)
    const name = [scalarText(user.firstname), scalarText(user.lastname)].filter(Boolean).join(' ') || login
    const email = scalarText(user.email)?.trim()
    const phone = scalarText(user.phone) ?? scalarText(user.mobile)
    const person = { name, email: email !== undefined && isAddress(email) ? email : undefined, phone }
    people.set(id, person)
    if (login !== undefined) people.set(login, person)
  }
  return (id, login) => {
    const [key, name] = [idText(id), scalarText(login)]
    if (name === NOBODY.login || (name === undefined && (key === undefined || key === NOBODY.id))) return undefined
    const known = people.get(key ?? '') ?? people.get(name ?? '')
    if (known) return known
    if (name === undefined) return { name: `Zammad user ${key}` }
    return isAddress(name) ? { email: name } : { name }
  }
}
