import { createNameBook } from '../../parts/name-book.ts'
import type { SourcePerson } from '../../source.ts'

/** The people of an export. Jira writes account ids, user names, display names or addresses, by version and column. */
export interface JiraPeople {
  /** Learns that an id belongs to a name or an address. */
  learn(id: string | undefined, person: SourcePerson): void
  /** `id` and `name` as the export has them; either may be missing. */
  find(id: string | undefined, name: string | undefined): SourcePerson | undefined
}

const ACCOUNT_ID = /^([0-9a-f]{24}|\d+:[0-9a-f-]{36}|[a-z]+:[0-9a-f-]{36}(:[0-9a-f-]{36})?|JIRAUSER\d+)$/i

export function createJiraPeople(): JiraPeople {
  const byId = new Map<string, SourcePerson>()
  const book = createNameBook()
  return {
    learn(id, person) {
      if (id !== undefined) byId.set(keyOf(id), { ...byId.get(keyOf(id)), ...defined(person) })
      book.learn(person.name, person.email)
    },
    find(id, name) {
      const known = byId.get(keyOf(id ?? '')) ?? byId.get(keyOf(name ?? ''))
      const own = name === undefined || byId.has(keyOf(name)) || ACCOUNT_ID.test(name) ? undefined : name
      if (known) return book.complete({ ...known, name: own ?? known.name })
      if (own !== undefined) return book.complete({ name: own })
      const unknown = id ?? name
      if (unknown === undefined) return undefined
      return book.complete({ name: unknown.includes('@') ? unknown : `Jira user ${unknown}` })
    },
  }
}

function keyOf(text: string): string {
  return text.trim().toLowerCase()
}

function defined({ name, email }: SourcePerson): SourcePerson {
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
}
