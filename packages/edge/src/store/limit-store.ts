import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** One document per datapoint with limits: when it last switched, how often it started, and how far it moved. */
export interface LimitStore<Document> {
  load(): [datapointId: string, document: Document][]
  put(to: Change, datapointId: string, document: Document): void
}

export function createLimitStore<Document>(journal: Journal): LimitStore<Document> {
  const select = journal.prepare('SELECT datapoint_id, document FROM limit_state')
  const upsert = journal.prepare(
    'INSERT INTO limit_state (datapoint_id, document) VALUES (?, ?) ON CONFLICT (datapoint_id) DO UPDATE SET document = excluded.document',
  )

  return {
    load: () => select.all().map((row) => [String(row.datapoint_id), JSON.parse(String(row.document)) as Document]),
    put: (to, datapointId, document) => to.write(upsert, datapointId, JSON.stringify(document)),
  }
}
