import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** What a controller that replaces another is given, part by part, and what stays of it afterwards. */
export interface RestoreStore {
  /** The replacement that gave this controller its data; `undefined` when none did. */
  restoredBy(): string | undefined
  /** Reports whether nothing is commissioned, placed or held here. */
  isEmpty(): boolean
  /** Removes what is commissioned, placed and held here. */
  empty(to: Change): void
  /** Keeps one part. Parts of another replacement go. */
  keepPart(to: Change, replacementId: string, part: number, document: string): void
  /** Returns the parts that are kept, except one, in their order. */
  otherParts(replacementId: string, part: number): string[]
  /** Records that everything of a replacement is here, and where the audit and the time continue. */
  finish(to: Change, replacementId: string, facts: { at: number; audit: { seq: number; hash: string } | null }): void
  addIssued(to: Change, id: string, placedBy: string): void
  /** Returns the callers of the overrides that the controller before gave out, by id. */
  issued(): Map<string, string>
}

/** What belongs to the equipment of a device, and not to this hardware. */
const OWN_TABLES = [
  'technical_system',
  'override_window',
  'hold',
  'applied_override',
  'limit_state',
  'power_limit',
  'moved_load',
]

export function createRestoreStore(journal: Journal): RestoreStore {
  const fact = journal.prepare('SELECT value FROM fact WHERE name = ?')
  const keepFact = journal.prepare(
    'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const used = journal.prepare(
    `SELECT EXISTS (SELECT 1 FROM technical_system) OR EXISTS (SELECT 1 FROM override_window)
       OR EXISTS (SELECT 1 FROM hold) OR EXISTS (SELECT 1 FROM power_limit) AS used`,
  )
  const emptyAll = OWN_TABLES.map((table) => journal.prepare(`DELETE FROM ${table}`))
  const found = journal.prepare("DELETE FROM fact WHERE name = 'memory-lost'")
  const endTrial = journal.prepare("DELETE FROM fact WHERE name IN ('trial', 'trial-progress')")
  const forgetReports = journal.prepare('DELETE FROM report WHERE seq <= ?')
  const forgetOthers = journal.prepare('DELETE FROM restore_part WHERE replacement_id <> ?')
  const keepPart = journal.prepare(
    `INSERT INTO restore_part (replacement_id, part, document) VALUES (?, ?, ?)
     ON CONFLICT (replacement_id, part) DO UPDATE SET document = excluded.document`,
  )
  const others = journal.prepare(
    'SELECT document FROM restore_part WHERE replacement_id = ? AND part <> ? ORDER BY part',
  )
  const forgetAll = journal.prepare('DELETE FROM restore_part')
  const addIssued = journal.prepare('INSERT INTO issued_override (id, placed_by) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const issued = journal.prepare('SELECT id, placed_by FROM issued_override')

  return {
    restoredBy() {
      const value = fact.get('replacement')?.value
      return value === undefined ? undefined : String(value)
    },
    isEmpty: () => Number(used.get()?.used) === 0,
    empty(to) {
      for (const statement of [...emptyAll, endTrial]) to.write(statement)
    },
    keepPart(to, replacementId, part, document) {
      to.write(forgetOthers, replacementId)
      to.write(keepPart, replacementId, part, document)
    },
    otherParts: (replacementId, part) => others.all(replacementId, part).map((row) => String(row.document)),
    finish(to, replacementId, { at, audit }) {
      to.write(forgetAll)
      to.write(keepFact, 'replacement', replacementId)
      to.write(keepFact, 'latest-time', at)
      to.write(found)
      if (!audit) return
      // The cloud has entries with these numbers.
      to.write(forgetReports, audit.seq)
      to.write(keepFact, 'last-report', audit.seq)
      to.write(keepFact, 'last-report-hash', audit.hash)
    },
    addIssued: (to, id, placedBy) => to.write(addIssued, id, placedBy),
    issued: () => new Map(issued.all().map((row) => [String(row.id), String(row.placed_by)])),
  }
}
