import type { ReportEntry } from '@plantroom/contract/reports'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Entries of the audit that the cloud has not confirmed. */
export interface ReportStore {
  /** The greatest `seq` that was ever given; 0 when none was. */
  lastSeq(): number
  /** An entry that is not settled waits for what the equipment says: it is not sent yet. */
  add(to: Change, entry: ReportEntry, settled: boolean): void
  /** The entry as it is now known, to be sent. */
  settle(to: Change, entry: ReportEntry): void
  find(seq: number): ReportEntry | undefined
  /** Settles what nobody will settle any more. */
  settleAllBut(to: Change, seqs: readonly number[]): void
  /** The oldest entries after `seq`, up to the first that is not settled. */
  ready(after: number, limit: number): { seq: number; json: string }[]
  forget(to: Change, upTo: number): void
  /** How many there are, settled or not. */
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
  const insert = journal.prepare('INSERT INTO report (seq, settled, entry) VALUES (?, ?, ?)')
  const update = journal.prepare('UPDATE report SET settled = 1, entry = ? WHERE seq = ?')
  const one = journal.prepare('SELECT entry FROM report WHERE seq = ?')
  const settleOthers = journal.prepare(
    'UPDATE report SET settled = 1 WHERE NOT settled AND seq NOT IN (SELECT value FROM json_each(?))',
  )
  const next = journal.prepare(
    `SELECT seq, entry FROM report WHERE seq > ? AND seq < COALESCE((SELECT MIN(seq) FROM report WHERE NOT settled), 9e15)
     ORDER BY seq LIMIT ?`,
  )
  const forget = journal.prepare('DELETE FROM report WHERE seq <= ?')
  // They are forgotten from the oldest on, so none is missing in between: nothing needs to be counted.
  const count = journal.prepare(
    'SELECT COALESCE((SELECT MAX(seq) FROM report) - (SELECT MIN(seq) FROM report) + 1, 0) AS entries',
  )
  const parse = (row: Record<string, unknown>) => JSON.parse(String(row.entry)) as ReportEntry

  return {
    lastSeq: () => Number(last.get()?.seq),
    count: () => Number(count.get()?.entries),
    add(to, entry, settled) {
      to.write(insert, entry.seq, settled ? 1 : 0, JSON.stringify(entry))
    },
    settle: (to, entry) => to.write(update, JSON.stringify(entry), entry.seq),
    find(seq) {
      const row = one.get(seq)
      return row && parse(row)
    },
    settleAllBut: (to, seqs) => to.write(settleOthers, JSON.stringify(seqs)),
    ready: (after, limit) =>
      next.all(after, limit).map(({ seq, entry }) => ({ seq: Number(seq), json: String(entry) })),
    forget(to, upTo) {
      to.write(keepLast, upTo)
      to.write(forget, upTo)
    },
  }
}
