import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Adds one row in a transaction of its own; when it returns, the row has reached the disk. */
export function openJournalFile(folder: string): (row: string) => void {
  const db = new DatabaseSync(join(folder, `floor-${process.pid}.db`))
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE entry (seq INTEGER PRIMARY KEY, row TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO entry (row) VALUES (?)')
  return (row) => void insert.run(row)
}

/** Answers each question of the parent, and ends with it. */
export function answerParent<Question>(answer: (question: Question) => object | Promise<object>): void {
  process.on('message', async (question) => process.send?.(await answer(question as Question)))
  process.once('disconnect', () => process.exit(0))
  process.once('SIGINT', () => process.exit(0))
  process.send?.({ ready: {} })
}
