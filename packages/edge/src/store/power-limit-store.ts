import type { AveragingSeconds, Direction, MovedLoad } from '@plantroom/contract/power-limit'
import type { Change } from './commits.ts'
import type { Journal } from './journal.ts'

/** A ceiling of the power of the connection point, `from` inclusive and `to` exclusive, in wall time. */
export interface PowerLimit {
  seq: number
  id: string
  direction: Direction
  kw: number
  from: number
  to: number
  averagingSeconds: AveragingSeconds
  reqId: string
  placedBy: string
  placedByName: string
  reason: string
  /** Set when the audit says that it has started. */
  isApplied?: true
  /** Up to when the audit has its intervals, once it has started. */
  provenTo?: number
  /** Another controller had it. The audit does not say yet that this one keeps it now. */
  isTakenOver?: true
}

/** One hour that was read. */
export interface HourHigh {
  /** When it began, in wall time. */
  from: number
  /** The hour of the day by the clock of the site. */
  hour: number
  /** The highest mean of its blocks. */
  kw: number
  blocks: number
}

/** What a meter showed at most in each hour of the last week, without the loads. */
export interface StoredHighs {
  meterId: string
  hours: readonly HourHigh[]
}

/** The power limits that have not ended, and the loads that they move. */
export interface PowerLimitStore {
  /** Returns the limits in the order of acceptance. */
  load(): PowerLimit[]
  put(to: Change, limit: PowerLimit): void
  remove(to: Change, seq: number): void
  moved(): Map<string, MovedLoad>
  putMoved(to: Change, datapointId: string, load: MovedLoad | undefined): void
  highs(): StoredHighs | undefined
  putHighs(to: Change, highs: StoredHighs): void
}

const HIGHS = 'hour-highs'

export function createPowerLimitStore(journal: Journal): PowerLimitStore {
  const select = journal.prepare('SELECT document FROM power_limit ORDER BY seq')
  const upsert = journal.prepare('INSERT OR REPLACE INTO power_limit (seq, document) VALUES (?, ?)')
  const remove = journal.prepare('DELETE FROM power_limit WHERE seq = ?')
  const selectMoved = journal.prepare('SELECT datapoint_id, document FROM moved_load')
  const upsertMoved = journal.prepare('INSERT OR REPLACE INTO moved_load (datapoint_id, document) VALUES (?, ?)')
  const removeMoved = journal.prepare('DELETE FROM moved_load WHERE datapoint_id = ?')
  const selectFact = journal.prepare('SELECT value FROM fact WHERE name = ?')
  const upsertFact = journal.prepare('INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)')
  return {
    load: () => select.all().map(({ document }) => JSON.parse(String(document)) as PowerLimit),
    put: (to, limit) => to.write(upsert, limit.seq, JSON.stringify(limit)),
    remove: (to, seq) => to.write(remove, seq),
    moved: () =>
      new Map(
        selectMoved.all().map((row) => [String(row.datapoint_id), JSON.parse(String(row.document)) as MovedLoad]),
      ),
    putMoved(to, datapointId, load) {
      if (load) to.write(upsertMoved, datapointId, JSON.stringify(load))
      else to.write(removeMoved, datapointId)
    },
    highs() {
      const stored = selectFact.get(HIGHS)?.value
      return stored === undefined ? undefined : (JSON.parse(String(stored)) as StoredHighs)
    },
    putHighs: (to, highs) => to.write(upsertFact, HIGHS, JSON.stringify(highs)),
  }
}
