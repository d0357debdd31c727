import type { Journal } from '../store/journal.ts'

/** Returns the query plan of each statement that `prepareAll` prepares, by its text. */
export function queryPlans(journal: Journal, prepareAll: (journal: Journal) => unknown): ReadonlyMap<string, string[]> {
  const plans = new Map<string, string[]>()
  const recording = new Proxy(journal, {
    get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)),
  })
  function prepare(sql: string) {
    const rows = journal.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    plans.set(
      sql,
      rows.map(({ detail }) => String(detail)),
    )
    return journal.prepare(sql)
  }
  prepareAll(recording)
  return plans
}
