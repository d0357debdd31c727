import { newId } from '@plantroom/base/ids'
import type { Actor } from '@plantroom/contract/activity'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/storable-text.ts'
import { keyIsValid } from './export-store.ts'

/** Of one organization at the same time. */
const MOST_EXPORTING = 10

/** A run whose export is to be started. */
interface WaitingRun {
  id: string
  organizationId: string
  siteId: string
  startedBy: Actor | null
  keyId: string | null
}

/** A run whose export has ended. */
export interface EndedExport {
  id: string
  organizationId: string
  siteId: string
  siteName: string
  dueAt: Date
  attempts: number
  jobId: string
  filename: string | null
  /** `null` when the job is gone. */
  status: string | null
  output: { message?: string; bytes?: number; tickets?: number } | null
}

/** Adds a run, once for each due time of the schedule. */
export async function addRun(
  db: Db,
  run: { organizationId: string; siteId: string; dueAt: Date; startedBy: Actor | null; now: Date },
) {
  const id = newId('run')
  await db
    .insertInto('automatic_export_run')
    .values({
      ...{ id, organization_id: run.organizationId, site_id: run.siteId, due_at: run.dueAt },
      ...{ started_by: run.startedBy && JSON.stringify(run.startedBy), start_at: run.now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

/** Returns a run of the site that has not exported yet: another one would hold the same requests. */
export async function findUnexported(db: Db, siteId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('automatic_export_run')
    .where('site_id', '=', siteId)
    .where('state', 'in', ['waiting', 'exporting'])
    .select('id')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Starts a run that waits only because an earlier attempt failed. */
export async function startNow(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('automatic_export_run')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .set({ start_at: now })
    .execute()
}

/** Locks a run whose export is to be started. */
export async function lockWaiting(db: Db, now: Date): Promise<WaitingRun | undefined> {
  return (
    db
      .selectFrom('automatic_export_run as run')
      .innerJoin('automatic_export', 'automatic_export.site_id', 'run.site_id')
      .innerJoin('site', 'site.id', 'run.site_id')
      .where('run.state', '=', 'waiting')
      .where('run.start_at', '<=', now)
      .where('automatic_export.enabled', '=', true)
      .where('site.maintenance_requests', '=', true)
      .where(keyIsValid(now))
      // Leaves room for jobs that people start, and needs no write for a run that waits.
      .where(
        ({ selectFrom }) =>
          selectFrom('automatic_export_run as other')
            .whereRef('other.organization_id', '=', 'run.organization_id')
            .where('other.state', '=', 'exporting')
            .select(({ fn }) => fn.countAll<number>().as('count')),
        '<',
        MOST_EXPORTING,
      )
      .select(['run.id', 'run.organization_id as organizationId', 'run.site_id as siteId'])
      .select(['run.started_by as startedBy', 'automatic_export.key_id as keyId'])
      .orderBy('run.start_at')
      .limit(1)
      .forUpdate('run')
      .skipLocked()
      .executeTakeFirst()
  )
}

export async function markExporting(db: Db, id: string, jobId: string): Promise<void> {
  await db
    .updateTable('automatic_export_run')
    .where('id', '=', id)
    .set(({ eb }) => ({ state: 'exporting', job_id: jobId, attempts: eb('attempts', '+', 1), error: null }))
    .execute()
}

/** Locks a run whose export has ended. */
export async function lockEnded(db: Db): Promise<EndedExport | undefined> {
  const { rows } = await sql<EndedExport>`
    SELECT run.id, run.organization_id AS "organizationId", run.site_id AS "siteId", site.name AS "siteName",
      run.due_at AS "dueAt", run.attempts, run.job_id AS "jobId", job.status, job.output, job.filename
    FROM automatic_export_run run
    JOIN site ON site.id = run.site_id
    LEFT JOIN job ON job.id = run.job_id
    WHERE run.state = 'exporting' AND (job.id IS NULL OR job.resolved)
    ORDER BY run.position LIMIT 1
    FOR UPDATE OF run SKIP LOCKED`.execute(db)
  return rows[0]
}

/** Lets a run wait for another export. */
export async function postponeRun(db: Db, id: string, { until, error }: { until: Date; error: string }): Promise<void> {
  await db
    .updateTable('automatic_export_run')
    .where('id', '=', id)
    .set({ state: 'waiting', start_at: until, error: storedError(error), job_id: null })
    .execute()
}

export async function markDelivering(
  db: Db,
  { id, organizationId, siteId }: Pick<EndedExport, 'id' | 'organizationId' | 'siteId'>,
  { bytes, tickets, filename, now }: { bytes: number; tickets: number; filename: string; now: Date },
): Promise<void> {
  await db
    .updateTable('automatic_export_run')
    .where('id', '=', id)
    .set({ state: 'delivering', bytes: String(bytes), tickets, error: null })
    .execute()
  await sql`
    INSERT INTO automatic_export_delivery (organization_id, run_id, target_id, label, filename, due_at)
    SELECT ${organizationId}, ${id}, target.id, target.label, ${filename}, ${now}
    FROM automatic_export_target target WHERE target.site_id = ${siteId}`.execute(db)
}

export async function markFailed(db: Db, id: string, error: string, now: Date): Promise<void> {
  await db
    .updateTable('automatic_export_run')
    .where('id', '=', id)
    .set({ state: 'failed', error: storedError(error), ended_at: now })
    .execute()
}

/** Ends what has not ended, when an automatic export is removed. */
export async function endRuns(db: Db, siteId: string, error: string, now: Date): Promise<void> {
  await sql`
    UPDATE automatic_export_delivery delivery
    SET state = 'failed', error = ${error}, claim = claim + 1, leased_until = NULL
    FROM automatic_export_run run
    WHERE run.id = delivery.run_id AND run.site_id = ${siteId} AND delivery.state = 'waiting'`.execute(db)
  await db
    .updateTable('automatic_export_run')
    .where('site_id', '=', siteId)
    .where('state', 'in', ['waiting', 'exporting', 'delivering'])
    .set({ state: 'failed', error, ended_at: now })
    .execute()
}

/** Forgets old runs, except those whose packages are still at a target: the retention needs their record. */
export async function removeRunsBefore(db: Db, at: Date): Promise<void> {
  await sql`
    DELETE FROM automatic_export_run run WHERE run.due_at < ${at} AND run.state IN ('done', 'failed')
      AND NOT EXISTS (
        SELECT FROM automatic_export_delivery delivery
        JOIN automatic_export_target target ON target.id = delivery.target_id
        WHERE delivery.run_id = run.id AND delivery.state = 'delivered' AND delivery.removed_at IS NULL
      )`.execute(db)
}

/** What went wrong, as the column takes it. */
export const storedError = (error: string) => storable(error.slice(0, 1000))
