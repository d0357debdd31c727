import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** A setpoint with its bounds, `from` inclusive and `to` exclusive. `seq` grows in the order of acceptance. */
export interface Override {
  seq: number
  id: string
  datapointId: string
  value: number
  from: number
  to: number
  reqId: string
  /** The caller, who alone may cancel it, with those who manage; empty for an override from before this was stored. */
  placedBy: string
  /** The caller's name at that time; empty when unknown. */
  placedByName: string
  /** Why, in the words of the caller; empty when none were given. */
  reason: string
}

/** The overrides that have not ended. */
export interface OverrideStore {
  /** Returns them in the order of acceptance. */
  load(): Override[]
  add(to: Change, override: Override): void
  remove(to: Change, seq: number): void
}

export function createOverrideStore(journal: Journal): OverrideStore {
  const select = journal.prepare(
    `SELECT seq, id, datapoint_id, value, from_ms, to_ms, req_id, placed_by, placed_by_name, reason
     FROM override_window ORDER BY seq`,
  )
  const insert = journal.prepare(
    `INSERT INTO override_window (seq, id, datapoint_id, value, from_ms, to_ms, req_id, placed_by, placed_by_name, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = journal.prepare('DELETE FROM override_window WHERE seq = ?')

  return {
    load: () =>
      select.all().map((row) => ({
        seq: Number(row.seq),
        id: String(row.id),
        datapointId: String(row.datapoint_id),
        value: Number(row.value),
        from: Number(row.from_ms),
        to: Number(row.to_ms),
        reqId: String(row.req_id),
        placedBy: String(row.placed_by),
        placedByName: String(row.placed_by_name),
        reason: String(row.reason),
      })),
    add(to, override) {
      const { seq, id, datapointId, value, from, to: end, reqId, placedBy, placedByName, reason } = override
      to.write(insert, seq, id, datapointId, value, from, end, reqId, placedBy, placedByName, reason)
    },
    remove: (to, seq) => to.write(remove, seq),
  }
}
