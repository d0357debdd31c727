import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Lease, type LeasedRows, settle } from '../../platform/work/index.ts'
import type { FoundVtn, StoredProgram } from './program-store.ts'
import { createProgramStore } from './program-store.ts'

/** The programs that are followed. */
export const PROGRAMS: LeasedRows<'openadr_program', 'id'> = {
  table: 'openadr_program',
  key: ['id'],
  waiting: sql`active`,
}

/** Between two polls that a VTN asks for, and while it fails. */
const SHORTEST_MS = 250
const FAILING_MS = 5_000

/** What a poll found, and when the program is due again. */
export interface PollOutcome {
  pollAt: Date
  nextAt: Date
  /** Missing when the VTN was not asked. */
  asked?: { polledAt: Date | null; failingSince: Date | null; failures: number; problem: string | null }
  found: FoundVtn
}

/** The programs as workers follow them. */
export function createPollStore(db: Db) {
  return {
    /** The time by which later wake-ups are recognized. */
    async startedAt(now: RawBuilder<Date>): Promise<Date> {
      const { rows } = await sql<{ now: Date }>`SELECT ${now} AS now`.execute(db)
      return rows[0]?.now ?? new Date(0)
    },

    open: async (lease: Lease<'id'>): Promise<StoredProgram | undefined> =>
      createProgramStore(db).read(lease.organizationId, lease.id),

    /**
     * Locks the program for what is recorded about it, in a transaction. False when another worker has it by now. A worker that
     * is halted then loses its connection after `haltedMs`: its lock would keep the others from taking over.
     */
    async hold(lease: Lease<'id'>, haltedMs: number): Promise<boolean> {
      await sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(haltedMs)}, true)`.execute(db)
      const { rows } = await sql`
        SELECT FROM openadr_program WHERE id = ${lease.id} AND claim = ${lease.claim} AND active FOR UPDATE`.execute(db)
      return rows.length > 0
    },

    /** Ends the lease. What woke the program in the meantime stays due. */
    async settle(lease: Lease<'id'>, outcome: PollOutcome, startedAt: Date): Promise<void> {
      const { pollAt, nextAt, asked, found } = outcome
      // A VTN that announces without end is asked a few times a second, no more.
      const unlessWoken = (column: string, time: Date) => sql<Date>`
        CASE WHEN ${sql.ref(column)} > ${startedAt}
          THEN greatest(${sql.ref(column)}, ${new Date(startedAt.getTime() + SHORTEST_MS)}) ELSE ${time} END`
      await settle(db, PROGRAMS, lease, {
        poll_at: unlessWoken('poll_at', pollAt) as never,
        due_at: unlessWoken('due_at', nextAt) as never,
        attempts: 0,
        found: JSON.stringify(found),
        ...(asked && {
          ...(asked.polledAt && { polled_at: asked.polledAt }),
          failing_since: asked.failingSince,
          failures: asked.failures,
          problem: asked.problem,
        }),
      })
    },

    /**
     * Lets the VTN of a program be asked now, because it announced a change: a few times a second at most, however often it
     * does so. False when there is no such program that is active.
     */
    async announce(by: { id: string } | { notifyToken: string }, now: RawBuilder<Date>): Promise<boolean> {
      const isIt = 'id' in by ? sql`id = ${by.id}` : sql`notify_token = ${by.notifyToken}`
      const [usual, failing] = [SHORTEST_MS / 1000, FAILING_MS / 1000]
      const pause = sql`make_interval(secs => CASE WHEN failing_since IS NULL THEN ${usual}::float8 ELSE ${failing}::float8 END)`
      // The time of the last poll is by the clock of a worker, which may be ahead.
      const asked = sql`to_timestamp((found->>'askedAt')::float8 / 1000)`
      const { rows } = await sql`
        UPDATE openadr_program SET poll_at = next.at, due_at = next.at
        FROM (
          SELECT id, CASE WHEN ${asked} > ${now} - ${pause} THEN least(${asked}, ${now}) + ${pause} ELSE ${now} END AS at
          FROM openadr_program WHERE ${isIt} AND active
        ) AS next
        WHERE openadr_program.id = next.id RETURNING 1`.execute(db)
      return rows.length > 0
    },

    /** Lets a program be looked at now: something that it placed has an outcome. */
    async wake(id: string, now: RawBuilder<Date>): Promise<void> {
      await sql`UPDATE openadr_program SET due_at = ${now} WHERE id = ${id} AND active`.execute(db)
    },
  }
}
