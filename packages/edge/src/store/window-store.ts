import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** A window as it lies in the journal. */
export interface StoredWindow {
  seq: number
  id: string
  datapointId: string
  value: number
  from: number
  to: number
  reqId: string
  /** Whose command it was; empty for a window from before this was kept. */
  placedBy: string
}

/** The windows that have not ended. */
export interface WindowStore {
  /** In the order of acceptance. */
  load(): StoredWindow[]
  add(to: Change, window: StoredWindow): void
  remove(to: Change, seq: number): void
}

export function createWindowStore(journal: Journal): WindowStore {
  const select = journal.prepare(
    'SELECT seq, id, datapoint_id, value, from_ms, to_ms, req_id, placed_by FROM override_window ORDER BY seq',
  )
  const insert = journal.prepare(
    `INSERT INTO override_window (seq, id, datapoint_id, value, from_ms, to_ms, req_id, placed_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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
      })),
    add: (to, { seq, id, datapointId, value, from, to: end, reqId, placedBy }) =>
      to.write(insert, seq, id, datapointId, value, from, end, reqId, placedBy),
    remove: (to, seq) => to.write(remove, seq),
  }
}
