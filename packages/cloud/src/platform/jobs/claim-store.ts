import type { Actor } from '@plantroom/contract/activity'
import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Verdict } from './ending.ts'
import { type JobClaim, JobFailure, type JobProblem, type JobRow } from './job.ts'

/** How long a claim lasts without a heartbeat. After that any worker may claim the job. */
export const LEASE_S = 10

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

/**
 * Locks the next job of this kind that no worker has a lease on. Organizations take turns: the one whose last turn was
 * longest ago comes first, with the job that has been due for longest. Skips jobs another transaction has locked: another
 * worker is claiming them, or their process is just committing.
 */
export async function lockNextDue(
  trx: Db,
  name: JobName,
  { isOneAtATime }: { isOneAtATime: boolean },
): Promise<JobRow | undefined> {
  let due = trx
    .selectFrom('job')
    .leftJoin('job_turn as turn', (join) =>
      join.onRef('turn.organization_id', '=', 'job.organization_id').onRef('turn.name', '=', 'job.name'),
    )
    .selectAll('job')
    .where('job.name', '=', name)
    .where('resolved', '=', false)
    .where('due_at', '<=', sql<Date>`now()`)
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', sql<Date>`now()`)]))
  if (isOneAtATime) {
    due = due.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job as earlier')
            .whereRef('earlier.site_id', '=', 'job.site_id')
            .whereRef('earlier.name', '=', 'job.name')
            .whereRef('earlier.position', '<', 'job.position')
            .where('earlier.resolved', '=', false)
            .select('earlier.id'),
        ),
      ),
    )
  }
  const row = await due
    .orderBy('turn.taken_at', (order) => order.asc().nullsFirst())
    .orderBy('due_at')
    .orderBy('position')
    .limit(1)
    .forUpdate('job')
    .skipLocked()
    .executeTakeFirst()
  return row && toRow(row)
}

/** Puts the organization of a job at the end of the line for jobs of this kind. */
export async function takeTurn(trx: Db, { organizationId, name }: JobRow): Promise<void> {
  await sql`
    INSERT INTO job_turn (organization_id, name, taken_at) VALUES (${organizationId}, ${name}, clock_timestamp())
    ON CONFLICT (organization_id, name) DO UPDATE SET taken_at = excluded.taken_at`.execute(trx)
}

/** Starts an attempt under a new claim number and a new lease. */
export async function startAttempt(trx: Db, id: string, workerId: string): Promise<JobRow> {
  const row = await trx
    .updateTable('job')
    .set({
      status: 'RUNNING',
      retry_count: sql<number>`retry_count + 1`,
      claim: sql<number>`claim + 1`,
      worker_id: workerId,
      lease_until: leaseEnd(),
      started_at: sql<Date>`coalesce(started_at, now())`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

/** Renews the lease and saves the progress. Returns false when the claim is no longer valid. */
export async function renewLease(db: Db, job: JobClaim, progress: JobProgress | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ lease_until: leaseEnd(), progress: storableJson(progress) })
    .where('id', '=', job.id)
    .where('claim', '=', job.claim)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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
      retry_count: verdict.retryCount,
      due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${verdict.retryInS ?? 0})`,
      lease_until: null,
      worker_id: null,
      ...(progress !== undefined && { progress: storableJson(progress) }),
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
    INSERT INTO job_problem (job_id, position, external_id, path, value, rule)
    SELECT ${id}, place - 1, external_id, path, value, rule
    FROM unnest(
      ${problems.map(({ externalId }) => text(externalId ?? null))}::text[],
      ${problems.map(({ path }) => text(path))}::text[],
      ${problems.map(({ value }) => text(value))}::text[],
      ${problems.map(({ rule }) => text(rule))}::text[]
    ) WITH ORDINALITY AS problem (external_id, path, value, rule, place)
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

// By the clock of the database: the clocks of two workers may differ by more than a lease.
const leaseEnd = () => sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_S)})`

/** Replaces characters that no column can store, so that one of them does not lose the whole result. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()

function storableJson(value: object | null): string | null {
  if (value === null) return null
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'string') return storable(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    // Names of fields can be data, such as columns of a spreadsheet.
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storable(name), field]))
  })
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
    options: row.options,
    claim: row.claim,
    startedBy: row.started_by,
  }
}
