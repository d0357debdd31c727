import { sha256 } from '@plantroom/base/sha256'
import type { ChainedEntry } from '@plantroom/contract/reports'
import { type JsonText, storedJson, toJson } from '../json-text.ts'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Audit entries that the cloud has not confirmed yet. */
export interface ReportStore {
  /** Returns the highest `seq` ever assigned; 0 when there was none. */
  lastSeq(): number
  /** Returns the hash of the last entry, also after the cloud has confirmed it; `null` when there was none. */
  lastHash(): string | null
  /** Returns the text of the entry, which its hash is about. */
  add(to: Change, entry: ChainedEntry): JsonText<ChainedEntry>
  /** Returns the oldest entries after `after`, as JSON, ready to send. */
  ready(after: number, limit: number): { seq: number; json: JsonText<ChainedEntry> }[]
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
  const lastEntry = journal.prepare('SELECT entry FROM report WHERE seq = (SELECT MAX(seq) FROM report)')
  const lastHash = journal.prepare("SELECT value FROM fact WHERE name = 'last-report-hash'")
  const keepHash = journal.prepare(
    "INSERT INTO fact (name, value) VALUES ('last-report-hash', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  const insert = journal.prepare('INSERT INTO report (seq, entry) VALUES (?, ?)')
  const find = journal.prepare('SELECT entry FROM report WHERE seq = ?')
  const next = journal.prepare('SELECT seq, entry FROM report WHERE seq > ? ORDER BY seq LIMIT ?')
  const forget = journal.prepare('DELETE FROM report WHERE seq <= ?')
  // Only the oldest entries are deleted, so there are no gaps and no need to count rows.
  const count = journal.prepare(
    'SELECT COALESCE((SELECT MAX(seq) FROM report) - (SELECT MIN(seq) FROM report) + 1, 0) AS entries',
  )

  return {
    lastSeq: () => Number(last.get()?.seq),
    count: () => Number(count.get()?.entries),
    lastHash() {
      const entry = lastEntry.get()?.entry
      if (entry !== undefined) return sha256(String(entry))
      const kept = lastHash.get()?.value
      return kept === undefined ? null : String(kept)
    },
    add(to, entry) {
      const text = toJson(entry)
      to.write(insert, entry.seq, text)
      return text
    },
    ready: (after, limit) =>
      next.all(after, limit).map(({ seq, entry }) => ({ seq: Number(seq), json: storedJson(String(entry)) })),
    forget(to, upTo) {
      const entry = find.get(upTo)?.entry
      to.write(keepLast, upTo)
      if (entry !== undefined) to.write(keepHash, sha256(String(entry)))
      to.write(forget, upTo)
    },
  }
}
