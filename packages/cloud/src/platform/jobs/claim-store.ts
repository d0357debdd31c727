import type { Actor } from '@plantroom/contract/activity'
import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { insertGiven } from '../db/given-rows.ts'
import { storable, storableJson } from '../db/storable-text.ts'
import type { LeasedRows } from '../work/index.ts'
import type { Verdict } from './ending.ts'
import { type JobClaim, JobFailure, type JobProblem, type JobRow } from './job.ts'

/** How long a lease lasts without a heartbeat. After that any worker may take the job. */
export const LEASE_MS = 10_000

export interface NewJob {
  organizationId: string
  siteId: string
  name: JobName
  filename: string
  packageVersion: string | null
  options?: object | undefined
  keyId: string | null
  startedBy?: Actor | undefined
}

/**
 * Serializes accepting jobs of an organization until the transaction ends, so that its unfinished jobs can be counted.
 * Positions become visible in order: a job can never appear in front of one that already runs.
 */
export async function lockOrganization(trx: Db, organizationId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`jobs of ${organizationId}`}, 0))`.execute(trx)
}

/** Counts the jobs of a site, and of its whole organization, that have not ended. */
export async function countUnfinished(
  trx: Db,
  { organizationId, siteId }: Pick<NewJob, 'organizationId' | 'siteId'>,
): Promise<{ ofSite: number; ofOrganization: number }> {
  const { rows } = await sql<{ ofSite: number; ofOrganization: number }>`
    SELECT count(*)::integer AS "ofOrganization", count(*) FILTER (WHERE site_id = ${siteId})::integer AS "ofSite"
    FROM job WHERE organization_id = ${organizationId} AND NOT resolved`.execute(trx)
  return rows[0] ?? { ofSite: 0, ofOrganization: 0 }
}

/** Returns the id of a job of this kind on the site that no worker has started yet. */
export async function findWaiting(trx: Db, siteId: string, name: JobName): Promise<string | undefined> {
  const row = await trx
    .selectFrom('job')
    .where('site_id', '=', siteId)
    .where('name', '=', name)
    .where('status', '=', 'SCHEDULED')
    .where('resolved', '=', false)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

export async function addJob(trx: Db, id: string, job: NewJob & { maxAttempts: number }): Promise<void> {
  await trx
    .insertInto('job')
    .values({
      id,
      organization_id: job.organizationId,
      site_id: job.siteId,
      name: job.name,
      max_attempts: job.maxAttempts,
      filename: job.filename,
      package_version: job.packageVersion,
      options: storableJson(job.options ?? null),
      key_id: job.keyId,
      started_by: storableJson(job.startedBy ?? null),
    })
    .execute()
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

/** Locks the job until the transaction ends. */
export async function lockJob(trx: Db, id: string): Promise<JobRow | undefined> {
  const row = await trx.selectFrom('job').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toRow(row)
}

/** The jobs of a kind that have not ended. */
export function jobRows(name: JobName, { isOneAtATime }: { isOneAtATime: boolean }): LeasedRows<'job', 'id'> {
  const rows: LeasedRows<'job', 'id'> = { table: 'job', key: ['id'], waiting: sql`name = ${name} AND NOT resolved` }
  if (!isOneAtATime) return rows
  const ready = () => sql`NOT EXISTS (
    SELECT FROM job AS earlier
    WHERE earlier.site_id = item.site_id AND earlier.name = item.name AND earlier.position < item.position
      AND NOT earlier.resolved
  )`
  return { ...rows, ready }
}

/** Marks a job that this worker has a lease on as running. */
export async function startAttempt(trx: Db, id: string, workerId: string): Promise<JobRow> {
  const row = await trx
    .updateTable('job')
    .set({ status: 'RUNNING', worker_id: workerId, started_at: sql<Date>`coalesce(started_at, now())` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

/** The column that a heartbeat stores. */
export const progressColumn = (progress: JobProgress | null) => ({ progress: progress && storableJson(progress) })

/** Saves the result of an attempt and ends its lease. Without `progress`, the last saved progress stays. */
export async function saveVerdict(
  trx: Db,
  id: string,
  verdict: Verdict,
  progress: JobProgress | null | undefined,
): Promise<void> {
  await trx
    .updateTable('job')
    .set({
      status: verdict.status,
      resolved: verdict.resolved,
      attempts: verdict.retryCount,
      due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${verdict.retryInS ?? 0})`,
      leased_until: null,
      worker_id: null,
      ...(progress !== undefined && { progress: progress && storableJson(progress) }),
      output: storableJson(verdict.output),
      cause: verdict.cause === null ? null : storable(verdict.cause),
      finished_at: verdict.resolved ? sql<Date>`now()` : null,
    })
    .where('id', '=', id)
    .execute()
  if (verdict.problems.length > 0) await saveProblems(trx, id, verdict.problems)
}

async function saveProblems(trx: Db, id: string, problems: readonly JobProblem[]): Promise<void> {
  const text = (value: string | null) => (value === null ? null : storable(value))
  await sql`
    ${insertGiven('job_problem', { job_id: id }, problems, {
      position: ['integer', (_, place) => place],
      external_id: ['text', ({ externalId }) => text(externalId ?? null)],
      path: ['text', ({ path }) => text(path)],
      value: ['text', ({ value }) => text(value)],
      rule: ['text', ({ rule }) => text(rule)],
    })}
    ON CONFLICT (job_id, position) DO NOTHING`.execute(trx)
}

/** True while the claim is valid. */
export async function hasClaim(db: Db, job: JobClaim): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM job WHERE id = ${job.id} AND claim = ${job.claim} AND status = 'RUNNING'`.execute(db)
  return rows.length === 1
}

/**
 * The first statement of every transaction in which a job writes: throws when another worker has claimed the job, and
 * prevents a new claim until the transaction ends.
 */
export async function requireClaim(trx: Db, job: JobClaim): Promise<void> {
  // KEY SHARE conflicts with the FOR UPDATE of a claim, but not with heartbeats: a long batch keeps its lease.
  const { rows } = await sql`
    SELECT 1 FROM job WHERE id = ${job.id} AND claim = ${job.claim} AND status = 'RUNNING' FOR KEY SHARE`.execute(trx)
  if (rows.length === 0) throw takenOver()
}

export function takenOver(): JobFailure {
  return new JobFailure('another worker took over this job', { final: false })
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
    retryCount: row.attempts,
    maxAttempts: row.max_attempts,
    scheduled: row.scheduled,
    filename: row.filename,
    packageVersion: row.package_version,
    options: row.options,
    claim: row.claim,
    startedBy: row.started_by,
  }
}
