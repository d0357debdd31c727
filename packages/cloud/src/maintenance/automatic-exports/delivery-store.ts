import type { ExportRetention, TargetPlace } from '@plantroom/contract/automatic-exports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { keyIsValid } from './export-store.ts'
import { storable } from './run-store.ts'

/** A delivery that one worker has claimed for a while. */
export interface ClaimedDelivery {
  runId: string
  targetId: string
  claim: number
  /** Including the current one. */
  attempts: number
  organizationId: string
  siteId: string
  jobId: string
  bytes: number
  filename: string
  label: string
  place: TargetPlace
  /** Sealed. */
  secret: Buffer | null
  retention: ExportRetention
  failingSince: Date | null
}

type DeliveryKey = Pick<ClaimedDelivery, 'runId' | 'targetId' | 'claim'>

/** A package at a target. */
export interface KeptPackage {
  runId: string
  filename: string
}

const DAY_MS = 86_400_000
const REMOVED_AT_ONCE = 200

/** The deliveries of packages to targets: the queue of the workers. */
export function createDeliveryStore(db: Db) {
  // Changes nothing once another worker has claimed the delivery, or it was ended.
  const claimed = ({ runId, targetId, claim }: DeliveryKey) =>
    db
      .updateTable('automatic_export_delivery')
      .where('run_id', '=', runId)
      .where('target_id', '=', targetId)
      .where('claim', '=', claim)
      .where('state', '=', 'waiting')

  return {
    /** Claims the first delivery that is due, and counts the attempt even if this process then dies. */
    async claim(about: {
      now: Date
      until: Date
      busyOrganizations: readonly string[]
    }): Promise<ClaimedDelivery | undefined> {
      const { now, until, busyOrganizations } = about
      const { rows } = await sql<Omit<ClaimedDelivery, 'bytes'> & { bytes: string }>`
        UPDATE automatic_export_delivery delivery
        SET attempts = delivery.attempts + 1, claim = delivery.claim + 1, leased_until = ${until}
        FROM automatic_export_run run, automatic_export_target target, automatic_export
        WHERE (delivery.run_id, delivery.target_id) = (
            SELECT waiting.run_id, waiting.target_id FROM automatic_export_delivery waiting
            JOIN automatic_export_run run ON run.id = waiting.run_id
            JOIN automatic_export_target target ON target.id = waiting.target_id
            JOIN automatic_export ON automatic_export.site_id = run.site_id
            JOIN site ON site.id = run.site_id
            WHERE waiting.state = 'waiting' AND waiting.due_at <= ${now}
              AND (waiting.leased_until IS NULL OR waiting.leased_until <= ${now})
              AND automatic_export.enabled AND site.maintenance_requests AND ${keyIsValid(now)}
              AND run.organization_id <> ALL (${busyOrganizations}::text[])
              AND NOT EXISTS (
                SELECT FROM automatic_export_delivery other
                WHERE other.target_id = waiting.target_id AND other.state = 'waiting' AND other.leased_until > ${now}
              )
            ORDER BY waiting.due_at LIMIT 1
            FOR UPDATE OF waiting SKIP LOCKED
          )
          AND run.id = delivery.run_id AND target.id = delivery.target_id AND automatic_export.site_id = run.site_id
        RETURNING delivery.run_id AS "runId", delivery.target_id AS "targetId", delivery.claim, delivery.attempts,
          run.organization_id AS "organizationId", run.site_id AS "siteId", run.job_id AS "jobId", run.bytes,
          delivery.filename, target.label, target.settings AS place, target.secret, automatic_export.retention,
          target.failing_since AS "failingSince"`.execute(db)
      const [row] = rows
      return row && { ...row, bytes: Number(row.bytes) }
    },

    /** Renews a claim. Returns false when it is no longer valid. */
    async renew(delivery: DeliveryKey, until: Date): Promise<boolean> {
      const { numUpdatedRows } = await claimed(delivery).set({ leased_until: until }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Returns false when another worker has the delivery by now, or it was ended. */
    async markDelivered(delivery: DeliveryKey, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await claimed(delivery)
        .set({ state: 'delivered', delivered_at: at, leased_until: null, error: null })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await db
        .updateTable('automatic_export_target')
        .where('id', '=', delivery.targetId)
        .set({ last_success_at: at, failing_since: null, last_error: null })
        .execute()
      return true
    },

    /** Without `next`, the delivery has failed for good. Returns false when another worker has it by now. */
    async markFailed(
      delivery: DeliveryKey,
      { at, error, next }: { at: Date; error: string; next: Date | undefined },
    ): Promise<boolean> {
      const message = storable(error)
      const { numUpdatedRows } = await claimed(delivery)
        .set({ error: message, leased_until: null, ...(next ? { due_at: next } : { state: 'failed' }) })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await db
        .updateTable('automatic_export_target')
        .where('id', '=', delivery.targetId)
        .set(({ fn, ref, val }) => ({
          failing_since: fn.coalesce(ref('failing_since'), val(at)),
          last_error: message,
        }))
        .execute()
      return true
    },

    /** Gives a claimed delivery back as if it had not been tried: the cause is ours, not the target's. */
    async giveBack(delivery: DeliveryKey, due: Date, error: string | null): Promise<void> {
      await claimed(delivery)
        .set(({ eb }) => ({ due_at: due, leased_until: null, error, attempts: eb('attempts', '-', 1) }))
        .execute()
    },

    /** Ends deliveries that a newer package of the same target has overtaken, unless a worker sends them. Returns their runs. */
    async supersede(now: Date): Promise<string[]> {
      const { rows } = await sql<{ runId: string }>`
        UPDATE automatic_export_delivery delivery
        SET state = 'superseded', claim = delivery.claim + 1, leased_until = NULL
        FROM automatic_export_run run
        WHERE run.id = delivery.run_id AND delivery.state = 'waiting'
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= ${now})
          AND EXISTS (
            SELECT FROM automatic_export_delivery newer
            JOIN automatic_export_run newer_run ON newer_run.id = newer.run_id
            WHERE newer.target_id = delivery.target_id AND newer.state IN ('waiting', 'delivered')
              AND newer_run.position > run.position
          )
        RETURNING delivery.run_id AS "runId"`.execute(db)
      return [...new Set(rows.map(({ runId }) => runId))]
    },

    /** Ends deliveries to targets that are no longer there. Returns their runs. */
    async endWithoutTarget(): Promise<string[]> {
      const { rows } = await sql<{ runId: string }>`
        UPDATE automatic_export_delivery delivery
        SET state = 'failed', error = 'the target was removed', claim = claim + 1, leased_until = NULL
        WHERE delivery.state = 'waiting'
          AND NOT EXISTS (SELECT FROM automatic_export_target target WHERE target.id = delivery.target_id)
        RETURNING delivery.run_id AS "runId"`.execute(db)
      return [...new Set(rows.map(({ runId }) => runId))]
    },

    /** Ends deliveries of runs that started before a time, unless a worker sends them. Returns their runs. */
    async endOld(before: Date, now: Date): Promise<string[]> {
      const { rows } = await sql<{ runId: string }>`
        UPDATE automatic_export_delivery delivery
        SET state = 'failed', claim = delivery.claim + 1, leased_until = NULL,
          error = coalesce(delivery.error || '; ', '') || 'it did not arrive within 7 days'
        FROM automatic_export_run run
        WHERE run.id = delivery.run_id AND delivery.state = 'waiting' AND run.start_at < ${before}
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= ${now})
        RETURNING delivery.run_id AS "runId"`.execute(db)
      return rows.map(({ runId }) => runId)
    },

    /** Ends a run whose deliveries are all over. */
    async finishRun(runId: string, at: Date): Promise<void> {
      // The last two deliveries may end at the same moment: the second to get the lock sees the first.
      await sql`SELECT FROM automatic_export_run WHERE id = ${runId} FOR UPDATE`.execute(db)
      await sql`
        UPDATE automatic_export_run run SET ended_at = ${at},
          state = CASE WHEN over.missed = 0 THEN 'done' ELSE 'failed' END,
          error = over.error
        FROM (
          SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
            count(*) FILTER (WHERE state <> 'delivered') AS missed,
            min(label || ': ' || CASE WHEN state = 'superseded'
              THEN 'a newer package replaced this one before it arrived' || coalesce(' (' || error || ')', '')
              ELSE error END) FILTER (WHERE state <> 'delivered') AS error
          FROM automatic_export_delivery WHERE run_id = ${runId}
        ) AS over
        WHERE run.id = ${runId} AND run.state = 'delivering' AND over.waiting = 0`.execute(db)
    },

    /** Lets what waits for a changed target start again. */
    async retryNow(targetIds: readonly string[], now: Date): Promise<void> {
      await db
        .updateTable('automatic_export_delivery')
        .where('target_id', 'in', ['', ...targetIds])
        .where('state', '=', 'waiting')
        .set({ due_at: now, attempts: 0 })
        .execute()
    },

    /** Lists the packages that a target has beyond what it keeps, oldest first. The newest is never among them. */
    async listSurplus(targetId: string, { keep, unit }: ExportRetention, now: Date): Promise<KeptPackage[]> {
      const before = new Date(now.getTime() - keep * DAY_MS)
      const { rows } = await sql<KeptPackage>`
        SELECT "runId", filename FROM (
          SELECT delivery.run_id AS "runId", delivery.filename, delivery.delivered_at, run.position,
            row_number() OVER (ORDER BY run.position DESC) AS place
          FROM automatic_export_delivery delivery JOIN automatic_export_run run ON run.id = delivery.run_id
          WHERE delivery.target_id = ${targetId} AND delivery.state = 'delivered' AND delivery.removed_at IS NULL
        ) AS kept
        WHERE place > 1 AND ${unit === 'packages' ? sql`place > ${keep}` : sql`delivered_at < ${before}`}
        ORDER BY position LIMIT ${REMOVED_AT_ONCE}`.execute(db)
      return rows
    },

    async markRemoved(runId: string, targetId: string, at: Date): Promise<void> {
      await db
        .updateTable('automatic_export_delivery')
        .where('run_id', '=', runId)
        .where('target_id', '=', targetId)
        .set({ removed_at: at })
        .execute()
    },

    async noteCleanup(targetId: string, error: string | null): Promise<void> {
      await db
        .updateTable('automatic_export_target')
        .where('id', '=', targetId)
        .set({ cleanup_error: error && storable(error) })
        .execute()
    },
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
