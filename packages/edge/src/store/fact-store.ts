import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Single values, by name. */
export interface FactStore {
  number(name: string): number | undefined
  /** Returns the stored text. When there is none, stores the result of `make` and returns that. */
  text(name: string, make: () => string): string
  put(to: Change, name: string, value: number): void
}

export function createFactStore(journal: Journal): FactStore {
  const select = journal.prepare('SELECT value FROM fact WHERE name = ?')
  const upsert = journal.prepare(
    'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )

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
    put: (to, name, value) => to.write(upsert, name, value),
  }
}
