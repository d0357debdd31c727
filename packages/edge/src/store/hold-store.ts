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
