import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** The technical systems commissioned on this device. */
export interface TechnicalSystemStore {
  load(): TechnicalSystem[]
  /** Replaces the system with the same id. */
  save(to: Change, system: TechnicalSystem): void
  remove(to: Change, id: string): void
}

export function createTechnicalSystemStore(journal: Journal): TechnicalSystemStore {
  const select = journal.prepare('SELECT document FROM technical_system ORDER BY rowid')
  const upsert = journal.prepare(
    'INSERT INTO technical_system (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document',
  )
  const remove = journal.prepare('DELETE FROM technical_system WHERE id = ?')

  return {
    load: () => select.all().map((row) => JSON.parse(String(row.document)) as TechnicalSystem),
    save: (to, system) => to.write(upsert, system.id, JSON.stringify(system)),
    remove: (to, id) => to.write(remove, id),
  }
}
