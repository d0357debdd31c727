import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Journal } from './journal.ts'

/** What was commissioned on this device. */
export interface TechnicalSystemStore {
  load(): TechnicalSystem[]
  /** Replaces the system of the same id. On disk when it returns. */
  save(system: TechnicalSystem): void
  remove(id: string): void
}

export function createTechnicalSystemStore(journal: Journal): TechnicalSystemStore {
  const select = journal.prepare('SELECT document FROM technical_system ORDER BY rowid')
  const upsert = journal.prepare(
    'INSERT INTO technical_system (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document',
  )
  const remove = journal.prepare('DELETE FROM technical_system WHERE id = ?')

  return {
    load: () => select.all().map((row) => JSON.parse(String(row.document)) as TechnicalSystem),
    save: (system) => void upsert.run(system.id, JSON.stringify(system)),
    remove: (id) => void remove.run(id),
  }
}
