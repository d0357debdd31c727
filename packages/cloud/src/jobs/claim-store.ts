import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Reach, Verdict } from './ending.ts'
import type { JobRow } from './job.ts'
import { JobFailure } from './job-failure.ts'

export interface NewJob {
  organizationId: string
  siteId: string
  name: JobName
  maxAttempts: number
  filename: string
  packageVersion: string | null
  keyId: string | null
}

/** Whoever changes which import of a site is next does it alone, until its transaction ends. */
export async function lockSite(trx: Db, siteId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`jobs of ${siteId}`}, 0))`.execute(trx)
}

export async function addJob(trx: Db, id: string, job: NewJob): Promise<JobRow> {
  const row = await trx
    .insertInto('job')
    .values({
      id,
      organization_id: job.organizationId,
      site_id: job.siteId,
      name: job.name,
      max_attempts: job.maxAttempts,
      filename: job.filename,
      package_version: job.packageVersion,
      key_id: job.keyId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

/** The same, and nobody changes it before this transaction ends. */
export async function lockJob(trx: Db, id: string): Promise<JobRow | undefined> {
  const row = await trx.selectFrom('job').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toRow(row)
}

/** The import of the site that was accepted first and is not resolved. */
export async function firstImport(trx: Db, siteId: string): Promise<JobRow | undefined> {
  const row = await trx
    .selectFrom('job')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('name', '=', 'TICKET_IMPORT')
    .where('resolved', '=', false)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row && toRow(row)
}

/** Every job that should be in the queue or in the hands of a worker. */
export async function jobsWhoseTurnItIs(db: Db): Promise<Pick<JobRow, 'id' | 'name'>[]> {
  const { rows } = await sql<Pick<JobRow, 'id' | 'name'>>`
    SELECT id, name FROM job WHERE NOT resolved AND name <> 'TICKET_IMPORT'
    UNION ALL
    (SELECT DISTINCT ON (site_id) id, name FROM job WHERE NOT resolved AND name = 'TICKET_IMPORT'
     ORDER BY site_id, position)`.execute(db)
  return rows
}

export async function startAttempt(trx: Db, id: string): Promise<JobRow> {
  const row = await trx
    .updateTable('job')
    .set({
      status: 'RUNNING',
      retry_count: sql<number>`retry_count + 1`,
      claim: sql<number>`claim + 1`,
      started_at: sql<Date>`coalesce(started_at, now())`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

export async function saveVerdict(trx: Db, id: string, verdict: Verdict): Promise<void> {
  await trx
    .updateTable('job')
    .set({
      status: verdict.status,
      resolved: verdict.resolved,
      retry_count: verdict.retryCount,
      output: storableJson(verdict.output),
      cause: verdict.cause === null ? null : storable(verdict.cause),
      finished_at: verdict.resolved ? sql<Date>`now()` : null,
    })
    .where('id', '=', id)
    .execute()
  const { problems } = verdict
  if (problems.length === 0) return
  const text = (value: string | null) => (value === null ? null : storable(value))
  await sql`
    INSERT INTO job_problem (job_id, position, path, value, rule)
    SELECT ${id}, place - 1, path, value, rule
    FROM unnest(
      ${problems.map(({ path }) => text(path))}::text[],
      ${problems.map(({ value }) => text(value))}::text[],
      ${problems.map(({ rule }) => text(rule))}::text[]
    ) WITH ORDINALITY AS problem (path, value, rule, place)
    ON CONFLICT (job_id, position) DO NOTHING`.execute(trx)
}

/** False when the job is no longer held under this claim: whoever runs it has to stop. */
export async function saveProgress(
  db: Db,
  job: Pick<JobRow, 'id' | 'claim'>,
  progress: JobProgress | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ progress: storableJson(progress) })
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function isHeld(db: Db, job: Pick<JobRow, 'id' | 'claim'>): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM job WHERE id = ${job.id} AND claim = ${job.claim} AND status = 'RUNNING'`.execute(db)
  return rows.length === 1
}

/**
 * For the first statement of every transaction that a job writes with: throws when another worker has taken the job
 * over, and keeps it from being taken over until the transaction has ended.
 */
export async function requireHeld(trx: Db, job: Pick<JobRow, 'id' | 'claim'>): Promise<void> {
  const { rows } = await sql`
    SELECT 1 FROM job WHERE id = ${job.id} AND claim = ${job.claim} AND status = 'RUNNING' FOR SHARE`.execute(trx)
  if (rows.length === 0) throw new JobFailure('another worker has taken this job over', { final: false })
}

export async function reachOf(db: Db, job: Pick<JobRow, 'id'>): Promise<Reach> {
  const { rows } = await sql<Reach>`
    SELECT count(*)::integer AS created, coalesce(max(job_position) + 1, 0)::integer AS passed
    FROM ticket WHERE job_id = ${job.id}`.execute(db)
  return rows[0] ?? { created: 0, passed: 0 }
}

/** A character that no column takes is no reason to keep nothing of what became of a job. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()

function storableJson(value: object | null): string | null {
  if (value === null) return null
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? storable(part) : part))
}

type Columns = Awaited<ReturnType<typeof columnsOf>>
const columnsOf = (db: Db) => db.selectFrom('job').selectAll().executeTakeFirstOrThrow()

function toRow(row: Columns): JobRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    siteId: row.site_id,
    name: row.name,
    status: row.status,
    resolved: row.resolved,
    retryCount: row.retry_count,
    maxAttempts: row.max_attempts,
    scheduled: row.scheduled,
    filename: row.filename,
    packageVersion: row.package_version,
    claim: row.claim,
    progress: row.progress,
  }
}
