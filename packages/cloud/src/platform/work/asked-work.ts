import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Duty } from './duties.ts'
import type { WorkKind } from './kind.ts'
import type { LeasedRows, WorkTable } from './leased-rows.ts'

const LOOK_MS = 250
const SLOW_MS = 2_000
const HOUR_MS = 3_600_000

/** Tables of what a person asks a worker to try: a row waits until it has an outcome. */
type AskedTable = {
  [Table in WorkTable]: 'id' | 'outcome' extends keyof Schema[Table] ? Table : never
}[WorkTable]

/**
 * Something that a worker runs while the request that asked for it waits, because only workers may connect to servers of
 * others: the request adds a row, a worker settles it with an outcome, and the request returns that and removes the row.
 */
export function askedWork<Table extends AskedTable, Outcome>({
  table,
  name,
  what,
  waitMs,
}: {
  table: Table
  name: string
  /** For people, for example `test`. */
  what: string
  /** How long a request waits for a worker and for the outcome. */
  waitMs: number
}) {
  const rows: LeasedRows<Table, 'id'> = { table, key: ['id'], waiting: sql`outcome IS NULL` }
  const from = sql.table(table)

  async function outcomeOf(db: Db, id: string): Promise<Outcome | undefined> {
    const found = await sql<{ outcome: Outcome | null }>`SELECT outcome FROM ${from} WHERE id = ${id}`.execute(db)
    return found.rows[0]?.outcome ?? undefined
  }

  return {
    rows,
    outcomeOf,

    /** Waits for the outcome of a row that was added, and removes the row. */
    async wait(db: Db, id: string, clock: Clock): Promise<Outcome> {
      const giveUpAt = clock.monotonic() + waitMs
      try {
        for (;;) {
          const outcome = await outcomeOf(db, id)
          if (outcome) return outcome
          if (clock.monotonic() >= giveUpAt) break
          await sleep(clock, LOOK_MS)
        }
        throw new Failure(
          'unavailable',
          `no worker finished the ${what} within ${waitMs / 1000} s: try again, or ask the operator whether a worker runs`,
        )
      } finally {
        await sql`DELETE FROM ${from} WHERE id = ${id}`.execute(db)
      }
    },

    kind: (run: WorkKind<Table, 'id'>['run']): WorkKind<Table, 'id'> => ({
      ...{ name, rows, atOnce: 4, perOrganization: 2, lookMs: LOOK_MS },
      slow: { afterMs: SLOW_MS, atOnce: 8, perOrganization: 2 },
      run,
    }),

    /** Removes rows whose process died while it waited. */
    forget: ({ db, clock }: { db: Db; clock: Clock }): Duty => ({
      name: `${name}s`,
      everyMs: HOUR_MS,
      async run() {
        await sql`DELETE FROM ${from} WHERE due_at < ${new Date(clock.now() - HOUR_MS)}`.execute(db)
        return undefined
      },
    }),
  }
}
