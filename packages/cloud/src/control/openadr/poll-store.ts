import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { storableJson } from '../../platform/db/storable-text.ts'
import { type Lease, type LeasedRows, settle } from '../../platform/work/index.ts'
import { type FoundVtn, PROGRAM_COLUMNS, type StoredProgram } from './program-store.ts'

/** The programs that are followed. */
export const PROGRAMS: LeasedRows<'openadr_program', 'id'> = {
  table: 'openadr_program',
  key: ['id'],
  waiting: sql`active`,
  slow: {
    // What is only reconciled does not wait for its VTN.
    is: (now) => sql`item.was_slow AND item.poll_at <= ${now}`,
    remember: (db, { id }, isSlow) =>
      sql`UPDATE openadr_program SET was_slow = ${isSlow} WHERE id = ${id} AND was_slow <> ${isSlow}`.execute(db),
  },
}

/** Between two polls that a VTN asks for, and while it fails. */
const SHORTEST_MS = 250
const FAILING_MS = 5_000

/** What a poll found, and when the program is due again. */
export interface PollOutcome {
  pollAt: Date
  reconcileAt: Date
  /** Missing when the VTN was not asked. */
  asked?: { polledAt: Date | null; failingSince: Date | null; failures: number; problem: string | null }
  found: FoundVtn
}

/** A poll of a VTN that said nothing new. */
export interface UnchangedPoll {
  lease: Lease<'id'>
  startedAt: Date
  pollAt: Date
  polledAt: Date | null
  problem: string | null
  found: FoundVtn
}

/** The programs as workers follow them. */
export function createPollStore(db: Db) {
  return {
    /** Programs by their ids, with the time by which later wake-ups are recognized. */
    async open(
      ids: readonly string[],
      now: RawBuilder<Date>,
    ): Promise<Map<string, { program: StoredProgram; startedAt: Date }>> {
      const { rows } = await sql<StoredProgram & { startedAt: Date }>`
        SELECT ${PROGRAM_COLUMNS}, ${now} AS "startedAt" FROM openadr_program WHERE id = ANY(${[...ids]}::text[])`.execute(
        db,
      )
      return new Map(rows.map(({ startedAt, ...program }) => [program.id, { program, startedAt }]))
    },

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
    async settle(
      lease: Lease<'id'>,
      outcome: PollOutcome,
      { startedAt, now }: { startedAt: Date; now: RawBuilder<Date> },
    ): Promise<void> {
      const { pollAt, reconcileAt, asked, found } = outcome
      // A VTN that announces without end is asked a few times a second, no more.
      const unlessWoken = (column: string, time: Date) => sql<Date>`
        CASE WHEN ${sql.ref(column)} > ${startedAt}
          THEN greatest(${sql.ref(column)}, ${new Date(startedAt.getTime() + SHORTEST_MS)}) ELSE ${time} END`
      const dueAt = new Date(Math.min(pollAt.getTime(), reconcileAt.getTime()))
      await settle(db, PROGRAMS, lease, {
        poll_at: unlessWoken('poll_at', pollAt) as never,
        due_at: unlessWoken('due_at', dueAt) as never,
        // It may be later than this run began because it was not due.
        reconcile_at: sql<Date>`
          CASE WHEN reconcile_at > ${startedAt} AND reconcile_at <= ${now} THEN reconcile_at ELSE ${reconcileAt} END` as never,
        attempts: 0,
        found: storableJson(found),
        ...(asked && {
          ...(asked.polledAt && { polled_at: asked.polledAt }),
          failing_since: asked.failingSince,
          failures: asked.failures,
          problem: asked.problem,
        }),
      })
    },

    /**
     * Ends the leases of polls that found nothing new, with one statement. Returns for each whether it was recorded: false when
     * another worker has the program by now, or it was changed. What woke a program in the meantime stays due.
     */
    async settleUnchanged(polls: readonly UnchangedPoll[]): Promise<boolean[]> {
      const given = givenRows(polls, {
        id: ['text', ({ lease }) => lease.id],
        claim: ['integer', ({ lease }) => lease.claim],
        soonest: ['timestamptz', ({ startedAt }) => new Date(startedAt.getTime() + SHORTEST_MS)],
        ...{
          started_at: 'timestamptz',
          poll_at: 'timestamptz',
          polled_at: 'timestamptz',
          problem: 'text',
          found: 'jsonb',
        },
      } as const)
      const { rows } = await sql<{ id: string }>`
        WITH settled AS (
          SELECT given.id, soonest, given.polled_at, given.problem, given.found,
            CASE WHEN program.poll_at > started_at THEN greatest(program.poll_at, soonest) ELSE given.poll_at END AS poll_at
          FROM ${given} JOIN openadr_program AS program USING (id, claim)
          WHERE leased_until IS NOT NULL AND active
          -- In one order, so that two statements do not wait for each other.
          ORDER BY id FOR UPDATE OF program
        )
        UPDATE openadr_program AS program SET
          leased_until = NULL, attempts = 0, failing_since = NULL, failures = 0,
          poll_at = settled.poll_at, due_at = least(settled.poll_at, greatest(reconcile_at, soonest)),
          polled_at = settled.polled_at, problem = settled.problem, found = settled.found
        FROM settled WHERE program.id = settled.id RETURNING program.id`.execute(db)
      const recorded = new Set(rows.map(({ id }) => id))
      return polls.map(({ lease }) => recorded.has(lease.id))
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
      await sql`
        UPDATE openadr_program SET due_at = ${now}, reconcile_at = ${now} WHERE id = ${id} AND active`.execute(db)
    },

    /**
     * Lets a program be looked at now, whatever a worker does with it: one that asks a slow VTN loses its lease. What was asked
     * then is asked again soon.
     */
    async interrupt(id: string, now: RawBuilder<Date>): Promise<void> {
      await sql`
        UPDATE openadr_program SET due_at = ${now}, reconcile_at = ${now}, claim = claim + 1, leased_until = NULL,
          poll_at = CASE WHEN leased_until IS NULL THEN poll_at
            ELSE greatest(poll_at, ${now} + make_interval(secs => ${FAILING_MS / 1000})) END
        WHERE id = ${id} AND active`.execute(db)
    },

    /** Lets every program be looked at with its next poll: what would have woken it may have been missed. */
    async wakeAll(now: RawBuilder<Date>): Promise<void> {
      await sql`
        WITH woken AS (
          SELECT id FROM openadr_program WHERE active AND reconcile_at > ${now} ORDER BY id FOR UPDATE
        )
        UPDATE openadr_program SET reconcile_at = ${now} FROM woken WHERE openadr_program.id = woken.id`.execute(db)
    },
  }
}
