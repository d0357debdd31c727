import type { ReportedValue } from '@plantroom/contract/reports'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** One document per datapoint: which writer holds it and what to restore afterwards. */
export interface HoldStore<Document> {
  load(): { datapointId: string; document: Document }[]
  put(to: Change, datapointId: string, document: Document): void
  remove(to: Change, datapointId: string): void
}

export function createHoldStore<Document>(journal: Journal): HoldStore<Document> {
  const select = journal.prepare('SELECT datapoint_id, document FROM hold')
  const upsert = journal.prepare(
    'INSERT INTO hold (datapoint_id, document) VALUES (?, ?) ON CONFLICT (datapoint_id) DO UPDATE SET document = excluded.document',
  )
  const remove = journal.prepare('DELETE FROM hold WHERE datapoint_id = ?')

  return {
    load: () =>
      select.all().map((row) => ({
        datapointId: String(row.datapoint_id),
        document: JSON.parse(String(row.document)) as Document,
      })),
    put: (to, datapointId, document) => to.write(upsert, datapointId, JSON.stringify(document)),
    remove: (to, datapointId) => to.write(remove, datapointId),
  }
}

/** The overrides that have an `applied` entry and no `released` one yet, each with the value from before it. */
export interface AppliedStore {
  load(): [overrideId: string, valueBefore: ReportedValue][]
  put(to: Change, overrideId: string, valueBefore: ReportedValue): void
  remove(to: Change, overrideId: string): void
}

export function createAppliedStore(journal: Journal): AppliedStore {
  const select = journal.prepare('SELECT override_id, value_before FROM applied_override')
  const upsert = journal.prepare(
    `INSERT INTO applied_override (override_id, value_before) VALUES (?, ?)
     ON CONFLICT (override_id) DO UPDATE SET value_before = excluded.value_before`,
  )
  const remove = journal.prepare('DELETE FROM applied_override WHERE override_id = ?')

  return {
    load: () =>
      select.all().map((row) => [String(row.override_id), JSON.parse(String(row.value_before)) as ReportedValue]),
    put: (to, overrideId, valueBefore) => to.write(upsert, overrideId, JSON.stringify(valueBefore)),
    remove: (to, overrideId) => to.write(remove, overrideId),
  }
}
