import type { ReportEntry } from '@plantroom/contract/reports'
import { type JsonText, storedJson } from '../json-text.ts'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Audit entries that the cloud has not confirmed yet. */
export interface ReportStore {
  /** Returns the highest `seq` ever assigned; 0 when there was none. */
  lastSeq(): number
  add(to: Change, entry: ReportEntry): void
  /** Returns the oldest entries after `after`, as JSON, ready to send. */
  ready(after: number, limit: number): { seq: number; json: JsonText }[]
  /** Deletes entries up to `upTo`, which the cloud has confirmed. */
  forget(to: Change, upTo: number): void
  count(): number
}

export function createReportStore(journal: Journal): ReportStore {
  const last = journal.prepare(
    `SELECT MAX(COALESCE((SELECT value FROM fact WHERE name = 'last-report'), 0),
                COALESCE((SELECT MAX(seq) FROM report), 0)) AS seq`,
  )
  const keepLast = journal.prepare(
    "INSERT INTO fact (name, value) VALUES ('last-report', ?) ON CONFLICT (name) DO UPDATE SET value = MAX(value, excluded.value)",
  )
  const insert = journal.prepare('INSERT INTO report (seq, entry) VALUES (?, ?)')
  const next = journal.prepare('SELECT seq, entry FROM report WHERE seq > ? ORDER BY seq LIMIT ?')
  const forget = journal.prepare('DELETE FROM report WHERE seq <= ?')
  // Only the oldest entries are deleted, so there are no gaps and no need to count rows.
  const count = journal.prepare(
    'SELECT COALESCE((SELECT MAX(seq) FROM report) - (SELECT MIN(seq) FROM report) + 1, 0) AS entries',
  )

  return {
    lastSeq: () => Number(last.get()?.seq),
    count: () => Number(count.get()?.entries),
    add: (to, entry) => to.write(insert, entry.seq, JSON.stringify(entry)),
    ready: (after, limit) =>
      next.all(after, limit).map(({ seq, entry }) => ({ seq: Number(seq), json: storedJson(String(entry)) })),
    forget(to, upTo) {
      to.write(keepLast, upTo)
      to.write(forget, upTo)
    },
  }
}
