import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Adds one row in its own transaction. The row is on disk when it returns. */
export function openJournalFile(folder: string): (row: string) => void {
  const db = new DatabaseSync(join(folder, `floor-${process.pid}.db`))
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE entry (seq INTEGER PRIMARY KEY, row TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO entry (row) VALUES (?)')
  return (row) => void insert.run(row)
}

/** Replies to each message of the parent, and ends with it. */
export function answerParent<Question>(answer: (question: Question) => object | Promise<object>): void {
  process.on('message', async (question) => process.send?.(await answer(question as Question)))
  process.once('disconnect', () => process.exit(0))
  process.once('SIGINT', () => process.exit(0))
  process.send?.({ ready: {} })
}
