import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Single values, by name. */
export interface FactStore {
  number(name: string): number | undefined
  /** Returns the stored text. When there is none, stores the result of `make` and returns that. */
  text(name: string, make: () => string): string
  /** Returns the stored document. */
  document<Kind>(name: string): Kind | undefined
  put(to: Change, name: string, value: number): void
  /** Replaces the document; without one, removes it. */
  putDocument(to: Change, name: string, document: object | undefined): void
}

export function createFactStore(journal: Journal): FactStore {
  const select = journal.prepare('SELECT value FROM fact WHERE name = ?')
  const upsert = journal.prepare(
    'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const remove = journal.prepare('DELETE FROM fact WHERE name = ?')

  return {
    number(name) {
      const value = select.get(name)?.value
      return value === undefined ? undefined : Number(value)
    },
    text(name, make) {
      const known = select.get(name)?.value
      if (known !== undefined) return String(known)
      const made = make()
      upsert.run(name, made)
      return made
    },
    document<Kind>(name: string) {
      const value = select.get(name)?.value
      return value === undefined ? undefined : (JSON.parse(String(value)) as Kind)
    },
    put: (to, name, value) => to.write(upsert, name, value),
    putDocument(to, name, document) {
      if (document) to.write(upsert, name, JSON.stringify(document))
      else to.write(remove, name)
    },
  }
}
