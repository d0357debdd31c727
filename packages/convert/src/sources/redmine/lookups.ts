import type { Fields } from '../../json/fields.ts'
import { isAddress } from '../../parts/people.ts'
import type { SourcePerson } from '../../source.ts'

/** The names behind the ids of an export, collected from all of its documents. */
export interface Lookups {
  /** Notes the names that an issue mentions. */
  addIssue(issue: Fields): void
  addUser(user: Fields): void
  addName(kind: NamedKind, item: Fields): void
  /** Notes where the server stores an attachment. */
  addStored(id: string, path: string): void
  /** The name, or `#id` for one that no document mentions. */
  nameOf(kind: NamedKind, id: string): string
  person(reference: Fields | undefined): SourcePerson | undefined
  /** For lists that have only names. Undefined for a name that two users have. */
  emailOfName(name: string): string | undefined
  storedPath(id: string): string | undefined
  /** Whether a status counts as closed. Undefined where neither the issue nor the list of statuses says it. */
  isClosed(status: Fields | undefined): boolean | undefined
}

export type NamedKind = 'status' | 'priority' | 'tracker' | 'category' | 'version' | 'project' | 'user' | 'custom field'

const OF_ISSUE = [
  ...([
    ['status', 'status'],
    ['priority', 'priority'],
    ['tracker', 'tracker'],
    ['category', 'category'],
  ] as const),
  ...([
    ['version', 'fixed_version'],
    ['project', 'project'],
    ['user', 'author'],
    ['user', 'assigned_to'],
  ] as const),
] satisfies readonly (readonly [NamedKind, string])[]

export function createLookups(): Lookups {
  const names = new Map<string, string>()
  const emails = new Map<string, string>()
  const emailsByName = new Map<string, string | undefined>()
  const stored = new Map<string, string>()
  const closed = new Map<string, boolean>()

  const addName = (kind: NamedKind, item: Fields | undefined) => {
    const id = item?.text('id')
    const name = item?.text('name')
    if (id !== undefined && name !== undefined) names.set(`${kind} ${id}`, name)
    const isClosed = item?.object.is_closed
    if (kind === 'status' && id !== undefined && typeof isClosed === 'boolean') closed.set(id, isClosed)
  }
  return {
    addName,
    addIssue(issue) {
      for (const [kind, field] of OF_ISSUE) addName(kind, issue.inner(field))
      for (const field of issue.list('custom_fields')) addName('custom field', field)
      for (const journal of issue.list('journals')) addName('user', journal.inner('user'))
      for (const watcher of issue.list('watchers')) addName('user', watcher)
    },
    addUser(user) {
      const id = user.text('id') ?? ''
      const name = [user.text('firstname'), user.text('lastname')].filter(Boolean).join(' ')
      const email = user.text('mail')?.trim()
      if (name !== '') names.set(`user ${id}`, name)
      if (email === undefined || !isAddress(email)) return
      emails.set(id, email)
      emailsByName.set(name, (emailsByName.has(name) ? emailsByName.get(name) : email) === email ? email : undefined)
    },
    addStored: (id, path) => stored.set(id, path),
    nameOf: (kind, id) => names.get(`${kind} ${id}`) ?? `#${id}`,
    person(reference) {
      if (!reference) return undefined
      const id = reference.text('id') ?? ''
      return { name: reference.text('name') ?? names.get(`user ${id}`), email: emails.get(id) }
    },
    emailOfName: (name) => emailsByName.get(name),
    storedPath: (id) => stored.get(id),
    isClosed: (status) => closed.get(status?.text('id') ?? ''),
  }
}
