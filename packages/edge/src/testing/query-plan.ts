import type { Journal } from '../store/journal.ts'

/** How the journal goes about each statement that `prepareAll` prepares, by the statement's text. */
export function queryPlans(journal: Journal, prepareAll: (journal: Journal) => unknown): ReadonlyMap<string, string[]> {
  const plans = new Map<string, string[]>()
  const listening = new Proxy(journal, {
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
  prepareAll(listening)
  return plans
}
