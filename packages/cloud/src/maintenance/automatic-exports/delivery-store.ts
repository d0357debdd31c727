import type { ExportRetention, TargetPlace } from '@plantroom/contract/automatic-exports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { giveBack, type Lease, type LeasedRows, settle, slowSubject } from '../../platform/work/index.ts'
import { keyIsValid } from './export-store.ts'
import { storedError } from './run-store.ts'

/** The deliveries that wait. A target takes one package at a time. */
export const DELIVERIES: LeasedRows<'automatic_export_delivery', 'run_id' | 'target_id'> = {
  table: 'automatic_export_delivery',
  key: ['run_id', 'target_id'],
  waiting: sql`state = 'waiting'`,
  group: { column: 'target_id', atOnce: 1 },
  slow: slowSubject(
    { table: 'automatic_export_delivery', key: ['run_id', 'target_id'] },
    { table: 'automatic_export_target', column: 'target_id' },
  ),
  ready: (now) => sql`EXISTS (
    SELECT FROM automatic_export_run run
    JOIN automatic_export ON automatic_export.site_id = run.site_id
    JOIN site ON site.id = run.site_id
    JOIN automatic_export_target target ON target.id = item.target_id
    WHERE run.id = item.run_id AND automatic_export.enabled AND site.maintenance_requests AND ${keyIsValid(now)}
  )`,
}

export type DeliveryLease = Lease<'run_id' | 'target_id'>

/** A delivery that this process has for a while. */
export interface LeasedDelivery extends DeliveryLease {
  runId: string
  targetId: string
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

/** A package at a target. */
export interface KeptPackage {
  runId: string
  filename: string
}

const DAY_MS = 86_400_000
const REMOVED_AT_ONCE = 200

/** The deliveries of packages to targets: the queue of the workers. */
export function createDeliveryStore(db: Db) {
  return {
    /** Returns what is to be sent, and where to. */
    async open(lease: DeliveryLease): Promise<LeasedDelivery> {
      const { rows } = await sql<Omit<LeasedDelivery, keyof DeliveryLease | 'bytes'> & { bytes: string }>`
        SELECT run.id AS "runId", target.id AS "targetId", run.site_id AS "siteId", run.job_id AS "jobId", run.bytes,
          delivery.filename, target.label, target.settings AS place, target.secret, automatic_export.retention,
          target.failing_since AS "failingSince"
        FROM automatic_export_delivery delivery
        JOIN automatic_export_run run ON run.id = delivery.run_id
        JOIN automatic_export_target target ON target.id = delivery.target_id
        JOIN automatic_export ON automatic_export.site_id = run.site_id
        WHERE delivery.run_id = ${lease.run_id} AND delivery.target_id = ${lease.target_id}`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the target was removed')
      return { ...lease, ...row, bytes: Number(row.bytes) }
    },

    /** Returns false when another worker has the delivery by now, or it was ended. */
    async markDelivered(delivery: LeasedDelivery, at: Date): Promise<boolean> {
      const done = { state: 'delivered', delivered_at: at, error: null } as const
      if (!(await settle(db, DELIVERIES, delivery, done))) return false
      await db
        .updateTable('automatic_export_target')
        .where('id', '=', delivery.targetId)
        .set({ last_success_at: at, failing_since: null, last_error: null })
        .execute()
      return true
    },

    /** Without `next`, the delivery has failed for good. Returns false when another worker has it by now. */
    async markFailed(
      delivery: LeasedDelivery,
      { at, error, next }: { at: Date; error: string; next: Date | undefined },
    ): Promise<boolean> {
      const message = storedError(error)
      const failed = { error: message, ...(next ? { due_at: next } : ({ state: 'failed' } as const)) }
      if (!(await settle(db, DELIVERIES, delivery, failed))) return false
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

    /** Gives a delivery back as if it had not been tried: the cause is ours, not the target's. */
    async giveBack(delivery: LeasedDelivery, due: Date): Promise<void> {
      await giveBack(db, DELIVERIES, delivery, { due_at: due, error: null })
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
        .set({ cleanup_error: error && storedError(error) })
        .execute()
    },
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
