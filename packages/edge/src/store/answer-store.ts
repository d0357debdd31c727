import { hash } from 'node:crypto'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** How many of the oldest rows one pruning considers. */
export const PRUNE_BATCH = 32

/** The replies given so far, by key and reqId, each with its request. */
export interface AnswerStore {
  /** Returns a reply given at `since` or later. */
  find(keyId: string, reqId: string, since: number): { request: string; reply: string } | undefined
  add(to: Change, answer: { keyId: string; reqId: string; request: string; reply: string; at: number }): void
  remove(to: Change, keyId: string, reqId: string): void
  /** Deletes those of the oldest few that were given before `time`. */
  prune(to: Change, time: number): void
  /** Deletes the oldest of one caller beyond `most`. */
  boundCaller(to: Change, keyId: string, most: number): void
  /** Deletes the oldest of all callers beyond `most`. */
  boundAll(to: Change, most: number): void
}

export function createAnswerStore(journal: Journal): AnswerStore {
  const select = journal.prepare(
    'SELECT request, reply FROM answer WHERE lookup = ? AND key_id = ? AND req_id = ? AND at >= ?',
  )
  const insert = journal.prepare(
    'INSERT INTO answer (lookup, key_id, req_id, request, reply, at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = journal.prepare('DELETE FROM answer WHERE lookup = ? AND key_id = ? AND req_id = ?')
  const prune = journal.prepare(
    `DELETE FROM answer WHERE seq IN (SELECT seq FROM answer ORDER BY seq LIMIT ${PRUNE_BATCH}) AND at < ?`,
  )
  // Counting walks an index, which is short beside the table. It runs once for many answers.
  const boundCaller = journal.prepare(
    `DELETE FROM answer WHERE seq IN (
       SELECT seq FROM answer WHERE key_id = ?1 ORDER BY seq
       LIMIT max(0, (SELECT count(*) FROM answer WHERE key_id = ?1) - ?2))`,
  )
  const boundAll = journal.prepare(
    `DELETE FROM answer WHERE seq IN (
       SELECT seq FROM answer ORDER BY seq LIMIT max(0, (SELECT count(*) FROM answer) - ?))`,
  )

  return {
    find(keyId, reqId, since) {
      const row = select.get(lookupOf(keyId, reqId), keyId, reqId, since)
      return row && { request: String(row.request), reply: String(row.reply) }
    },
    add: (to, { keyId, reqId, request, reply, at }) =>
      to.write(insert, lookupOf(keyId, reqId), keyId, reqId, request, reply, at),
    remove: (to, keyId, reqId) => to.write(remove, lookupOf(keyId, reqId), keyId, reqId),
    prune: (to, time) => to.write(prune, time),
    boundCaller: (to, keyId, most) => to.write(boundCaller, keyId, most),
    boundAll: (to, most) => to.write(boundAll, most),
  }
}

// A short number keeps the index small. An index on random ids would write a page of its own for every answer.
function lookupOf(keyId: string, reqId: string): number {
  return hash('sha256', `${keyId} ${reqId}`, 'buffer').readUIntBE(0, 6)
}
