import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** Rows that one change prunes at most: more than it adds, so that the table shrinks, and few, so that no change is slow. */
const PRUNED_AT_ONCE = 4

/** The replies that were given, by key and reqId, with the request that each was given to. */
export interface AnswerStore {
  find(keyId: string, reqId: string): { request: string; reply: string } | undefined
  add(to: Change, answer: { keyId: string; reqId: string; request: string; reply: string; at: number }): void
  /** Forgets a few of those that were given before `time`. */
  prune(to: Change, time: number): void
}

export function createAnswerStore(journal: Journal): AnswerStore {
  const select = journal.prepare('SELECT request, reply FROM answer WHERE key_id = ? AND req_id = ?')
  const insert = journal.prepare('INSERT INTO answer (key_id, req_id, request, reply, at) VALUES (?, ?, ?, ?, ?)')
  const prune = journal.prepare(
    `DELETE FROM answer WHERE (key_id, req_id) IN (
       SELECT key_id, req_id FROM answer WHERE at < ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
  )

  return {
    find(keyId, reqId) {
      const row = select.get(keyId, reqId)
      return row && { request: String(row.request), reply: String(row.reply) }
    },
    add: (to, { keyId, reqId, request, reply, at }) => to.write(insert, keyId, reqId, request, reply, at),
    prune: (to, time) => to.write(prune, time),
  }
}
